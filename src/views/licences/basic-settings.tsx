import { useId } from 'react';
import { licenceSettingsForm } from '#models/forms/licence-settings.ts';
import type { LicenceSettings } from '#models/licences.ts';
import { Button } from '#src/components/button.tsx';
import { FieldFrame } from '#src/components/fields/field-frame.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { issueOf, useForm } from '../use-form.ts';
import { useSubmit } from '../use-submit.ts';
import type { Licences } from './use-overview.ts';

const keys = ['basic_period_days', 'basic_quantity'] as const;

/** What new top groups start with: days and quantity of their basic licence. */
export function BasicSettings({ licences, settings }: { licences: Licences; settings: LicenceSettings }) {
  const words = useText();
  const { t } = words;
  const formId = useId();
  const form = useForm(licenceSettingsForm, settings, licences.adopt);
  const submit = useSubmit(form);
  return (
    <section className="card licences-later" aria-labelledby="basic-title">
      <header className="card-head">
        <h2 id="basic-title">{t('areas.licenses.basic_settings')}</h2>
      </header>
      <form className="card-body stack-wide" {...submit}>
        <p className="quiet small">{t('areas.licenses.basic_settings_hint')}</p>
        {keys.map((key) => {
          const issue = issueOf(form.issues, key);
          const id = `${formId}-${key}`;
          return (
            <FieldFrame
              key={key}
              id={id}
              path={key}
              label={t(`areas.licenses.fields.${key}`)}
              issue={issue && sayIssue(words, issue)}
              required={false}
            >
              <TextInput
                id={id}
                inputMode="numeric"
                value={form.draft[key]}
                invalid={issue !== undefined}
                placeholder={t('list.licences.unlimited')}
                aria-describedby={issue ? `${id}-issue` : undefined}
                onChange={(event) => form.change({ [key]: event.target.value })}
              />
            </FieldFrame>
          );
        })}
        <Button
          type="submit"
          tone="plain"
          className="self-start"
          label={t('areas.licenses.save')}
          disabled={!form.changed}
          loading={licences.busy || form.running}
        />
      </form>
    </section>
  );
}
