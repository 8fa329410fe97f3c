import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { CertificateInfo, DeliveryKind, IntegrationCamera, IntegrationType } from '#models/integrations.ts';
import { moment, stamps } from './columns.ts';
import { groups, projects } from './people.ts';

/** Other systems that are told of events, or that show what their cameras see. Columns named cipher hold secrets sealed under the installation's own. */
export const integrations = pgTable(
  'integrations',
  {
    ...stamps,
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    type: text('type').$type<IntegrationType>().notNull(),
    isActive: boolean('is_active').notNull().default(true),
    /** The group it belongs to; null for the project itself. */
    domainId: uuid('domain_id').references(() => groups.id, { onDelete: 'cascade' }),
    url: text('url').notNull(),
    secretCipher: text('secret_cipher'),
    deviceEvents: boolean('device_events').notNull().default(false),
    alarms: boolean('alarms').notNull().default(false),
    calls: boolean('calls').notNull().default(false),
    access: boolean('access').notNull().default(false),
    login: text('login'),
    passwordCipher: text('password_cipher'),
    rtspUrl: text('rtsp_url'),
    cameras: jsonb('cameras').$type<IntegrationCamera[]>().notNull().default([]),
    certificateCipher: text('certificate_cipher'),
    certificateInfo: jsonb('certificate_info').$type<CertificateInfo>(),
    /** Since when nothing was taken; null while it is. */
    failingSince: moment('failing_since'),
    /** It failed for so long that nothing more is sent until somebody says so. */
    stoppedAt: moment('stopped_at'),
    lastError: text('last_error'),
  },
  (table) => [
    uniqueIndex('integrations_name').on(table.projectId, sql`lower(${table.name})`),
    uniqueIndex('integrations_url').on(table.projectId, table.type, table.url),
    index('integrations_domain').on(table.domainId),
  ],
);

/** The groups an integration serves; without any it serves all it belongs to. */
export const integrationGroups = pgTable(
  'integration_groups',
  {
    integrationId: uuid('integration_id')
      .notNull()
      .references(() => integrations.id, { onDelete: 'cascade' }),
    groupId: uuid('group_id')
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.integrationId, table.groupId] }), index('integration_groups_group').on(table.groupId)],
);

/** What webhooks are told, one row a message; those of one webhook go out in order of position. */
export const integrationDeliveries = pgTable(
  'integration_deliveries',
  {
    /** Told to the receiver, who knows a repeat by it. */
    id: uuid('id').primaryKey().defaultRandom(),
    position: bigint('position', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    integrationId: uuid('integration_id')
      .notNull()
      .references(() => integrations.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<DeliveryKind>().notNull(),
    event: text('event').notNull(),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    createdAt: moment('created_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    nextAt: moment('next_at').notNull(),
    /** Until then one server process is sending it. */
    claimedUntil: moment('claimed_until'),
    triedAt: moment('tried_at'),
    deliveredAt: moment('delivered_at'),
    /** The status of the last answer; null where there was none. */
    status: integer('status'),
    error: text('error'),
  },
  (table) => [
    index('integration_deliveries_waiting')
      .on(table.integrationId, table.position)
      .where(sql`${table.deliveredAt} is null`),
    index('integration_deliveries_log').on(table.integrationId, table.position),
    index('integration_deliveries_delivered').on(table.deliveredAt),
  ],
);
