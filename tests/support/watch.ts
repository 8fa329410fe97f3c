import type { DeviceAlarm } from '#models/device-alarms.ts';
import { lookOf, type Notification, type NotificationType, type UnreadNotifications } from '#models/notifications.ts';
import type { Profile } from '#models/profile.ts';
import { anna, uuid } from './people.ts';

/** Anna, who sits at the desk: she sees alarms and processes them. */
export const deskAnna: Profile = {
  ...anna,
  role: {
    id: uuid(2),
    name: 'Concierge',
    permissions: ['can_view_all_devices', 'can_view_device_alarms', 'can_process_device_alarms'],
    available_roles: [],
  },
};
export const boris = { id: uuid(8), name: 'Boris' };

/** An alarm as the server has it: tripped and unclaimed unless something else is said. */
export const alarm = (number: number, more: Partial<DeviceAlarm> = {}): DeviceAlarm => ({
  id: uuid(100 + number),
  alarm_id: uuid(100 + number),
  version: 1,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  device: { id: uuid(50), name: 'Lobby' },
  device_name: 'Lobby',
  group: { id: uuid(3), name: 'Riverside' },
  path: ['Riverside'],
  sensor: 'smoke',
  state: 'enabled',
  enabled_at: `2026-01-01T00:00:0${number}.000Z`,
  disabled_at: null,
  claimed_by: null,
  claimed_at: null,
  processed_by: null,
  processed_at: null,
  comment: null,
  ...more,
});
/** The same after somebody has taken it on, or processed it. */
export const claimedBy = (person: { id: string; name: string }, number = 1): DeviceAlarm =>
  alarm(number, { version: 2, claimed_by: person, claimed_at: '2026-01-01T00:01:00.000Z' });
export const processedBy = (person: { id: string; name: string }, number = 1): DeviceAlarm => ({
  ...claimedBy(person, number),
  version: 3,
  state: 'processed',
  processed_by: person,
  processed_at: '2026-01-01T00:02:00.000Z',
});

/** A notification as its reader has it, from the given second on; unread unless something else is said. */
export function notice(number: number, type: NotificationType = 'announce_received', more: Partial<Notification> = {}): Notification {
  const { significance, icon, color, popup_action, sound, desktop } = lookOf(type, more.data);
  return {
    id: uuid(200 + number),
    type,
    data: { title: `News ${number}` },
    created_at: `2026-01-01T00:00:${String(number).padStart(2, '0')}.000Z`,
    read_at: null,
    significance,
    icon,
    color,
    popup_action,
    popup: true,
    sound,
    desktop,
    ...more,
  };
}

/** What bell, menu and stack show of these, the newest first. */
export function inboxOf(...notices: Notification[]): UnreadNotifications {
  const unread = notices.filter(({ read_at }) => read_at === null);
  const important = unread.filter(({ significance }) => significance === 'important');
  return {
    unread: unread.length,
    total: notices.length,
    latest: notices.slice(0, 5),
    important: important.slice(0, 3),
    important_unread: important.length,
  };
}
