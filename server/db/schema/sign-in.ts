import { bigint, boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';
import { projects, users } from './people.ts';

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

/** Phones and tablets on which people signed in to the mobile app. */
export const mobileClients = pgTable(
  'mobile_clients',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    clientId: text('client_id').notNull(),
    platform: text('platform').notNull(),
    info: text('info').notNull(),
    authTime: moment('auth_time').notNull(),
    vendorId: text('vendor_id').notNull(),
    ukey2: text('ukey2'),
    /** The session it was signed in with last: once that is over, nothing more is sent to it. */
    sessionId: uuid('session_id').references(() => sessions.id, { onDelete: 'set null' }),
    /** Keys of the pushes that were sent to it last: of several processes that hear the same, one sends it. */
    recent: text('recent').array().notNull().default([]),
  },
  (table) => [index('mobile_clients_user').on(table.userId), index('mobile_clients_session').on(table.sessionId)],
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
