import { useEffect } from 'react';
import { phoneServerForm } from '#models/forms/phone-server.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { ServerFields } from '#src/views/phone-server/server-fields.tsx';
import { useForm } from '#src/views/use-form.ts';

/** With which SIP server the web phones of the project register: the console's own, or somebody else's. */
export default function PhoneServerDialog({ mayChange, onClose }: { mayChange: boolean; onClose: () => void }) {
  const { t } = useText();
  const read = useRequest('phoneServer');
  const { run } = read;
  useEffect(() => run({}), [run]);
  const form = useForm(phoneServerForm, read.answer?.server ?? null, onClose);
  const problem = form.problem ?? read.problem;
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
          <ServerFields form={form} />
        </fieldset>
      ) : (
        !problem && <SkeletonLines label={t('areas.sip-numbers.server.title')} />
      )}
    </Modal>
  );
}
