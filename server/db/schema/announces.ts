import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { boolean, check, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import type { AnnounceChannel, AnnounceStatus } from '#models/announces.ts';
import { moment, stamps } from './columns.ts';
import { devices, deviceTasks } from './devices.ts';
import { mails } from './house-keeping.ts';
import { groups, markers, projects, roles, users } from './people.ts';

/** Announcements and polls. */
export const announces = pgTable(
  'announces',
  {
    ...stamps,
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    type: text('type').$type<'info' | 'poll'>().notNull(),
    status: text('status').$type<AnnounceStatus>().notNull().default('new'),
    title: text('title').notNull(),
    /** HTML, sanitised. */
    body: text('body').notNull(),
    sendVia: text('send_via').$type<AnnounceChannel>().array().notNull(),
    answers: jsonb('answers').$type<string[]>().notNull().default([]),
    customAnswer: boolean('custom_answer').notNull().default(false),
    executeAt: moment('execute_at'),
    endsAt: moment('ends_at'),
    startedAt: moment('started_at'),
    endedAt: moment('ended_at'),
    /** Whoever sent it: it goes to those whom they may see. */
    senderId: uuid('sender_id').references(() => users.id, { onDelete: 'set null' }),
    /** Names it in links. Who is no recipient reads nothing by it. */
    token: text('token')
      .notNull()
      .unique()
      .$defaultFn(() => randomBytes(24).toString('base64url')),
  },
  (table) => [
    index('announces_time').on(table.projectId, table.createdAt, table.id),
    index('announces_open')
      .on(table.status)
      .where(sql`${table.status} in ('planned', 'started')`),
  ],
);

const announceId = uuid('announce_id')
  .notNull()
  .references(() => announces.id, { onDelete: 'cascade' });

export const announceUsers = pgTable(
  'announce_users',
  {
    announceId,
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.announceId, table.userId] }), index('announce_users_back').on(table.userId)],
);
export const announceGroups = pgTable(
  'announce_groups',
  {
    announceId,
    groupId: uuid('group_id')
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.announceId, table.groupId] }), index('announce_groups_back').on(table.groupId)],
);
export const announceRoles = pgTable(
  'announce_roles',
  {
    announceId,
    roleId: uuid('role_id')
      .notNull()
      .references(() => roles.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.announceId, table.roleId] }), index('announce_roles_back').on(table.roleId)],
);
export const announceMarkers = pgTable(
  'announce_markers',
  {
    announceId,
    markerId: uuid('marker_id')
      .notNull()
      .references(() => markers.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.announceId, table.markerId] }), index('announce_markers_back').on(table.markerId)],
);

/** Whom it went to: fixed when it was sent. */
export const announceRecipients = pgTable(
  'announce_recipients',
  {
    announceId,
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    seenAt: moment('seen_at'),
  },
  (table) => [primaryKey({ columns: [table.announceId, table.userId] }), index('announce_recipients_back').on(table.userId)],
);

/** Answers to polls: the key lets a person have one. */
export const announceVotes = pgTable(
  'announce_votes',
  {
    announceId: uuid('announce_id').notNull(),
    userId: uuid('user_id').notNull(),
    /** The place of the answer among those offered, or words of their own. */
    answer: integer('answer'),
    custom: text('custom'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.announceId, table.userId] }),
    foreignKey({
      name: 'announce_votes_recipient',
      columns: [table.announceId, table.userId],
      foreignColumns: [announceRecipients.announceId, announceRecipients.userId],
    }).onDelete('cascade'),
    check('announce_votes_one', sql`(${table.answer} is null) <> (${table.custom} is null)`),
  ],
);

/** One message to one recipient, or to one device, by one channel, and what became of it. */
export const announceMessages = pgTable(
  'announce_messages',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    announceId,
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    channel: text('channel').$type<AnnounceChannel | 'console'>().notNull(),
    state: text('state').$type<'queued' | 'sent' | 'failed'>().notNull().default('queued'),
    /** Why it failed, as the channel knows it. */
    reason: text('reason'),
    /** What the other side said, in its own words. */
    words: text('words'),
    mailId: uuid('mail_id').references(() => mails.id, { onDelete: 'set null' }),
    /** The device that shows it, by which task. */
    deviceId: uuid('device_id').references(() => devices.id, { onDelete: 'cascade' }),
    taskId: uuid('task_id').references(() => deviceTasks.id, { onDelete: 'set null' }),
    changedAt: moment('changed_at').notNull(),
  },
  (table) => [
    unique('announce_messages_once').on(table.announceId, table.channel, table.userId),
    unique('announce_messages_device_once').on(table.announceId, table.deviceId),
    index('announce_messages_mail').on(table.mailId),
    index('announce_messages_task').on(table.taskId),
    index('announce_messages_device').on(table.deviceId),
    index('announce_messages_user').on(table.userId),
    index('announce_messages_queued')
      .on(table.announceId)
      .where(sql`${table.state} = 'queued' and ${table.mailId} is null`),
  ],
);
