import { sql } from 'drizzle-orm';
import { boolean, doublePrecision, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { DenialReason, DeviceEventType, IdentifierType } from '#models/device-events.ts';
import type { DeviceTaskKind, DeviceTaskStatus } from '#models/device-tasks.ts';
import { moment, stamps } from './columns.ts';
import { groups, projects } from './people.ts';

const projectId = uuid('project_id')
  .notNull()
  .references(() => projects.id, { onDelete: 'cascade' });

/** Panels, monitors, controllers, cameras and barriers. Columns named cipher hold secrets sealed under the installation's own. */
export const devices = pgTable(
  'devices',
  {
    ...stamps,
    projectId,
    domainId: uuid('domain_id')
      .notNull()
      .references(() => groups.id),
    name: text('name').notNull(),
    description: text('description'),
    type: text('type').notNull(),
    model: text('model').notNull(),
    /** The serial number. */
    login: text('login').notNull(),
    ipAddress: text('ip_address'),
    port: integer('port').notNull().default(80),
    passwordCipher: text('password_cipher'),
    deviceLogin: text('device_login'),
    devicePasswordCipher: text('device_password_cipher'),
    sipPasswordCipher: text('sip_password_cipher'),
    protocol: text('protocol').notNull().default('http'),
    latitude: doublePrecision('latitude'),
    longitude: doublePrecision('longitude'),
    getLogs: boolean('get_logs').notNull().default(false),
    management: jsonb('management').$type<{ heartbeat: boolean; realtime_logging: boolean }>().notNull(),
    /** device_settings without their secrets. */
    settings: jsonb('settings').$type<Record<string, unknown>>().notNull(),
    /** Null until the device was heard for the first time. */
    online: boolean('online'),
    statusAt: moment('status_at'),
    /** Those who look after the device were told that it is away, and not yet that it is back. */
    outageNotified: boolean('outage_told').notNull().default(false),
    /** The number of the last word of a device that is asked for its words (protocol http). */
    heardUntil: integer('heard_until').notNull().default(0),
    firmware: text('firmware'),
    settingsAppliedAt: moment('settings_applied_at'),
    syncedAt: moment('synced_at'),
    /** The version of the copy of who may pass that the device answered last. */
    copyVersion: text('copy_version'),
    syncErrors: jsonb('sync_errors')
      .$type<{ identifiers: { id: string | null; name: string; error: string }[]; schedules: { id: string | null; name: string; error: string }[] }>()
      .notNull()
      .default({ identifiers: [], schedules: [] }),
    /** Opens the door for those who may; 128 bit and more. */
    token: text('token').notNull().unique(),
  },
  (table) => [
    uniqueIndex('devices_login').on(sql`lower(${table.login})`),
    index('devices_name').on(table.projectId, sql`lower(${table.name})`, table.id, table.name),
    index('devices_domain').on(table.domainId),
    index('devices_created_by').on(table.createdBy),
  ],
);

/** What devices are asked to do, in the order of asking; payloads hold no secret, those are resolved when sent. */
export const deviceTasks = pgTable(
  'device_tasks',
  {
    ...stamps,
    projectId,
    deviceId: uuid('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<DeviceTaskKind>().notNull(),
    status: text('status').$type<DeviceTaskStatus>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull().default({}),
    error: text('error'),
    /** What the device answered, where somebody waits for it. */
    result: jsonb('result').$type<Record<string, unknown>>(),
    queuedAt: moment('queued_at'),
    startedAt: moment('started_at'),
    finishedAt: moment('finished_at'),
  },
  (table) => [
    index('device_tasks_time').on(table.projectId, table.createdAt, table.id),
    index('device_tasks_device').on(table.deviceId, table.createdAt),
    index('device_tasks_open')
      .on(table.status, table.createdAt)
      .where(sql`${table.status} in ('new', 'queued', 'started', 'waiting')`),
  ],
);

/** What devices told. Names are kept as they were then. */
export const deviceEvents = pgTable(
  'device_events',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    projectId,
    deviceId: uuid('device_id').references(() => devices.id, { onDelete: 'set null' }),
    deviceName: text('device_name').notNull(),
    type: text('type').$type<DeviceEventType>().notNull(),
    priority: text('priority').$type<'low' | 'medium' | 'high' | 'critical'>().notNull().default('low'),
    userId: uuid('user_id'),
    userName: text('user_name'),
    identifierId: uuid('identifier_id'),
    identifierType: text('identifier_type').$type<IdentifierType>(),
    /** The last four characters. */
    identifierMask: text('identifier_mask'),
    reason: text('reason').$type<DenialReason>(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull().default({}),
    imageFile: uuid('image_file'),
    occurredAt: moment('occurred_at').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('device_events_time').on(table.projectId, table.occurredAt, table.id),
    index('device_events_device').on(table.deviceId, table.occurredAt),
    index('device_events_user').on(table.userId, table.occurredAt),
    index('device_events_type').on(table.projectId, table.type, table.occurredAt),
    index('device_events_name_trigram').using('gin', sql`lower(${table.deviceName}) gin_trgm_ops`),
    index('device_events_identifier').on(table.identifierId),
  ],
);
