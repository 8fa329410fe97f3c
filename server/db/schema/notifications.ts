import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { NotificationData, NotificationType, Significance } from '#models/notifications.ts';
import { moment } from './columns.ts';
import { projects, users } from './people.ts';

/** What one person was told of. Kept for a while; looks and words follow from the type. */
export const notifications = pgTable(
  'notifications',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    type: text('type').$type<NotificationType>().notNull(),
    data: jsonb('data').$type<NotificationData>().notNull().default({}),
    significance: text('significance').$type<Significance>().notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    readAt: moment('read_at'),
  },
  (table) => [
    index('notifications_user').on(table.userId, table.createdAt, table.id),
    index('notifications_unread')
      .on(table.userId, table.createdAt)
      .where(sql`${table.readAt} is null`),
    index('notifications_age').on(table.createdAt),
  ],
);
