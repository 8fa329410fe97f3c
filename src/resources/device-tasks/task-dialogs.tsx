import type { DeviceTask } from '#models/device-tasks.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import type { ActionProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';

function TaskDialog({ verb, row, close, reload }: ActionProps<DeviceTask> & { verb: 'stop' | 'retry' }) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const request = useRequest(verb === 'stop' ? 'stopDeviceTask' : 'retryDeviceTask', {
    done: () => {
      reload();
      close();
    },
  });
  const name = t(`areas.device-tasks.options.kind.${row.kind}`);
  return (
    <Modal
      title={t(`areas.device-tasks.${verb}.title`, { name, device: row.device?.name ?? '' })}
      onDismiss={request.running ? undefined : close}
      footer={
        <>
          <Button tone="plain" label={t('list.cancel')} disabled={request.running} onClick={close} />
          <Button
            tone={verb === 'stop' ? 'danger' : 'primary'}
            label={t(`areas.device-tasks.actions.${verb}`)}
            loading={request.running}
            onClick={() => request.run({ params: { id: row.id } })}
          />
        </>
      }
    >
      <p>{t(`areas.device-tasks.${verb}.does`)}</p>
      {request.problem && (
        <p className="field-issue" role="alert">
          {sayProblem(request.problem)}
        </p>
      )}
    </Modal>
  );
}

/** Gives a task up, saying what that can no longer undo. */
export const StopTask = (props: ActionProps<DeviceTask>) => <TaskDialog verb="stop" {...props} />;
/** Puts a failed task into the queue again. */
export const RetryTask = (props: ActionProps<DeviceTask>) => <TaskDialog verb="retry" {...props} />;
