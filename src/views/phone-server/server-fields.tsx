import type { phoneServerForm } from '#models/forms/phone-server.ts';
import { LineField } from '#src/components/fields/line-field.tsx';
import { useText } from '#src/components/text.ts';
import { type FormOf, issueOf } from '../use-form.ts';

type Form = FormOf<typeof phoneServerForm>;

/** Host, port, realm and transport of another server, with what is wrong in them. */
function OtherServer({ form: { draft, issues, change } }: { form: Form }) {
  const { t } = useText();
  return (
    <>
      {(['host', 'port', 'realm'] as const).map((key) => (
        <LineField
          key={key}
          field={key}
          label={t(`areas.sip-numbers.server.${key}`)}
          hint={t(`areas.sip-numbers.server.hints.${key}`)}
          value={draft[key]}
          issue={issueOf(issues, key)}
          required={key !== 'realm'}
          inputMode={key === 'port' ? 'numeric' : 'url'}
          onChange={(value) => change({ [key]: value })}
        />
      ))}
      <label className="field-flag">
        <input type="checkbox" className="check" checked={draft.secure} onChange={(event) => change({ secure: event.target.checked })} />
        <span>{t('areas.sip-numbers.server.secure')}</span>
      </label>
      <p className="quiet small">{t('areas.sip-numbers.server.hints.secure')}</p>
    </>
  );
}

/** Which SIP server web phones register with: the console's own, or another one. */
export function ServerFields({ form }: { form: Form }) {
  const { t } = useText();
  return (
    <>
      {[false, true].map((other) => (
        <label key={String(other)} className="field-flag">
          <input type="radio" name="which" checked={form.draft.isOther === other} onChange={() => form.change({ isOther: other })} />
          <span>{t(`areas.sip-numbers.server.${other ? 'other' : 'own'}`)}</span>
        </label>
      ))}
      {form.draft.isOther && <OtherServer form={form} />}
      <p className="quiet small">{t('areas.sip-numbers.server.note')}</p>
    </>
  );
}
