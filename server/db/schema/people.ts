import { sql } from 'drizzle-orm';
import { type AnyPgColumn, boolean, check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { LicenceInfo } from '#models/licence-info.ts';
import type { GroupLicence } from '#models/licences.ts';
import { moment, stamps } from './columns.ts';

/** A customer's whole installation; every other row belongs to exactly one. */
export const projects = pgTable('projects', {
  ...stamps,
  uid: text('uid').notNull().unique(),
  name: text('name').notNull(),
  description: text('description'),
});

export const roles = pgTable(
  'roles',
  {
    ...stamps,
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    description: text('description'),
    permissions: text('permissions').array().notNull(),
    /** Its holders do nothing before they have set up a second factor. */
    requiresSecondFactor: boolean('requires_second_factor').notNull().default(false),
  },
  (table) => [uniqueIndex('roles_name').on(table.projectId, sql`lower(${table.name})`)],
);

/** Which roles the holders of a role may assign or edit. */
export const availableRoles = pgTable(
  'available_roles',
  {
    roleId: uuid('role_id')
      .notNull()
      .references(() => roles.id, { onDelete: 'cascade' }),
    availableId: uuid('available_id')
      .notNull()
      .references(() => roles.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.roleId, table.availableId] }), index('available_roles_back').on(table.availableId)],
);

export const users = pgTable(
  'users',
  {
    ...stamps,
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    roleId: uuid('role_id')
      .notNull()
      .references(() => roles.id),
    login: text('login').notNull(),
    name: text('name').notNull(),
    description: text('description'),
    email: text('email'),
    phone: text('phone'),
    address: text('address'),
    /** argon2id; null until the person has chosen a password. */
    passwordHash: text('password_hash'),
    licenseInfo: jsonb('license_info').$type<LicenceInfo>().notNull(),
    /** When it ends, for who registered as a type that has a period; null: not by itself. */
    licenceEndsAt: moment('licence_ends_at'),
    elevatorAccessDisabled: boolean('elevator_access_disabled').notNull().default(false),
    avatarFile: uuid('avatar_file'),
    locale: text('locale').notNull().default('en'),
    timeZone: integer('time_zone').notNull().default(2),
    /** IANA name; null where only the hours were chosen. */
    timeZoneName: text('time_zone_name'),
    timeFormat: text('time_format').notNull().default('DD-MM-YYYY'),
    identifierFormat: text('identifier_format').notNull().default('dec'),
    notificationSettings: jsonb('notification_settings').$type<Record<string, unknown>>().notNull().default({}),
    isAppPopupActive: boolean('is_app_popup_active').notNull().default(true),
    isVerified: boolean('is_verified').notNull().default(false),
    isInvited: boolean('is_invited').notNull().default(false),
    /** Seconds since 1970; 0 until the registration was completed. */
    activatedAt: integer('activated_at').notNull().default(0),
    lastSeenAt: moment('last_seen_at'),
  },
  (table) => [
    uniqueIndex('users_login').on(table.projectId, sql`lower(${table.login})`),
    uniqueIndex('users_email').on(table.projectId, sql`lower(${table.email})`),
    // The name once more at the end: an order by lower(name) is then read from the index alone.
    index('users_name').on(table.projectId, sql`lower(${table.name})`, table.id, table.name),
    index('users_created').on(table.projectId, table.createdAt, table.id),
    index('users_role').on(table.roleId),
    index('users_created_by').on(table.createdBy),
    index('users_licence_ends')
      .on(table.licenceEndsAt)
      .where(sql`${table.licenceEndsAt} is not null`),
    index('users_any_login').on(sql`lower(${table.login})`),
    index('users_any_email').on(sql`lower(${table.email})`),
    index('users_name_trigram').using('gin', sql`lower(${table.name}) gin_trgm_ops`),
    index('users_login_trigram').using('gin', sql`lower(${table.login}) gin_trgm_ops`),
    index('users_email_trigram').using('gin', sql`lower(${table.email}) gin_trgm_ops`),
    index('users_phone_trigram').using('gin', sql`${table.phone} gin_trgm_ops`),
  ],
);

export const markers = pgTable(
  'markers',
  {
    ...stamps,
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    color: text('color').notNull(),
  },
  (table) => [uniqueIndex('markers_name').on(table.projectId, sql`lower(${table.name})`)],
);

export const userMarkers = pgTable(
  'user_markers',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    markerId: uuid('marker_id')
      .notNull()
      .references(() => markers.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.userId, table.markerId] }), index('user_markers_back').on(table.markerId)],
);

export const groupTypes = pgTable(
  'group_types',
  {
    ...stamps,
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    description: text('description'),
    hasLogicAddress: boolean('has_logic_address').notNull().default(true),
  },
  (table) => [uniqueIndex('group_types_name').on(table.projectId, sql`lower(${table.name})`)],
);

export const groups = pgTable(
  'groups',
  {
    ...stamps,
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    parentId: uuid('parent_id').references((): AnyPgColumn => groups.id),
    typeId: uuid('type_id').references(() => groupTypes.id),
    name: text('name').notNull(),
    description: text('description'),
    logicAddress: text('logic_address'),
    /** IANA name: whose clocks schedules follow here and below; null follows the group above. */
    timeZoneName: text('time_zone_name'),
    /** Ids from the root down to this group, itself included: "below" is one indexed overlap. */
    path: uuid('path').array().notNull(),
    guestLimits: jsonb('guest_limits').$type<{ max_passes_count: number | null; max_period_days: number | null }>().notNull(),
    whitelabel: jsonb('whitelabel').$type<Record<string, unknown>>().notNull(),
    logoFile: uuid('logo_file'),
    appleWallet: jsonb('apple_wallet').$type<Record<string, unknown>>().notNull(),
    /** Gaps are filled with what every group starts with. */
    licence: jsonb('licence').$type<Partial<GroupLicence>>().notNull(),
    /** Calls to the group go through its queues (server/db/schema/telephony.ts). */
    forwardEnabled: boolean('forward_enabled').notNull().default(false),
  },
  (table) => [
    index('groups_parent').on(table.projectId, table.parentId),
    index('groups_path').using('gin', table.path),
    index('groups_name').on(table.projectId, sql`${table.name} collate "numeric_order"`, table.id),
    index('groups_name_trigram').using('gin', sql`lower(${table.name}) gin_trgm_ops`),
    uniqueIndex('groups_address').on(
      table.projectId,
      sql`coalesce(${table.parentId}, ${table.projectId})`,
      table.typeId,
      sql`lower(${table.logicAddress})`,
    ),
    check('groups_not_own_parent', sql`${table.parentId} is distinct from ${table.id}`),
  ],
);

export const userDomains = pgTable(
  'user_domains',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    groupId: uuid('group_id')
      .notNull()
      .references(() => groups.id),
  },
  (table) => [primaryKey({ columns: [table.userId, table.groupId] }), index('user_domains_back').on(table.groupId)],
);

/** Which of a group's people hear of a silent device or a failed task. */
export const groupNotify = pgTable(
  'group_notify',
  {
    groupId: uuid('group_id')
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    deviceOffline: boolean('device_offline').notNull(),
    deviceTaskFailed: boolean('device_task_failed').notNull(),
  },
  (table) => [primaryKey({ columns: [table.groupId, table.userId] }), index('group_notify_back').on(table.userId)],
);
