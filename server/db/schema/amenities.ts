import { sql } from 'drizzle-orm';
import { boolean, date, index, integer, jsonb, pgTable, primaryKey, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { AmenitySlots } from '#models/amenity-slots.ts';
import { accessRules } from './access.ts';
import { moment, stamps } from './columns.ts';
import { groups, projects, users } from './people.ts';

const projectId = uuid('project_id')
  .notNull()
  .references(() => projects.id, { onDelete: 'cascade' });

/** Rooms, courts and pools that people reserve. */
export const amenities = pgTable(
  'amenities',
  {
    ...stamps,
    projectId,
    name: text('name').notNull(),
    address: text('address'),
    description: text('description'),
    isActive: boolean('is_active').notNull().default(true),
    personsMin: integer('persons_min').notNull().default(1),
    personsMax: integer('persons_max').notNull().default(500),
    timeSlots: jsonb('time_slots').$type<AmenitySlots>().notNull(),
    imageFile: uuid('image_file'),
    termsFile: uuid('terms_file'),
  },
  (table) => [uniqueIndex('amenities_name').on(table.projectId, sql`lower(${table.name})`)],
);

const amenityId = uuid('amenity_id')
  .notNull()
  .references(() => amenities.id, { onDelete: 'cascade' });

/** The groups whose people an amenity is for. */
export const amenityGroups = pgTable(
  'amenity_groups',
  {
    amenityId,
    groupId: uuid('group_id')
      .notNull()
      .references(() => groups.id),
  },
  (table) => [primaryKey({ columns: [table.amenityId, table.groupId] }), index('amenity_groups_back').on(table.groupId)],
);

/** What opens to somebody while their reservation runs. */
export const amenityRules = pgTable(
  'amenity_rules',
  {
    amenityId,
    ruleId: uuid('rule_id')
      .notNull()
      .references(() => accessRules.id),
  },
  (table) => [primaryKey({ columns: [table.amenityId, table.ruleId] }), index('amenity_rules_back').on(table.ruleId)],
);

/** Who has an amenity from when to when. */
export const amenityReservations = pgTable(
  'amenity_reservations',
  {
    ...stamps,
    projectId,
    amenityId,
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    persons: integer('persons').notNull(),
    /** The day and the seconds since its midnight, by the clock of the amenity. */
    date: date('date', { mode: 'string' }).notNull(),
    fromSeconds: integer('from_seconds').notNull(),
    toSeconds: integer('to_seconds').notNull(),
    startsAt: moment('starts_at').notNull(),
    endsAt: moment('ends_at').notNull(),
    canceledAt: moment('canceled_at'),
    /** How far the clock of whoever reserved stood ahead of UTC, in minutes. */
    userOffset: integer('user_offset').notNull().default(0),
    remindedAt: moment('reminded_at'),
  },
  (table) => [
    // No two at once: what begins together is refused here, what overlaps by the lock on the amenity.
    uniqueIndex('amenity_reservations_slot')
      .on(table.amenityId, table.startsAt)
      .where(sql`${table.canceledAt} is null`),
    index('amenity_reservations_user').on(table.userId, table.startsAt),
    index('amenity_reservations_time').on(table.projectId, table.startsAt, table.id),
  ],
);

/** What became of a reservation, by whom. */
export const reservationLog = pgTable(
  'reservation_log',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    reservationId: uuid('reservation_id')
      .notNull()
      .references(() => amenityReservations.id, { onDelete: 'cascade' }),
    action: text('action').$type<'created' | 'edited' | 'canceled'>().notNull(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    userName: text('user_name'),
    changes: jsonb('changes').$type<Record<string, { before: unknown; after: unknown }>>().notNull().default({}),
    occurredAt: moment('occurred_at').notNull(),
  },
  (table) => [index('reservation_log_reservation').on(table.reservationId, table.occurredAt)],
);

/** Secret addresses by which calendars read reservations: somebody's own, or those of an amenity. */
export const calendarFeeds = pgTable(
  'calendar_feeds',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    amenityId: uuid('amenity_id').references(() => amenities.id, { onDelete: 'cascade' }),
    tokenHash: text('token_hash').notNull().unique(),
    createdAt: moment('created_at').notNull(),
    readAt: moment('read_at'),
  },
  (table) => [
    unique('calendar_feeds_owner').on(table.userId, table.amenityId).nullsNotDistinct(),
    index('calendar_feeds_amenity').on(table.amenityId),
  ],
);
