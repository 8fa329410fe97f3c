import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';
import { projects, users } from './people.ts';

/** Searches of address ranges and how far they have come. The principal makes up the id. */
export const deviceSearches = pgTable('device_searches', {
  id: uuid('id').primaryKey(),
  projectId: uuid('project_id')
    .notNull()
    .references(() => projects.id, { onDelete: 'cascade' }),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  state: text('state').$type<'running' | 'completed' | 'cancelled' | 'failed'>().notNull(),
  done: integer('done').notNull().default(0),
  total: integer('total').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});

/** What searches found in a project: the pool, until somebody takes it. */
export const foundDevices = pgTable(
  'found_devices',
  {
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    serial: text('serial').notNull(),
    searchId: uuid('search_id').notNull(),
    ipAddress: text('ip_address').notNull(),
    port: integer('port').notNull(),
    type: text('type').notNull(),
    model: text('model').notNull(),
    firmware: text('firmware'),
    foundAt: moment('found_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.serial] }), index('found_devices_search').on(table.searchId)],
);
