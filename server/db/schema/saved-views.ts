import { sql } from 'drizzle-orm';
import { boolean, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { stamps } from './columns.ts';
import { projects, roles, users } from './people.ts';

/** Lists as people have arranged them, each its owner's; holders of a role have those shared with it. */
export const savedViews = pgTable(
  'saved_views',
  {
    ...stamps,
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    roleId: uuid('role_id').references(() => roles.id, { onDelete: 'set null' }),
    area: text('area').notNull(),
    name: text('name').notNull(),
    query: text('query').notNull(),
    isPinned: boolean('is_pinned').notNull(),
  },
  (table) => [
    uniqueIndex('saved_views_name').on(table.userId, table.area, sql`lower(${table.name})`),
    index('saved_views_role').on(table.roleId),
    index('saved_views_project').on(table.projectId),
  ],
);
