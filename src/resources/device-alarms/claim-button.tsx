import type { DeviceAlarm } from '#models/device-alarms.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { useAlerts, useWorkspace } from '#src/views/system.ts';

/** Takes an alarm on; if somebody was first, says who. */
export function ClaimButton({ alarm, reload }: { alarm: DeviceAlarm; reload?: (() => void) | undefined }) {
  const { t } = useText();
  const alerts = useAlerts();
  const workspace = useWorkspace();
  const again = (): void => {
    workspace.send({ type: 'rows.changed', area: 'device-alarms' });
    reload?.();
  };
  const request = useRequest('claimAlarm', {
    done: again,
    failed: (problem) => {
      alerts.send({ type: 'alert.show', alert: { kind: 'error', problem } });
      again();
    },
  });
  return (
    <Button
      small
      label={t('areas.device-alarms.actions.claim')}
      loading={request.running}
      onClick={(event) => {
        event.stopPropagation();
        request.run({ params: { alarm_id: alarm.alarm_id } });
      }}
    />
  );
}
