import { type Device, deviceCodes } from '#models/devices.ts';
import { hasPermission } from '#models/permissions.ts';
import type { Profile } from '#models/profile.ts';
import { useText } from '#src/components/text.ts';
import { actorOf } from '../profile-of.ts';
import { useIsOutdated } from '../system.ts';
import './devices.css';

/** The word for how a device stands: one with no protocol is only kept in the books. */
const wordOf = (status: Device['status'], protocol: Device['protocol']): 'online' | 'offline' | 'unheard' | 'none' => {
  if (protocol === 'none') return 'none';
  return status ?? 'unheard';
};

/** Whether a person is told if devices answer. */
export const seesStatus = (profile: Profile): boolean => hasPermission(actorOf(profile), deviceCodes.status);

/** Whether a device answers: the word first, a dot beside it; without word of changes, how it stood last. */
export function StatusMark({ status, protocol }: Pick<Device, 'status' | 'protocol'>) {
  const { t } = useText();
  const isOutdated = useIsOutdated();
  const word = wordOf(status, protocol);
  const isPast = isOutdated && (word === 'online' || word === 'offline');
  return (
    <span className="status-mark" data-status={word} data-past={isPast || undefined}>
      {t(`areas.devices.states.${isPast ? 'was_' : ''}${word}`)}
    </span>
  );
}
