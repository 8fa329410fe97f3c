import { sql } from 'drizzle-orm';
import { boolean, date, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { SeatCount } from '#models/seats.ts';
import { stamps } from './columns.ts';
import { groups, projects } from './people.ts';

/** The licences of projects. What a licence says stands in its signed file alone, which is verified whenever it is read. */
export const licences = pgTable(
  'licences',
  {
    ...stamps,
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** The number the vendor gave it. */
    number: uuid('number').notNull(),
    file: text('file').notNull(),
    source: text('source').$type<'file' | 'cloud'>().notNull(),
    isEnabled: boolean('is_enabled').notNull().default(true),
  },
  (table) => [uniqueIndex('licences_number').on(table.projectId, table.number)],
);

/** The basic licence that a project's new top groups start with; null is no limit. */
export const licenceSettings = pgTable('licence_settings', {
  projectId: uuid('project_id')
    .primaryKey()
    .references(() => projects.id, { onDelete: 'cascade' }),
  basicPeriodDays: integer('basic_period_days'),
  basicQuantity: integer('basic_quantity'),
});

/**
 * How many seats were in use, counted as the days came. The project (no group) has a row for every day; a group only for days on which its figures
 * are others than before.
 */
export const licenceUse = pgTable(
  'licence_use',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    groupId: uuid('group_id').references(() => groups.id, { onDelete: 'cascade' }),
    day: date('day').notNull(),
    seats: jsonb('seats').$type<SeatCount[]>().notNull(),
  },
  (table) => [
    uniqueIndex('licence_use_day').on(table.projectId, sql`coalesce(${table.groupId}, ${table.projectId})`, table.day),
    index('licence_use_group').on(table.groupId),
  ],
);
