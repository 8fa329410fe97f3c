import { boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { alertDeviceTypes, EmergencyAlertStatus } from '#models/emergency-alerts.ts';
import { moment, stamps } from './columns.ts';
import { groups, projects, users } from './people.ts';

/** What people are told in an emergency. */
export const emergencyAlerts = pgTable(
  'emergency_alerts',
  {
    ...stamps,
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    message: text('message').notNull(),
    deviceType: text('device_type').$type<(typeof alertDeviceTypes)[number]>().notNull().default('monitor'),
    playbackDuration: integer('playback_duration').notNull().default(60),
    openLocks: boolean('open_locks').notNull().default(false),
    soundFile: uuid('sound_file'),
    filename: text('filename'),
    status: text('status').$type<EmergencyAlertStatus>().notNull().default('new'),
    isDrill: boolean('is_drill').notNull().default(false),
    startedAt: moment('started_at'),
    endedAt: moment('ended_at'),
  },
  (table) => [index('emergency_alerts_project').on(table.projectId, table.name)],
);

const alertId = uuid('alert_id')
  .notNull()
  .references(() => emergencyAlerts.id, { onDelete: 'cascade' });

/** The groups whose people, devices and doors an alert concerns, with all below them. */
export const emergencyAlertGroups = pgTable(
  'emergency_alert_groups',
  {
    alertId,
    groupId: uuid('group_id')
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.alertId, table.groupId] }), index('emergency_alert_groups_back').on(table.groupId)],
);

/** Whom it went to, the last time it was started, and what they said. */
export const emergencyAlertRecipients = pgTable(
  'emergency_alert_recipients',
  {
    alertId,
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    seenAt: moment('seen_at'),
    safeAt: moment('safe_at'),
  },
  (table) => [primaryKey({ columns: [table.alertId, table.userId] }), index('emergency_alert_recipients_back').on(table.userId)],
);
