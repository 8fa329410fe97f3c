import type { DeviceEvent, DeviceEventType } from '#models/device-events.ts';

const icons: Readonly<Record<DeviceEventType, `pi-${string}`>> = {
  access_granted: 'pi-check-circle',
  access_denied: 'pi-ban',
  door_opened: 'pi-lock-open',
  door_closed: 'pi-lock',
  door_held: 'pi-stopwatch',
  door_forced: 'pi-exclamation-triangle',
  opened_remotely: 'pi-lock-open',
  exit_button: 'pi-sign-out',
  call_started: 'pi-phone',
  call_answered: 'pi-phone',
  call_missed: 'pi-phone',
  call_ended: 'pi-phone',
  online: 'pi-wifi',
  offline: 'pi-power-off',
  rebooted: 'pi-refresh',
  settings_applied: 'pi-cog',
  synchronised: 'pi-sync',
  tampered: 'pi-exclamation-triangle',
  sos: 'pi-exclamation-circle',
  alarm: 'pi-bell',
  elevator_called: 'pi-sort-alt',
  elevator_arrived: 'pi-sort-alt',
};
/** The icon of a kind of event. */
export const typeIconOf = (type: DeviceEventType): `pi-${string}` => icons[type];

/** The colour that goes with the words: good for what was let in, warning for what was refused, danger for what is urgent. */
export function toneOf({ type, priority }: Pick<DeviceEvent, 'type' | 'priority'>): 'good' | 'warn' | 'bad' | 'plain' {
  if (priority === 'critical' || priority === 'high') return 'bad';
  if (type === 'access_granted') return 'good';
  return priority === 'medium' ? 'warn' : 'plain';
}
