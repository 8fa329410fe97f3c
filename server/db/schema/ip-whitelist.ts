import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';

/** Addresses and ranges that are never blocked; of the installation, as addresses are known before projects. */
export const ipWhitelist = pgTable('ip_whitelist', {
  ip: text('ip').primaryKey(),
  createdBy: uuid('created_by'),
  createdByName: text('created_by_name'),
  createdAt: moment('created_at').notNull().defaultNow(),
});
