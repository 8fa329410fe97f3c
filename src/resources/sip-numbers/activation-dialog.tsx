import type { SipNumber } from '#models/sip-numbers.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import type { ActionProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';

/** Switches a number on or off, saying what that means for its calls. */
export default function ActivationDialog({ row, close, reload }: ActionProps<SipNumber>) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const verb = row.is_active ? 'deactivate' : 'activate';
  const request = useRequest('activateNumber', {
    done: () => {
      reload();
      close();
    },
  });
  return (
    <Modal
      title={t(`areas.sip-numbers.${verb}.title`, { number: row.number })}
      onDismiss={request.running ? undefined : close}
      footer={
        <>
          <Button tone="plain" label={t('list.cancel')} disabled={request.running} onClick={close} />
          <Button
            tone={row.is_active ? 'danger' : 'primary'}
            label={t(`areas.sip-numbers.actions.${verb}`)}
            loading={request.running}
            onClick={() => request.run({ params: { id: row.id }, body: { is_active: !row.is_active } })}
          />
        </>
      }
    >
      <p>{t(`areas.sip-numbers.${verb}.does`)}</p>
      {request.problem && (
        <p className="field-issue" role="alert">
          {sayProblem(request.problem)}
        </p>
      )}
    </Modal>
  );
}
