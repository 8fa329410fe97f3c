import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
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

/** Where people are signed in. Tokens are kept as SHA-256 only. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The same in all sessions begun by one sign-in: one for each project. */
    signInId: uuid('sign_in_id').notNull().defaultRandom(),
    tokenHash: text('token_hash').notNull().unique(),
    refreshHash: text('refresh_hash').notNull().unique(),
    rotatedAt: moment('rotated_at').notNull().defaultNow(),
    tokenExpiresAt: moment('token_expires_at').notNull(),
    refreshExpiresAt: moment('refresh_expires_at').notNull(),
    /** More than a password was shown: a code, a recovery code or a passkey. */
    withSecondFactor: boolean('with_second_factor').notNull().default(false),
    ip: text('ip'),
    userAgent: text('user_agent'),
    createdAt: moment('created_at').notNull().defaultNow(),
    lastSeenAt: moment('last_seen_at').notNull().defaultNow(),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_sign_in').on(table.signInId)],
);

/** Every refresh token a session has given up, so that any of them coming back ends the session. */
export const usedRefreshTokens = pgTable(
  'used_refresh_tokens',
  {
    hash: text('hash').primaryKey(),
    sessionId: uuid('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    usedAt: moment('used_at').notNull().defaultNow(),
  },
  (table) => [index('used_refresh_tokens_session').on(table.sessionId)],
);

/** From which devices people have signed in: a hash of browser and address block, so that a new one is noticed. */
export const knownDevices = pgTable(
  'known_devices',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    mark: text('mark').notNull(),
    lastSeenAt: moment('last_seen_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.mark] })],
);

/** The authenticator app of a person; it counts once a code of it was confirmed. */
export const secondFactors = pgTable('second_factors', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Sealed under the installation's secret. */
  secretCipher: text('secret_cipher').notNull(),
  confirmedAt: moment('confirmed_at'),
  /** The step of the last code that was used: none is used twice. */
  lastStep: integer('last_step'),
  createdAt: moment('created_at').notNull().defaultNow(),
});

/** Passkeys of people (WebAuthn): public keys, of no use to whoever reads them. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** What its authenticator knows it by, base64url. */
    credentialId: text('credential_id').notNull().unique(),
    /** COSE, base64url. */
    publicKey: text('public_key').notNull(),
    /** How often it was used, as its authenticator counts; one that goes back was copied. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: text('transports').array().notNull(),
    isSynced: boolean('is_synced').notNull(),
    name: text('name').notNull(),
    lastUsedAt: moment('last_used_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('passkeys_user').on(table.userId)],
);

/** Where the browser of a session is reached while its page is closed (Web Push); it ends with the session. */
export const pushSubscriptions = pgTable('push_subscriptions', {
  sessionId: uuid('session_id')
    .primaryKey()
    .references(() => sessions.id, { onDelete: 'cascade' }),
  endpoint: text('endpoint').notNull().unique(),
  /** The browser's public key and secret (RFC 8291), base64url: what is sent is encrypted for it alone. */
  p256dh: text('p256dh').notNull(),
  auth: text('auth').notNull(),
  /** What was sent last, newest at the end: nothing is sent twice, whichever process hears of it first. */
  recent: text('recent').array().notNull().default([]),
  createdAt: moment('created_at').notNull().defaultNow(),
});

/** What opens an account when its app is lost, each once; kept as SHA-256. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    hash: text('hash').notNull(),
    usedAt: moment('used_at'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
);

/** Links sent by mail: registration, confirmation, recovery. Kept as SHA-256, used once. */
export const oneTimeLinks = pgTable(
  'one_time_links',
  {
    hash: text('hash').primaryKey(),
    kind: text('kind').notNull(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('one_time_links_user').on(table.userId)],
);

/** People who have registered by themselves and have yet to prove their address; they are nobody's users before that. Secrets are kept as SHA-256. */
export const pendingRegistrations = pgTable(
  'pending_registrations',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** What the page that registered goes on with. */
    tokenHash: text('token_hash').notNull().unique(),
    /** The link of the last mail, and the code in it. */
    linkHash: text('link_hash').notNull().unique(),
    codeHash: text('code_hash').notNull(),
    login: text('login').notNull(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    locale: text('locale').notNull(),
    /** The type of client; null: registered by name and login alone. */
    clientType: text('client_type'),
    objectName: text('object_name'),
    passwordHash: text('password_hash').notNull(),
    /** Wrong codes, and mails, so far. */
    tries: integer('tries').notNull().default(0),
    mails: integer('mails').notNull().default(1),
    mailedAt: moment('mailed_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('pending_registrations_email').on(table.projectId, table.email), index('pending_registrations_expiry').on(table.expiresAt)],
);

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
    index('audit_events_user').on(table.userId),
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
