import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { BulkAction } from '#models/bulk.ts';
import type { ImportResult } from '#models/import.ts';
import type { MailReason } from '#models/mail.ts';
import type { RowOutcome } from '#models/job.ts';
import { moment } from './columns.ts';
import { projects, users } from './people.ts';

/** What bulk work is to do, kept so that another process can go on with it. */
export interface BulkRequest {
  action: BulkAction;
  value: readonly string[];
  origin: { ip: string; userAgent: string | null };
  /** The job whose changes this one takes back. */
  undoes?: string;
}

/** Mails written; without a mail server they stay here and the demo shows them. */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** Whom it was written to; what it says may open their account. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull(),
    body: text('body').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** A server is at it until then, or it is not to be tried before. */
    claimedUntil: moment('claimed_until'),
    /** When a mail server had taken it. */
    sentAt: moment('sent_at'),
    attempts: integer('attempts').notNull().default(0),
    triedAt: moment('tried_at'),
    /** When it was given up. */
    failedAt: moment('failed_at'),
    /** Why it was not taken the last time, and what the mail server said. */
    lastReason: text('last_reason').$type<MailReason>(),
    lastWords: text('last_words'),
    html: text('html'),
    /** The picture that its HTML shows. */
    logoFile: uuid('logo_file'),
    /** Never goes out twice: where nothing is known of a try, it is given up. */
    once: boolean('once').notNull().default(false),
    /** Since when somebody is sending it. */
    sendingAt: moment('sending_at'),
  },
  (table) => [
    index('mails_project').on(table.projectId, table.createdAt),
    index('mails_user').on(table.userId),
    index('mails_unsent')
      .on(table.createdAt)
      .where(sql`${table.sentAt} is null`),
  ],
);

/** Who did what, with each field before and after; never a secret. Rows are only ever added. */
export const auditEvents = pgTable(
  'audit_events',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    area: text('area').notNull(),
    entityId: uuid('entity_id'),
    entityName: text('entity_name'),
    action: text('action').notNull(),
    userId: uuid('user_id'),
    userName: text('user_name'),
    ip: text('ip'),
    userAgent: text('user_agent'),
    changes: jsonb('changes').$type<Record<string, { before: unknown; after: unknown }>>().notNull().default({}),
    /** The groups it concerned at the time, each with all above it: whoever has one of them in their tree may read the entry. */
    groups: uuid('groups').array().notNull().default([]),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('audit_events_time').on(table.projectId, table.createdAt, table.id),
    index('audit_events_entity').on(table.entityId),
    index('audit_events_user').on(table.userId, table.createdAt),
    index('audit_events_name_trigram').using('gin', sql`lower(${table.entityName}) gin_trgm_ops`),
    index('audit_events_groups').using('gin', table.groups),
  ],
);

/** First answers to requests with an Idempotency-Key, kept a day. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    /** SHA-256 of method, path and body: another request under the same key is refused. */
    request: text('request').notNull(),
    /** Null while the first request still runs. */
    status: integer('status'),
    answer: jsonb('answer'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.key] })],
);

/** Long work and what became of it. */
export const jobs = pgTable(
  'jobs',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text('kind').notNull(),
    state: text('state').notNull().default('queued'),
    done: integer('done').notNull().default(0),
    total: integer('total').notNull().default(0),
    fileName: text('file_name'),
    fileId: uuid('file_id'),
    failures: jsonb('failures').$type<unknown[]>().notNull().default([]),
    problem: jsonb('problem').$type<{ code: string; message: string }>(),
    /** What became of the rows of an import so far. */
    import: jsonb('import').$type<ImportResult>(),
    /** Of bulk work: the area, what is done, with which values, and from where it was asked for. */
    area: text('area'),
    bulk: jsonb('bulk').$type<BulkRequest>(),
    /** The job that takes this one back. */
    undoneBy: uuid('undone_by'),
    cancelWanted: boolean('cancel_wanted').notNull().default(false),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [index('jobs_user').on(table.userId, table.createdAt)],
);

/** The rows of bulk work, fixed when it is asked for, and what became of each. */
export const jobRows = pgTable(
  'job_rows',
  {
    jobId: uuid('job_id')
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    place: integer('place').notNull(),
    rowId: uuid('row_id').notNull(),
    name: text('name'),
    /** `waiting`, then `done`, `same` (nothing to do) or `failed`. */
    state: text('state').notNull().default('waiting'),
    problem: jsonb('problem').$type<NonNullable<RowOutcome['problem']>>(),
    /** The field before and after, by which the change can be taken back. */
    was: jsonb('was').$type<Record<string, unknown>>(),
    becomes: jsonb('becomes').$type<Record<string, unknown>>(),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.place] })],
);

/** Files in the data folder, under names nobody chose; the row says what they are. */
export const files = pgTable('files', {
  id: uuid('id').primaryKey().defaultRandom(),
  projectId: uuid('project_id')
    .notNull()
    .references(() => projects.id, { onDelete: 'cascade' }),
  kind: text('kind').notNull(),
  contentType: text('content_type').notNull(),
  bytes: integer('bytes').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
});

/** Facts of this installation: secret, seed mark, instance id. */
export const instance = pgTable('instance', { key: text('key').primaryKey(), value: text('value').notNull() });
