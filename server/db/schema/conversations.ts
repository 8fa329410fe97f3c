import { index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { moment, stamps } from './columns.ts';
import { projects, users } from './people.ts';

/** What some people talk about among themselves. */
export const conversations = pgTable(
  'conversations',
  {
    ...stamps,
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    title: text('title').notNull(),
    /** How many messages it has had; each message has its number. */
    lastSeq: integer('last_seq').notNull().default(0),
    lastAt: moment('last_at').notNull().defaultNow(),
  },
  (table) => [index('conversations_latest').on(table.projectId, table.lastAt, table.id)],
);

/** Who takes part, and up to which message each has read. */
export const conversationMembers = pgTable(
  'conversation_members',
  {
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    readSeq: integer('read_seq').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.conversationId, table.userId] }), index('conversation_members_user').on(table.userId)],
);

/** What was written, in order. The name stays when its author is gone; `clientId` makes a message that is sent twice one. */
export const conversationMessages = pgTable(
  'conversation_messages',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    seq: integer('seq').notNull(),
    authorId: uuid('author_id').references(() => users.id, { onDelete: 'set null' }),
    authorName: text('author_name').notNull(),
    clientId: uuid('client_id').notNull(),
    text: text('text').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('conversation_messages_order').on(table.conversationId, table.seq),
    uniqueIndex('conversation_messages_client').on(table.conversationId, table.authorId, table.clientId),
    index('conversation_messages_author').on(table.authorId),
  ],
);
