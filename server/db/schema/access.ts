import { type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, boolean, date, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { IdentifierType } from '#models/device-events.ts';
import type { WalletCertificate, WalletLook } from '#models/wallet.ts';
import { moment, stamps } from './columns.ts';
import { devices } from './devices.ts';
import { groups, projects, users } from './people.ts';

const projectId = uuid('project_id')
  .notNull()
  .references(() => projects.id, { onDelete: 'cascade' });

/** Days on which a group, and all below it that names none of its own, keeps other hours. */
export const groupHolidays = pgTable(
  'group_holidays',
  {
    groupId: uuid('group_id')
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
    date: date('date', { mode: 'string' }).notNull(),
    name: text('name').notNull(),
  },
  (table) => [primaryKey({ columns: [table.groupId, table.date] })],
);

/** Schedules (time rules): when access rules hold, by the clocks of the device's group. */
export const schedules = pgTable(
  'schedules',
  {
    ...stamps,
    projectId,
    name: text('name').notNull(),
    description: text('description'),
    mon: boolean('mon').notNull().default(true),
    tue: boolean('tue').notNull().default(true),
    wed: boolean('wed').notNull().default(true),
    thu: boolean('thu').notNull().default(true),
    fri: boolean('fri').notNull().default(true),
    sat: boolean('sat').notNull().default(false),
    sun: boolean('sun').notNull().default(false),
    /** Seconds since midnight; from after to runs into the next day. */
    fromSeconds: integer('from_seconds').notNull().default(32_400),
    toSeconds: integer('to_seconds').notNull().default(64_800),
    validFrom: date('valid_from', { mode: 'string' }),
    validTo: date('valid_to', { mode: 'string' }),
    isAllDay: boolean('is_all_day').notNull().default(false),
    repeatMode: text('repeat_mode').notNull().default('weekly'),
    holidayMode: text('holiday_mode').notNull().default('holds'),
    holidayFrom: integer('holiday_from').notNull().default(32_400),
    holidayTo: integer('holiday_to').notNull().default(64_800),
  },
  (table) => [uniqueIndex('schedules_name').on(table.projectId, sql`lower(${table.name})`)],
);

/** The number of a card or key as readers print it: decimal, at least ten digits. Without a regular expression, which takes twice as long for each row. */
const decimalOf = (type: AnyPgColumn, value: AnyPgColumn): SQL<string | null> => {
  const number = sql`(('x' || lpad(${value}, 16, '0'))::bit(64)::bigint)::text`;
  return sql`case when ${type} in ('card', 'ukey') and length(${value}) between 1 and 15 and ltrim(${value}, '0123456789ABCDEF') = ''
    then lpad(${number}, greatest(10, length(${number})), '0') end`;
};

/** Cards, keys, codes, faces. */
export const identifiers = pgTable(
  'identifiers',
  {
    ...stamps,
    projectId,
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** The group a guest is let into by somebody who is not of it: whose limits hold, and who sees it. */
    domainId: uuid('domain_id').references(() => groups.id, { onDelete: 'set null' }),
    name: text('name').notNull(),
    description: text('description'),
    type: text('type').$type<IdentifierType>().notNull(),
    /** As devices read it: cards in upper-case hex, plates without spaces. */
    value: text('value').notNull(),
    isActive: boolean('is_active').notNull().default(true),
    revokedAt: moment('revoked_at'),
    /** Barred everywhere at once until it is found. */
    lostAt: moment('lost_at'),
    ownerType: text('owner_type').$type<'owner' | 'guest'>().notNull().default('owner'),
    guestType: text('guest_type').$type<'guest' | 'courier' | 'temporary' | 'staff'>(),
    /** What the host tells the guest. */
    keyMessage: text('key_message'),
    /** Opens the page of a guest; 128 bit and more. */
    keyToken: text('key_token').unique(),
    /** The locks of a device that it opens; empty is all of them. */
    lockNumbers: integer('lock_numbers').array().notNull().default([]),
    periodRestrictActive: boolean('period_restrict_active').notNull().default(false),
    periodRestrictFrom: moment('period_restrict_from'),
    periodRestrictTo: moment('period_restrict_to'),
    passesRestrictActive: boolean('passes_restrict_active').notNull().default(false),
    passesMaxCount: integer('passes_max_count'),
    passesCount: integer('passes_count').notNull().default(0),
    firstUsedAt: moment('first_used_at'),
    lastUsedAt: moment('last_used_at'),
    photoFile: uuid('photo_file'),
  },
  (table) => [
    uniqueIndex('identifiers_value').on(table.projectId, table.type, table.value),
    index('identifiers_user').on(table.userId),
    index('identifiers_domain').on(table.domainId),
    index('identifiers_created_by').on(table.createdBy),
    index('identifiers_time').on(table.projectId, table.createdAt, table.id),
    index('identifiers_name').on(table.projectId, sql`lower(${table.name})`, table.id, table.name),
    index('identifiers_value_trigram').using('gin', sql`lower(${table.value}) gin_trgm_ops`),
    index('identifiers_name_trigram').using('gin', sql`lower(${table.name}) gin_trgm_ops`),
    index('identifiers_decimal_trigram').using('gin', sql`(${decimalOf(table.type, table.value)}) gin_trgm_ops`),
  ],
);

/** The decimal number of an identifier, as its index has it. */
export const decimalValue = decimalOf(identifiers.type, identifiers.value);

/** How a phone takes a mobile key: the code that is good for it once, and the phone that used it. */
export const ukey2Activations = pgTable('ukey2_activations', {
  identifierId: uuid('identifier_id')
    .primaryKey()
    .references(() => identifiers.id, { onDelete: 'cascade' }),
  /** SHA-256 of the code; gone with its use. */
  codeHash: text('code_hash').unique(),
  codeUntil: moment('code_until'),
  phone: text('phone'),
  activatedAt: moment('activated_at'),
});

/** What a project needs for wallet passes: what signs them (PEM, sealed), and how they look. */
export const projectWallets = pgTable('project_wallets', {
  projectId: uuid('project_id')
    .primaryKey()
    .references(() => projects.id, { onDelete: 'cascade' }),
  certificateCipher: text('certificate_cipher'),
  certificate: jsonb('certificate').$type<WalletCertificate>(),
  look: jsonb('look').$type<WalletLook>().notNull(),
});

/** Which people, identifiers and groups may pass which devices on which schedules; or, as a prohibition, may not. */
export const accessRules = pgTable(
  'access_rules',
  {
    ...stamps,
    projectId,
    name: text('name').notNull(),
    description: text('description'),
    prohibition: boolean('prohibition').notNull().default(false),
    /** May be given to somebody by people who may not change it. */
    isShareable: boolean('is_shareable').notNull().default(false),
  },
  (table) => [uniqueIndex('access_rules_name').on(table.projectId, sql`lower(${table.name})`), index('access_rules_created_by').on(table.createdBy)],
);

const ruleId = uuid('rule_id')
  .notNull()
  .references(() => accessRules.id, { onDelete: 'cascade' });

export const accessRuleDevices = pgTable(
  'access_rule_devices',
  {
    ruleId,
    deviceId: uuid('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.ruleId, table.deviceId] }), index('access_rule_devices_back').on(table.deviceId)],
);

export const accessRuleSchedules = pgTable(
  'access_rule_schedules',
  {
    ruleId,
    /** A schedule that a rule follows is not deleted: the rule would hold always. */
    scheduleId: uuid('schedule_id')
      .notNull()
      .references(() => schedules.id),
  },
  (table) => [primaryKey({ columns: [table.ruleId, table.scheduleId] }), index('access_rule_schedules_back').on(table.scheduleId)],
);

export const accessRuleUsers = pgTable(
  'access_rule_users',
  {
    ruleId,
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.ruleId, table.userId] }), index('access_rule_users_back').on(table.userId)],
);

export const accessRuleIdentifiers = pgTable(
  'access_rule_identifiers',
  {
    ruleId,
    identifierId: uuid('identifier_id')
      .notNull()
      .references(() => identifiers.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.ruleId, table.identifierId] }), index('access_rule_identifiers_back').on(table.identifierId)],
);

export const accessRuleGroups = pgTable(
  'access_rule_groups',
  {
    ruleId,
    groupId: uuid('group_id')
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.ruleId, table.groupId] }), index('access_rule_groups_back').on(table.groupId)],
);

/** What a device was last sent to decide by, and the version it answered that it holds. */
export const deviceCopies = pgTable('device_copies', {
  deviceId: uuid('device_id')
    .primaryKey()
    .references(() => devices.id, { onDelete: 'cascade' }),
  version: text('version').notNull(),
  copy: jsonb('copy').$type<Record<string, unknown>>().notNull(),
  acknowledgedAt: moment('acknowledged_at').notNull(),
});

/** Lifts: the group they stand in and what their controllers are for. */
export const elevators = pgTable(
  'elevators',
  {
    ...stamps,
    projectId,
    domainId: uuid('domain_id')
      .notNull()
      .references(() => groups.id),
    name: text('name').notNull(),
    description: text('description'),
    /** The floors in the order of the shaft: the relay's number, what people call it, and the group that lies there. */
    floors: jsonb('floors').$type<{ number: number; name: string; group: string | null }[]>().notNull().default([]),
  },
  (table) => [uniqueIndex('elevators_name').on(table.domainId, sql`lower(${table.name})`), index('elevators_project').on(table.projectId)],
);

/** A controller belongs to one lift. */
export const elevatorControllers = pgTable(
  'elevator_controllers',
  {
    deviceId: uuid('device_id')
      .primaryKey()
      .references(() => devices.id),
    elevatorId: uuid('elevator_id')
      .notNull()
      .references(() => elevators.id, { onDelete: 'cascade' }),
    mode: text('mode').$type<'up' | 'down' | 'up_and_down' | 'access'>().notNull(),
  },
  (table) => [index('elevator_controllers_elevator').on(table.elevatorId)],
);

export const elevatorAccessRules = pgTable(
  'elevator_access_rules',
  { ...stamps, projectId, name: text('name').notNull(), description: text('description') },
  (table) => [uniqueIndex('elevator_access_rules_name').on(table.projectId, sql`lower(${table.name})`)],
);
const elevatorRuleId = uuid('rule_id')
  .notNull()
  .references(() => elevatorAccessRules.id, { onDelete: 'cascade' });

export const elevatorRuleUsers = pgTable(
  'elevator_rule_users',
  {
    ruleId: elevatorRuleId,
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.ruleId, table.userId] }), index('elevator_rule_users_back').on(table.userId)],
);

/** Which floors of a lift the rule opens, by their numbers. */
export const elevatorRuleFloors = pgTable(
  'elevator_rule_floors',
  {
    ruleId: elevatorRuleId,
    elevatorId: uuid('elevator_id')
      .notNull()
      .references(() => elevators.id, { onDelete: 'cascade' }),
    floors: integer('floors').array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.ruleId, table.elevatorId] }), index('elevator_rule_floors_back').on(table.elevatorId)],
);
