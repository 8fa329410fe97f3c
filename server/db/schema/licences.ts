import { boolean, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { stamps } from './columns.ts';
import { projects } from './people.ts';

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
