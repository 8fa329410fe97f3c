import { integer, timestamp, uuid } from 'drizzle-orm/pg-core';

/** A moment, kept with its zone, answered as ISO 8601 UTC. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 });

/** What every stored row carries: id, version for If-Match, when and by whom. */
export const stamps = {
  id: uuid('id').primaryKey().defaultRandom(),
  version: integer('version').notNull().default(1),
  createdBy: uuid('created_by'),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
};
