import { sql } from 'drizzle-orm';
import { type AnyPgColumn, boolean, check, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { ForwardMode } from '#models/sip-numbers.ts';
import type { TrunkAuthentication } from '#models/sip-trunks.ts';
import { stamps } from './columns.ts';
import { devices } from './devices.ts';
import { groups, projects, users } from './people.ts';

const projectId = uuid('project_id')
  .notNull()
  .references(() => projects.id, { onDelete: 'cascade' });

/** Virtual numbers: what one dials. One owner at most; without one, and picked by none, a number is free. */
export const sipNumbers = pgTable(
  'sip_numbers',
  {
    ...stamps,
    projectId,
    /** One in the whole installation: SIP knows no projects. */
    number: text('number').notNull(),
    name: text('name').notNull(),
    /** Sealed; with it a phone registers that is not a browser. */
    passwordCipher: text('password_cipher'),
    isActive: boolean('is_active').notNull().default(true),
    /** Kept back: never offered where a free number is looked for. */
    isReserved: boolean('is_reserved').notNull().default(false),
    /** Part of the installation's plan: changed only by those who may mark numbers so. */
    isSystem: boolean('is_system').notNull().default(false),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    deviceId: uuid('device_id').references(() => devices.id, { onDelete: 'set null' }),
    /** The group whose general number, or queue, it is. */
    domainId: uuid('domain_id').references(() => groups.id, { onDelete: 'set null' }),
    forwardMode: text('forward_mode').$type<ForwardMode>().notNull().default('disabled'),
  },
  (table) => [
    uniqueIndex('sip_numbers_number').on(table.number),
    uniqueIndex('sip_numbers_device').on(table.deviceId),
    uniqueIndex('sip_numbers_domain').on(table.domainId),
    index('sip_numbers_order').on(table.projectId, sql`lpad(${table.number}, 15, '0')`, table.id),
    index('sip_numbers_user').on(table.userId),
    index('sip_numbers_created_by').on(table.createdBy),
    check('sip_numbers_one_owner', sql`num_nonnulls(${table.userId}, ${table.deviceId}, ${table.domainId}) <= 1`),
  ],
);

/** Where a number forwards to, in order: a virtual number picked for it, or any number typed by hand. */
export const sipNumberForwards = pgTable(
  'sip_number_forwards',
  {
    numberId: uuid('number_id')
      .notNull()
      .references((): AnyPgColumn => sipNumbers.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    /** A virtual number is picked by one number at most. */
    pickedId: uuid('picked_id').references((): AnyPgColumn => sipNumbers.id, { onDelete: 'cascade' }),
    phone: text('phone'),
  },
  (table) => [
    primaryKey({ columns: [table.numberId, table.position] }),
    uniqueIndex('sip_number_forwards_picked').on(table.pickedId),
    check('sip_number_forwards_one', sql`num_nonnulls(${table.pickedId}, ${table.phone}) = 1`),
  ],
);

/** When a call goes on to a group's next queue. */
export const forwardRules = pgTable(
  'forward_rules',
  {
    ...stamps,
    projectId,
    name: text('name').notNull(),
    /** Not waiting for an answer at all: the next queue rings at once with the first. */
    isImmediately: boolean('is_immediately').notNull().default(false),
    /** Seconds without an answer after which the call goes on. */
    timeout: integer('timeout').notNull().default(10),
    /** Busy, declined or not reachable: goes on. */
    redirectIfError: boolean('redirect_if_error').notNull().default(true),
  },
  (table) => [uniqueIndex('forward_rules_name').on(table.projectId, sql`lower(${table.name})`)],
);

/** The forward rules of a group. */
export const groupForwardRules = pgTable(
  'group_forward_rules',
  {
    groupId: uuid('group_id')
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
    ruleId: uuid('rule_id')
      .notNull()
      .references(() => forwardRules.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.groupId, table.ruleId] }), index('group_forward_rules_back').on(table.ruleId)],
);

/** Whom a call to a group rings, one queue after the other in the order of `position`; `groups.forwardEnabled` switches it on. */
export const groupForwardQueues = pgTable(
  'group_forward_queues',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    groupId: uuid('group_id')
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    /** Seconds the queue rings before the next one does. */
    delay: integer('delay').notNull(),
  },
  (table) => [uniqueIndex('group_forward_queues_order').on(table.groupId, table.position)],
);

/** The numbers of a queue, which ring together: virtual ones, or any number typed by hand. */
export const groupForwardNumbers = pgTable(
  'group_forward_numbers',
  {
    queueId: uuid('queue_id')
      .notNull()
      .references(() => groupForwardQueues.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    numberId: uuid('number_id').references(() => sipNumbers.id, { onDelete: 'cascade' }),
    phone: text('phone'),
  },
  (table) => [
    primaryKey({ columns: [table.queueId, table.position] }),
    index('group_forward_numbers_back').on(table.numberId),
    check('group_forward_numbers_one', sql`num_nonnulls(${table.numberId}, ${table.phone}) = 1`),
  ],
);

/** Lines to the telephone network: SIP servers of others. */
export const sipTrunks = pgTable(
  'sip_trunks',
  {
    ...stamps,
    projectId,
    name: text('name').notNull(),
    /** `sip:host:port`, or host and port alone. */
    terminationUri: text('termination_uri').notNull(),
    /** The number that is shown outside. */
    outgoingNumber: text('outgoing_number'),
    login: text('login'),
    passwordCipher: text('password_cipher'),
    /** How calls that come in prove that they are the provider's. */
    incomingAuthentication: text('incoming_authentication').$type<TrunkAuthentication>().notNull().default('digest'),
    /** Whether outside calls may reach door panels of the trunk's groups, and keys pressed outside be passed to them. */
    allowPanelCalls: boolean('allow_panel_calls').notNull().default(false),
    allowPanelKeys: boolean('allow_panel_keys').notNull().default(false),
  },
  (table) => [uniqueIndex('sip_trunks_name').on(table.projectId, sql`lower(${table.name})`), index('sip_trunks_created_by').on(table.createdBy)],
);

/** Whose calls go out by a trunk: those of a group and of the groups below it. */
export const sipTrunkGroups = pgTable(
  'sip_trunk_groups',
  {
    trunkId: uuid('trunk_id')
      .notNull()
      .references(() => sipTrunks.id, { onDelete: 'cascade' }),
    groupId: uuid('group_id')
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.trunkId, table.groupId] }), index('sip_trunk_groups_back').on(table.groupId)],
);

/** The SIP server of somebody else that a project's web phones register with; no row: our own. */
export const phoneServers = pgTable('phone_servers', {
  projectId: uuid('project_id')
    .primaryKey()
    .references(() => projects.id, { onDelete: 'cascade' }),
  host: text('host').notNull(),
  port: integer('port').notNull(),
  /** wss, or plain ws. */
  secure: boolean('secure').notNull(),
  /** The domain of its numbers, where that is not the host. */
  realm: text('realm'),
});
