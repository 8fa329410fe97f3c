import type { DeviceAlarm } from '#models/device-alarms.ts';
import ProcessDialog from '#src/views/alarms/process-dialog.tsx';
import type { ActionProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { useAlerts } from '#src/views/system.ts';

/** Processes an alarm from its row or its page. */
export default function ProcessAlarm({ row, close, reload }: ActionProps<DeviceAlarm>) {
  const alerts = useAlerts();
  const request = useRequest('processAlarm', {
    done: () => {
      alerts.send({ type: 'alert.show', alert: { kind: 'success', key: 'interface.done' } });
      reload();
      close();
    },
    failed: reload,
  });
  return (
    <ProcessDialog
      alarm={row}
      busy={request.running}
      problem={request.problem}
      onSave={(comment) => request.run({ params: { alarm_id: row.alarm_id }, body: { comment } })}
      onClose={close}
    />
  );
}
