import { index, integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { announces } from './announces.ts';
import { conversationMessages } from './conversations.ts';
import { files } from './house-keeping.ts';
import { projects, users } from './people.ts';

/** Pictures that were uploaded for a text: the stored file of the same id, by whom, and how large they are, px. */
export const textPictures = pgTable(
  'text_pictures',
  {
    id: uuid('id')
      .primaryKey()
      .references(() => files.id, { onDelete: 'cascade' }),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    uploadedBy: uuid('uploaded_by').references(() => users.id, { onDelete: 'set null' }),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
  },
  (table) => [index('text_pictures_uploader').on(table.uploadedBy)],
);

/** Which texts have a picture; one that a text has cannot be removed. */
const pictureId = uuid('picture_id')
  .notNull()
  .references(() => textPictures.id);

export const announcePictures = pgTable(
  'announce_pictures',
  {
    announceId: uuid('announce_id')
      .notNull()
      .references(() => announces.id, { onDelete: 'cascade' }),
    pictureId,
  },
  (table) => [primaryKey({ columns: [table.announceId, table.pictureId] }), index('announce_pictures_back').on(table.pictureId)],
);

export const messagePictures = pgTable(
  'message_pictures',
  {
    messageId: uuid('message_id')
      .notNull()
      .references(() => conversationMessages.id, { onDelete: 'cascade' }),
    pictureId,
    /** Its place among the pictures of the message, from 0. */
    place: integer('place').notNull(),
  },
  (table) => [primaryKey({ columns: [table.messageId, table.pictureId] }), index('message_pictures_back').on(table.pictureId)],
);
