import { z } from 'zod';
import { byId, call } from './define-call.ts';
import { alarmComment, deviceAlarms } from './device-alarms.ts';
import {
  allNotificationSettings,
  markRead,
  notificationSettings,
  notificationsPage,
  notificationsQuery,
  unreadNotifications,
} from './notifications.ts';

/** What watches over a building besides lists: the alarms' desk, and one's own notifications. */
export const watchCalls = {
  claimAlarm: call({
    method: 'POST',
    path: '/device-alarms/{id}/claim',
    access: { area: 'device-alarms', verb: 'edit' },
    summary: 'Take an alarm on, for all to see; answers it. Refused with the name of whoever was first',
    params: byId,
    answer: deviceAlarms.row,
  }),
  processAlarm: call({
    method: 'POST',
    path: '/device-alarms/{id}/process',
    access: { area: 'device-alarms', verb: 'edit' },
    summary: 'Say that an alarm was seen to, and how; once',
    params: byId,
    body: z.strictObject({ comment: alarmComment }),
    answer: deviceAlarms.row,
  }),

  unreadNotifications: call({
    method: 'GET',
    path: '/notifications/unread',
    access: 'signedIn',
    summary: 'How many notifications are unread, the newest ones, and the important ones among the unread',
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
    summary: 'Mark own notifications as read, some or all',
    body: markRead,
  }),
  notificationSettings: call({
    method: 'GET',
    path: '/notifications/settings',
    access: 'signedIn',
    summary: 'How one wants to be told of each class',
    answer: allNotificationSettings,
  }),
  saveNotificationSettings: call({
    method: 'POST',
    path: '/notifications/settings',
    access: 'signedIn',
    summary: 'Choose how to be told of the classes named; answers all of them',
    body: notificationSettings,
    answer: allNotificationSettings,
  }),
} as const;
