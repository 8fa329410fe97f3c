import { useEffect } from 'react';
import type { Device } from '#models/devices.ts';
import { hasDoor } from '#models/device-models.ts';
import { mayAct } from '#models/permissions.ts';
import { useProblemText, useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { actorOf, useProfile } from '../profile-of.ts';
import { HoldButton } from '#src/components/hold-button.tsx';
import './devices.css';

/** How an attempt to open stands, in one word. */
function stateOf({ running, answer, problem }: ReturnType<typeof useRequest<'openDoor'>>): 'idle' | 'sent' | 'confirmed' | 'unconfirmed' | 'failed' {
  if (running) return 'sent';
  if (problem) return 'failed';
  return answer?.outcome ?? 'idle';
}
const icons = { sent: 'pi-spin pi-spinner', confirmed: 'pi-check-circle', unconfirmed: 'pi-question-circle', failed: 'pi-times-circle' } as const;

/**
 * Opens the door behind a device: held, not pressed. What follows is said as it happens: sent, then confirmed by the device
 * itself, or that it did not confirm within 5 s. Nothing stands here for those who may not open it.
 */
export function OpenDoor({ device }: { device: Pick<Device, 'id' | 'type' | 'model' | 'status' | 'protocol'> }) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const doors = useRequest('conciergeDevices');
  const open = useRequest('openDoor');
  const { run } = doors;
  const mayOpen = mayAct(actorOf(useProfile()), 'openDoors');
  useEffect(() => {
    if (mayOpen && hasDoor(device)) run({});
    // oxlint-disable-next-line react/exhaustive-deps -- once for a device
  }, [device.id, mayOpen, run]);
  const token = doors.answer?.find(({ id }) => id === device.id)?.token;
  if (!mayOpen || !token) return null;
  const state = stateOf(open);
  return (
    <div className="open-door">
      <HoldButton
        icon="pi-lock-open"
        label={t('areas.devices.door.open')}
        holding={t('areas.devices.door.holding')}
        hint={t('areas.devices.door.hold')}
        disabled={open.running || device.protocol === 'none'}
        onHeld={() => open.run({ body: { token } })}
      />
      <p className="door-result" data-state={state} role="status">
        {state === 'idle' ? (
          <span className="quiet">{t('areas.devices.door.hold')}</span>
        ) : (
          <>
            <i className={`pi ${icons[state]}`} aria-hidden="true" />
            {state === 'failed' && open.problem ? sayProblem(open.problem) : t(`areas.devices.door.${state}`)}
          </>
        )}
      </p>
    </div>
  );
}
