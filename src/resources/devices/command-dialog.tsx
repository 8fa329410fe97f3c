import { useState } from 'react';
import type { CallName } from '#models/api.ts';
import type { Device } from '#models/devices.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import type { ActionProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { useAlerts } from '#src/views/system.ts';

/** What one can tell a device to do, and the call that does it. */
const commands = {
  apply_settings: 'applyDeviceSettings',
  synchronise: 'synchroniseDevice',
  reinit: 'reinitDevice',
  restart: 'restartDevice',
  retry_queue: 'retryDeviceTasks',
  init: 'initDevice',
} as const satisfies Record<string, CallName>;
type Command = keyof typeof commands;

/** Says what a command does to the device and what it does not, and then does it. */
function CommandDialog({ command, row, close, reload }: ActionProps<Device> & { command: Command }) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const alerts = useAlerts();
  const [erase, setErase] = useState(false);
  const request = useRequest(commands[command], {
    done: () => {
      const words = row.status === 'online' ? 'areas.devices.command.queued' : 'areas.devices.command.waits';
      alerts.send({ type: 'alert.show', alert: { kind: 'success', key: words, params: { name: row.name } } });
      reload();
      close();
    },
  });
  const run = () => request.run({ params: { id: row.id }, ...(command === 'init' && { body: { erase } }) });
  return (
    <Modal
      title={t(`areas.devices.command.${command}.title`, { name: row.name })}
      onDismiss={request.running ? undefined : close}
      footer={
        <>
          <Button tone="plain" label={t('list.cancel')} disabled={request.running} onClick={close} />
          <Button
            tone={command === 'reinit' || erase ? 'danger' : 'primary'}
            label={t(`areas.devices.actions.${command}`)}
            loading={request.running}
            onClick={run}
          />
        </>
      }
    >
      <div className="stack">
        <p>{t(`areas.devices.command.${command}.does`)}</p>
        <p className="quiet">{t(`areas.devices.command.${command}.keeps`)}</p>
        {command === 'init' && (
          <label className="field-flag">
            <input type="checkbox" className="check" checked={erase} onChange={(event) => setErase(event.target.checked)} />
            <span>{t('areas.devices.command.erase')}</span>
          </label>
        )}
        {row.status !== 'online' && <p className="quiet">{t('areas.devices.command.offline')}</p>}
        {request.problem && (
          <p className="field-issue" role="alert">
            {sayProblem(request.problem)}
          </p>
        )}
      </div>
    </Modal>
  );
}

const dialogFor = (command: Command) =>
  function Asked(props: ActionProps<Device>) {
    return <CommandDialog command={command} {...props} />;
  };

export const ApplySettings = dialogFor('apply_settings');
export const Synchronise = dialogFor('synchronise');
export const Reinit = dialogFor('reinit');
export const Restart = dialogFor('restart');
export const RetryQueue = dialogFor('retry_queue');
export const Init = dialogFor('init');
