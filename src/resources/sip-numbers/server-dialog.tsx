import { type ReactNode, useEffect } from 'react';
import { phoneServerForm } from '#models/forms/phone-server.ts';
import { Button } from '#src/components/button.tsx';
import { LineField } from '#src/components/fields/line-field.tsx';
import { Modal } from '#src/components/modal.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { type FormOf, issueOf, useForm } from '#src/views/use-form.ts';

/** Host, port, realm and transport of another server, with what is wrong in them. */
function ServerFields({ form: { draft, issues, change } }: { form: FormOf<typeof phoneServerForm> }) {
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

/** With which SIP server the web phones of the project register: the console's own, or somebody else's. */
export default function PhoneServerDialog({ mayChange, onClose }: { mayChange: boolean; onClose: () => void }) {
  const { t } = useText();
  const read = useRequest('phoneServer');
  const { run } = read;
  useEffect(() => run({}), [run]);
  const form = useForm(phoneServerForm, read.answer?.server ?? null, onClose);
  const problem = form.problem ?? read.problem;
  const choice = (other: boolean): ReactNode => (
    <label className="field-flag">
      <input type="radio" name="which" checked={form.draft.isOther === other} onChange={() => form.change({ isOther: other })} />
      <span>{t(`areas.sip-numbers.server.${other ? 'other' : 'own'}`)}</span>
    </label>
  );
  return (
    <Modal
      title={t('areas.sip-numbers.server.title')}
      onDismiss={form.running ? undefined : onClose}
      footer={
        <>
          <Button tone="plain" label={t('list.cancel')} disabled={form.running} onClick={onClose} />
          {mayChange && <Button label={t('areas.sip-numbers.server.save')} disabled={!read.done} loading={form.running} onClick={form.save} />}
        </>
      }
    >
      <ProblemNote problem={problem} />
      {read.done ? (
        <fieldset className="field-block stack" disabled={!mayChange} aria-label={t('areas.sip-numbers.server.which')}>
          {choice(false)}
          {choice(true)}
          {form.draft.isOther && <ServerFields form={form} />}
          <p className="quiet small">{t('areas.sip-numbers.server.note')}</p>
        </fieldset>
      ) : (
        !problem && <SkeletonLines label={t('areas.sip-numbers.server.title')} />
      )}
    </Modal>
  );
}
