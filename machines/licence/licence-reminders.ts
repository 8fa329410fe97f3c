import { constants } from '#models/constants.ts';
import type { LicenceStatusReport, LicenceReminder } from '#models/licences.ts';
import type { CalendarTime } from '#models/time.ts';
import { clockAt, momentAt, type Zone } from '#models/zone.ts';
import type { Alert } from '../alerts/alert.machine.ts';

const daysBetweenReminders = { once: Number.POSITIVE_INFINITY, everyday: 1, every_week: 7, every_30_days: 30 } as const;

/** The beginning of the day a moment (seconds since 1970) falls on, where the person lives. */
const dayOf = (at: number, zone: Zone): CalendarTime => clockAt(zone, at * 1_000).startOf('day');
const daysUntil = (end: number, at: number, zone: Zone): number => dayOf(end, zone).diff(dayOf(at, zone), 'day');

/** What a reminder is about: whoever closes it has closed that, not what comes later. */
const topicOf = ({ group, status, ends_at }: LicenceReminder): string => `licence ${group?.id ?? 'project'} ${status} ${ends_at}`;

/** Topics of reminders the person has closed, each with the moment (seconds since 1970). */
export type ClosedReminders = Readonly<Record<string, number>>;

function isDue(reminder: LicenceReminder, closed: ClosedReminders, at: number, zone: Zone): boolean {
  const closedAt = closed[topicOf(reminder)];
  return closedAt === undefined || daysUntil(at, closedAt, zone) >= daysBetweenReminders[reminder.mode];
}

/** How a reminder is said. Of the project by the catalogue's own messages, of a group with its name. */
function messageOf({ group, status, ends_at, features_end_at }: LicenceReminder, at: number, zone: Zone): Pick<Alert, 'key' | 'params' | 'problem'> {
  const isOver = at >= features_end_at;
  const days = Math.max(0, daysUntil(status === 'will_expire' ? ends_at : features_end_at, at, zone));
  if (group) {
    const name = { group: group.name };
    if (isOver) return { key: 'interface.licences.group_over', params: name };
    return days === 0
      ? { key: 'interface.licences.group_expires_today', params: name }
      : { key: 'interface.licences.group_expires_in_days', params: { ...name, count: days } };
  }
  if (isOver) return { key: 'interface.licences.features_off' };
  if (status === 'will_expire')
    return { problem: days === 0 ? { code: 'licence_expires_today' } : { code: 'licence_expires_in_days', data: { days } } };
  return { problem: days === 0 ? { code: 'features_off_today' } : { code: 'features_off_in_days', data: { days } } };
}

/** A message in the alerts area, by its topic. */
export type Messages = Readonly<Record<string, Omit<Alert, 'replyTo'>>>;

/** A project without licences has no end to name: it is said once a day. */
const noLicence = 'licence project none';

/** The messages that must stand now: those due, each to stay until it is closed. */
export function dueMessages({ status, reminders, at }: LicenceStatusReport, closed: ClosedReminders, zone: Zone): Messages {
  const stays = (topic: string, message: Pick<Alert, 'key' | 'params' | 'problem'>) =>
    [topic, { kind: 'warning', topic, duration: constants.alertStays, ...message }] as const;
  const closedAt = closed[noLicence];
  const saysNone = status === 'no_license' && (closedAt === undefined || daysUntil(at, closedAt, zone) >= daysBetweenReminders.everyday);
  return Object.fromEntries([
    ...(saysNone ? [stays(noLicence, { key: 'interface.licences.none' })] : []),
    ...reminders.filter((reminder) => isDue(reminder, closed, at, zone)).map((reminder) => stays(topicOf(reminder), messageOf(reminder, at, zone))),
  ]);
}

/** The server's second has begun by then, whatever the clocks make of a millisecond. */
const margin = 100;

/** Milliseconds until the licence status is another by itself: at the person's midnight, or when something begins or ends before that. */
export function nextLook({ at, changes_at }: LicenceStatusReport, zone: Zone): number {
  const midnight = momentAt(zone, dayOf(at, zone).add(1, 'day').valueOf()) / 1_000;
  return (Math.min(midnight, changes_at ?? midnight) - at) * 1_000 + margin;
}
