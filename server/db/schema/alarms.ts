import { sql } from 'drizzle-orm';
import { index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { AlarmSensor, AlarmState } from '#models/device-alarms.ts';
import { moment, stamps } from './columns.ts';
import { devices } from './devices.ts';
import { groups, projects } from './people.ts';

/** Where something happened: the device as it was called and the group it hung in, for either may be gone later. */
const place = {
  projectId: uuid('project_id')
    .notNull()
    .references(() => projects.id, { onDelete: 'cascade' }),
  deviceId: uuid('device_id').references(() => devices.id, { onDelete: 'set null' }),
  deviceName: text('device_name').notNull(),
  domainId: uuid('domain_id').references(() => groups.id, { onDelete: 'set null' }),
};

/** Alarms of sensors, from the moment one trips until somebody has processed it. People are named as they were called then. */
export const deviceAlarms = pgTable(
  'device_alarms',
  {
    ...stamps,
    ...place,
    sensor: text('sensor').$type<AlarmSensor>().notNull(),
    state: text('state').$type<AlarmState>().notNull(),
    enabledAt: moment('enabled_at').notNull(),
    disabledAt: moment('disabled_at'),
    claimedBy: uuid('claimed_by'),
    claimedByName: text('claimed_by_name'),
    claimedAt: moment('claimed_at'),
    processedBy: uuid('processed_by'),
    processedByName: text('processed_by_name'),
    processedAt: moment('processed_at'),
    comment: text('comment'),
  },
  (table) => [
    index('device_alarms_time').on(table.projectId, table.enabledAt, table.id),
    index('device_alarms_device').on(table.deviceId),
    index('device_alarms_domain').on(table.domainId),
    /** A sensor has one alarm at a time; tripping again belongs to it until it was processed. */
    uniqueIndex('device_alarms_open')
      .on(table.deviceId, table.sensor)
      .where(sql`${table.state} <> 'processed'`),
  ],
);

/** Presses of the SOS button on devices. */
export const alarmCalls = pgTable(
  'alarm_calls',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    ...place,
    calledAt: moment('called_at').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('alarm_calls_time').on(table.projectId, table.calledAt, table.id),
    index('alarm_calls_device').on(table.deviceId),
    index('alarm_calls_domain').on(table.domainId),
  ],
);
