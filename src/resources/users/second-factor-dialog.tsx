import { Button } from '#src/components/button.tsx';
import type { User } from '#models/users.ts';
import { Modal } from '#src/components/modal.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import type { ActionProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { useAlerts } from '#src/views/system.ts';

/** Asks once more, then takes away the second factor of somebody who has lost it. */
export default function SecondFactorDialog({ row, close }: ActionProps<User>) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const alerts = useAlerts();
  const request = useRequest('resetSecondFactor', {
    done: () => {
      alerts.send({ type: 'alert.show', alert: { kind: 'success', key: 'areas.users.second_factor.done', params: { name: row.name } } });
      close();
    },
  });
  return (
    <Modal
      title={t('areas.users.actions.reset_second_factor')}
      onDismiss={request.running ? undefined : close}
      footer={
        <>
          <Button tone="plain" label={t('list.cancel')} disabled={request.running} onClick={close} />
          <Button
            tone="danger"
            label={t('areas.users.second_factor.approve')}
            loading={request.running}
            onClick={() => request.run({ params: { id: row.id } })}
          />
        </>
      }
    >
      <p>{t('areas.users.second_factor.question', { name: row.name })}</p>
      {request.problem && (
        <p className="field-issue" role="alert">
          {sayProblem(request.problem)}
        </p>
      )}
    </Modal>
  );
}
