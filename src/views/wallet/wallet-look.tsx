import { useId } from 'react';
import { walletLookForm } from '#models/forms/wallet-look.ts';
import type { WalletLook, WalletSettings } from '#models/wallet.ts';
import { Button } from '#src/components/button.tsx';
import { describedBy, FieldFrame } from '#src/components/fields/field-frame.tsx';
import { LineField } from '#src/components/fields/line-field.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { type FormOf, issueOf, useForm } from '../use-form.ts';
import { useSubmit } from '../use-submit.ts';

type Form = FormOf<typeof walletLookForm>;
const lines = ['developer_name', 'barcode_text', 'back_fields'] as const;
const colors = ['background_color', 'foreground_color', 'label_color'] as const;

function ColorOf({ field, form: { draft, issues, change } }: { field: (typeof colors)[number]; form: Form }) {
  const words = useText();
  const id = useId();
  const issue = issueOf(issues, field);
  const said = issue && sayIssue(words, issue);
  const label = words.t(`areas.wallet.fields.${field}`);
  return (
    <FieldFrame id={id} path={field} label={label} issue={said} required={false}>
      <input
        id={id}
        type="color"
        value={draft[field]}
        aria-describedby={describedBy(id, undefined, said)}
        onChange={({ target }) => change({ [field]: target.value })}
      />
    </FieldFrame>
  );
}

/** How passes look: texts and colours, for the whole project. */
export function WalletLookForm({ look, adopt }: { look: WalletLook; adopt: (settings: WalletSettings) => void }) {
  const { t } = useText();
  const form = useForm(walletLookForm, look, (saved) => adopt(saved));
  const submit = useSubmit(form);
  return (
    <form className="wallet-look" {...submit}>
      <ProblemNote problem={form.problem} />
      {lines.map((key) => (
        <LineField
          key={key}
          field={key}
          label={t(`areas.wallet.fields.${key}`)}
          hint={t(`areas.wallet.hints.${key}`)}
          value={form.draft[key]}
          issue={issueOf(form.issues, key)}
          required={false}
          inputMode="text"
          onChange={(value) => form.change({ [key]: value })}
        />
      ))}
      <div className="wallet-colors">
        {colors.map((key) => (
          <ColorOf key={key} field={key} form={form} />
        ))}
      </div>
      <Button type="submit" tone="plain" className="self-start" label={t('areas.wallet.save')} disabled={!form.changed} loading={form.running} />
    </form>
  );
}
