import { z } from 'zod';
import { constants, notificationClasses } from './constants.ts';
import { named } from './define-model.ts';
import { alarmSensors } from './device-alarms.ts';

export type NotificationType = (typeof notificationClasses)[number];
export const significances = ['important', 'normal'] as const;
export type Significance = (typeof significances)[number];

/** Where a notification leads: the notifications screen (all, or the alarms), an announce, a conversation (spec A2.3), one's calls on the home page. */
const popupActions = ['open_notifications', 'open_alarms', 'open_announce', 'open_conversation', 'open_calls'] as const;
const tones = ['info', 'good', 'warn', 'bad'] as const;
const noticeSounds = ['message', 'notice', 'warning'] as const;
export type NoticeSound = (typeof noticeSounds)[number];

/** What a notification speaks of; its words are put around this in the reader's language. */
export const notificationData = z
  .strictObject({
    /** By which an announce is opened. */
    token: z.string().max(200),
    conversation_id: z.uuid(),
    /** Of one that was given up: resuming it settles the matter. */
    integration_id: z.uuid(),
    /** What the announce, the conversation or the integration is called; what is reserved, and when. */
    title: z.string().max(255),
    /** Another person: who wrote, who used an identifier, who processed an alarm. */
    user: named,
    device: named,
    /** A call nobody took; from whom is read anew for each reader, into `title`. */
    call: z.strictObject({ id: z.uuid(), number: z.string().max(64) }),
    /** The group the device hangs in, with the last steps of the way down to it as far as its reader sees them. */
    group: z.string().max(255),
    alarm: z.strictObject({ id: z.uuid(), sensor: z.enum(alarmSensors) }),
    /** The last digits of an identifier, never more. */
    identifier: z.string().max(8),
    status: z.enum(['started', 'stopped', 'expired']),
    has_error: z.boolean(),
    /** So many days are left. */
    days: z.int().min(0),
    /** What a service or a person said, line by line. */
    lines: z.array(z.string().max(500)).max(50),
  })
  .partial();
export type NotificationData = z.infer<typeof notificationData>;

/** What a person may choose for a class: to be told at all, and in which ways. */
const choices = z.strictObject({ show: z.boolean(), sound: z.boolean(), popup: z.boolean(), desktop: z.boolean() });
export type NoticeChoices = z.infer<typeof choices>;
export const noticeWays = ['show', 'sound', 'popup', 'desktop'] as const satisfies readonly (keyof NoticeChoices)[];

/** One notification as its reader has it; sound, popup and desktop are what the reader chose for its class (spec A3). */
export const notification = z.strictObject({
  id: z.uuid(),
  type: z.enum(notificationClasses),
  data: notificationData,
  created_at: z.iso.datetime(),
  /** Null while it is unread. */
  read_at: z.iso.datetime().nullable(),
  significance: z.enum(significances),
  icon: z.string(),
  color: z.enum(tones),
  popup_action: z.enum(popupActions),
  popup: z.boolean(),
  sound: z.enum(noticeSounds).nullable(),
  desktop: z.boolean(),
});
export type Notification = z.infer<typeof notification>;

interface Look {
  significance: Significance;
  icon: `pi-${string}`;
  color: (typeof tones)[number];
  popup_action: (typeof popupActions)[number];
  /** None where something else already sounds: alarms ring by themselves. */
  sound: NoticeSound | null;
  desktop: boolean;
}
const look = (icon: Look['icon'], color: Look['color'], more: Partial<Look> = {}): Look => ({
  significance: 'normal',
  popup_action: 'open_notifications',
  sound: 'notice',
  desktop: false,
  icon,
  color,
  ...more,
});
const alarm = { significance: 'important', popup_action: 'open_alarms', sound: null } as const;
const failed = { color: 'bad', icon: 'pi-times-circle', significance: 'important', sound: 'warning' } as const;

/** How each type looks and sounds unless something is said otherwise. */
const looks: Record<NotificationType, Look> = {
  announce_received: look('pi-megaphone', 'info', { popup_action: 'open_announce', sound: 'message' }),
  announce_status_changed: look('pi-megaphone', 'info', { popup_action: 'open_announce' }),
  conversation_received: look('pi-comments', 'info', { popup_action: 'open_conversation', sound: 'message' }),
  conversation_message_received: look('pi-comment', 'info', { popup_action: 'open_conversation', sound: 'message' }),
  sip_reboot_started: look('pi-sync', 'warn'),
  sip_reboot_completed: look('pi-check-circle', 'good'),
  device_broker_settings_sent: look('pi-send', 'good'),
  user_used_identifier_on_device: look('pi-key', 'info'),
  user_used_revoked_identifier: look('pi-ban', 'bad', { significance: 'important', sound: 'warning', desktop: true }),
  alarm_enabled: look('pi-exclamation-triangle', 'bad', { ...alarm, desktop: true }),
  alarm_disabled: look('pi-bell-slash', 'warn', alarm),
  alarm_processed: look('pi-check', 'good', { ...alarm, significance: 'normal' }),
  integration_stopped: look('pi-link', 'bad', { significance: 'important', sound: 'warning' }),
  broker_certificate_ending: look('pi-shield', 'warn', { significance: 'important', sound: 'warning' }),
  reservation_canceled: look('pi-calendar-times', 'warn', { sound: 'message' }),
  reservation_changed: look('pi-calendar', 'info', { sound: 'message' }),
  call_missed: look('pi-phone', 'warn', { popup_action: 'open_calls' }),
  reservation_reminder: look('pi-calendar-clock', 'info', { sound: 'message' }),
};

/** How a notification looks and sounds; what ended with an error looks like one. */
export const lookOf = (type: NotificationType, { has_error = false }: NotificationData = {}): Look => ({
  ...looks[type],
  ...(has_error && failed),
});

/** Settings as a profile keeps them: only what a person chose otherwise. */
export const notificationSettings = z.strictObject({ acs: z.partialRecord(z.enum(notificationClasses), choices) });
/** All classes with their ways. */
export const allNotificationSettings = z.strictObject({ acs: z.record(z.enum(notificationClasses), choices) });
export type AllNotificationSettings = z.infer<typeof allNotificationSettings>;

/** What somebody chose for a class; for one they said nothing of, what the class does by itself. */
export function choicesFor(stored: Readonly<Record<string, unknown>>, type: NotificationType): NoticeChoices {
  const chosen = choices.safeParse(stored[type]);
  return chosen.success ? chosen.data : { show: true, sound: true, popup: true, desktop: looks[type].desktop };
}

/** Which notifications a page shows: all, those of alarms, the important ones, or those of one type. */
export const notificationFilters = ['all', 'alarm', 'important', ...notificationClasses] as const;
export type NotificationFilter = (typeof notificationFilters)[number];
/** Whether a value is one by which notifications are filtered. */
export const isNotificationFilter = (value: unknown): value is NotificationFilter => (notificationFilters as readonly unknown[]).includes(value);
/** The types that `alarm` stands for. */
export const alarmTypes: readonly NotificationType[] = ['alarm_enabled', 'alarm_disabled', 'alarm_processed'];

const whole = (fallback: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,7}$/)
    .default(String(fallback))
    .refine((value) => Number(value) <= max)
    .meta({ max });
/** What the list call takes behind the question mark. */
export const notificationsQuery = z.strictObject({
  type: z.enum(notificationFilters).default('all'),
  offset: whole(0, 1_000_000),
  limit: whole(constants.notificationsPageSize, 100),
});
export const notificationsPage = z.strictObject({ items: z.array(notification), total: z.int(), unread: z.int() });

/** What bell, menu and stack show. */
export const unreadNotifications = z.strictObject({
  unread: z.int(),
  total: z.int(),
  /** The newest, read or not. */
  latest: z.array(notification).max(constants.notificationMenuSize),
  /** The newest important ones that are unread. */
  important: z.array(notification).max(constants.importantStackSize),
  important_unread: z.int(),
});
export type UnreadNotifications = z.infer<typeof unreadNotifications>;

/** What is to be read from now on: some, or all of a type (all types if none is named). */
export const markRead = z.union([
  z.strictObject({ items: z.array(z.uuid()).min(1).max(500) }),
  z.strictObject({ all: z.literal(true), type: z.enum(notificationFilters).default('all') }),
]);
