import { Button } from '#src/components/button.tsx';
import type { User } from '#models/users.ts';
import { Modal } from '#src/components/modal.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import type { ActionProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { useAlerts } from '#src/views/system.ts';

/** Asks once more, then sends the registration link to the person's address. */
export default function RegistrationDialog({ row, close }: ActionProps<User>) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const alerts = useAlerts();
  const request = useRequest('registrationLink', {
    done: () => {
      alerts.send({ type: 'alert.show', alert: { kind: 'success', key: 'areas.users.registration.sent', params: { email: row.email ?? '' } } });
      close();
    },
  });
  return (
    <Modal
      title={t('areas.users.actions.registration_link')}
      onDismiss={request.running ? undefined : close}
      footer={
        <>
          <Button tone="plain" label={t('list.cancel')} disabled={request.running} onClick={close} />
          <Button label={t('areas.users.registration.send')} loading={request.running} onClick={() => request.run({ params: { id: row.id } })} />
        </>
      }
    >
      <p>{t('areas.users.registration.question', { name: row.name, email: row.email })}</p>
      {request.problem && (
        <p className="field-issue" role="alert">
          {sayProblem(request.problem)}
        </p>
      )}
    </Modal>
  );
}
