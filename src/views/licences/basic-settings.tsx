import { type FormEvent, useId, useState } from 'react';
import { toIssues } from '#models/issues.ts';
import { type LicenceSettings, licenceSettings } from '#models/licences.ts';
import { Button } from '#src/components/button.tsx';
import { FieldFrame } from '#src/components/fields/field-frame.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import type { Licences } from './use-overview.ts';

type Typed = Record<keyof LicenceSettings, string>;
const keys = ['basic_period_days', 'basic_quantity'] as const;

const typedOf = (settings: LicenceSettings): Typed => ({
  basic_period_days: settings.basic_period_days?.toString() ?? '',
  basic_quantity: settings.basic_quantity?.toString() ?? '',
});
/** What was typed as the contract wants it; an empty input is no limit, what is no number stays for the contract to refuse. */
const read = (text: string): unknown => (text.trim() === '' ? null : /^\d+$/.test(text.trim()) ? Number(text) : text);

/** What new top groups start with: days and quantity of their basic licence. */
export function BasicSettings({ licences, settings }: { licences: Licences; settings: LicenceSettings }) {
  const words = useText();
  const { t } = words;
  const formId = useId();
  const [typed, setTyped] = useState(typedOf(settings));
  const [checked, setChecked] = useState(false);
  const result = licenceSettings.safeParse(Object.fromEntries(keys.map((key) => [key, read(typed[key])])));
  const issues = checked && !result.success ? toIssues(result.error) : [];
  const changed = keys.some((key) => typed[key] !== typedOf(settings)[key]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setChecked(true);
    if (result.success) licences.saveSettings(result.data);
  };
  return (
    <section className="card licences-later" aria-labelledby="basic-title">
      <header className="card-head">
        <h2 id="basic-title">{t('areas.licenses.basic_settings')}</h2>
      </header>
      <form className="card-body stack-wide" noValidate onSubmit={submit}>
        <p className="quiet small">{t('areas.licenses.basic_settings_hint')}</p>
        {keys.map((key) => {
          const issue = issues.find(({ path }) => path[0] === key);
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
                value={typed[key]}
                invalid={issue !== undefined}
                placeholder={t('list.licences.unlimited')}
                aria-describedby={issue ? `${id}-issue` : undefined}
                onChange={(event) => setTyped({ ...typed, [key]: event.target.value })}
              />
            </FieldFrame>
          );
        })}
        <Button type="submit" tone="plain" className="self-start" label={t('areas.licenses.save')} disabled={!changed} loading={licences.busy} />
      </form>
    </section>
  );
}
