import type { Ukey2 } from '#models/ukey2.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import type { ActionProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';

/** Takes a mobile key back for good, saying what that means. */
export default function RevokeKey({ row, close, reload }: ActionProps<Ukey2>) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const request = useRequest('revokeUkey2', {
    done: () => {
      reload();
      close();
    },
  });
  return (
    <Modal
      title={t('areas.ukey2.revoke.title', { name: row.name })}
      onDismiss={request.running ? undefined : close}
      footer={
        <>
          <Button tone="plain" label={t('list.cancel')} disabled={request.running} onClick={close} />
          <Button
            tone="danger"
            label={t('areas.ukey2.actions.revoke')}
            loading={request.running}
            onClick={() => request.run({ params: { id: row.id } })}
          />
        </>
      }
    >
      <p>{t('areas.ukey2.revoke.does')}</p>
      {request.problem && (
        <p className="field-issue" role="alert">
          {sayProblem(request.problem)}
        </p>
      )}
    </Modal>
  );
}
