import type { GuestIdentifier } from '#models/guest-access.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import type { ActionProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';

/** Takes a guest's key back, saying what that means. */
export default function RevokeGuest({ row, close, reload }: ActionProps<GuestIdentifier>) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const request = useRequest('revokeGuest', {
    done: () => {
      reload();
      close();
    },
  });
  return (
    <Modal
      title={t('areas.guest-identifiers.revoke.title', { name: row.name })}
      onDismiss={request.running ? undefined : close}
      footer={
        <>
          <Button tone="plain" label={t('list.cancel')} disabled={request.running} onClick={close} />
          <Button
            tone="danger"
            label={t('areas.guest-identifiers.actions.revoke')}
            loading={request.running}
            onClick={() => request.run({ params: { id: row.id } })}
          />
        </>
      }
    >
      <p>{t('areas.guest-identifiers.revoke.does')}</p>
      {request.problem && (
        <p className="field-issue" role="alert">
          {sayProblem(request.problem)}
        </p>
      )}
    </Modal>
  );
}
