import { z } from 'zod';
import { conversationCalls } from './conversation-calls.ts';
import { call } from './define-call.ts';
import { alarmComment, byAlarm, deviceAlarms } from './device-alarms.ts';
import {
  allNotificationSettings,
  markRead,
  notificationSettings,
  notificationsPage,
  notificationsQuery,
  unreadNotifications,
} from './notifications.ts';

/** What watches over a building besides lists: the alarms' desk, one's own notifications, and what people write to each other. */
export const watchCalls = {
  ...conversationCalls,

  claimAlarm: call({
    method: 'POST',
    path: '/device-alarms/{alarm_id}/claim',
    access: { area: 'device-alarms', verb: 'edit' },
    urgent: true,
    summary: 'Acknowledge an alarm; returns it. Refused with the name of the user who was first',
    params: byAlarm,
    answer: deviceAlarms.row,
  }),
  processAlarm: call({
    method: 'POST',
    path: '/device-alarms/{alarm_id}/process',
    access: { area: 'device-alarms', verb: 'edit' },
    urgent: true,
    summary: 'Resolve an alarm with a comment; once',
    params: byAlarm,
    body: z.strictObject({ comment: alarmComment }),
    answer: deviceAlarms.row,
  }),

  unreadNotifications: call({
    method: 'GET',
    path: '/notifications/unread',
    access: 'signedIn',
    summary: 'Number of unread notifications, the newest ones, and the unread important ones',
    answer: unreadNotifications,
  }),
  notifications: call({
    method: 'GET',
    path: '/notifications',
    access: 'signedIn',
    summary: 'Own notifications of a type, newest first',
    query: notificationsQuery,
    answer: notificationsPage,
  }),
  readNotifications: call({
    method: 'POST',
    path: '/notifications/read',
    access: 'signedIn',
    urgent: true,
    summary: 'Mark own notifications as read, some or all',
    body: markRead,
  }),
  notificationSettings: call({
    method: 'GET',
    path: '/notifications/settings',
    access: 'signedIn',
    summary: 'Notification settings for each type of event',
    answer: allNotificationSettings,
  }),
  saveNotificationSettings: call({
    method: 'POST',
    path: '/notifications/settings',
    access: 'signedIn',
    summary: 'Change the notification settings of the given types; returns all of them',
    body: notificationSettings,
    answer: allNotificationSettings,
  }),
} as const;
