import { and, desc, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import type { Mail } from '#models/mail.ts';
import { hasPermission } from '#models/permissions.ts';
import { inVerbScope, scopeOf, viewable } from '#server/access/scope.ts';
import type { Principal, Services } from '#server/context.ts';
import { mails, pendingRegistrations, roles, users } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { sendTestMail } from '#server/mail/test-mail.ts';
import { serve } from '#server/serve.ts';
import { readBlock } from '#server/settings/store.ts';

const atMost = 50;

/** People whose sign-in the principal could change anyway, as `requireMayTakeOver` has it: a mail may hold the link that does. */
const mayTakeOver = (principal: Principal): SQL | undefined =>
  and(
    viewable(scopeOf(principal), 'users'),
    inVerbScope(principal, 'edit', 'users'),
    hasPermission(principal, 'can_grant_more_than_own') ? undefined : sql`${roles.permissions} <@ ${`{${principal.permissions.join(',')}}`}::text[]`,
  );

/** Of somebody whose registration waits for their address to be proved: for those who manage users. Without its password the link opens nothing. */
const isRegistering = (principal: Principal): SQL | undefined =>
  hasPermission(principal, 'can_edit_all_users')
    ? and(
        isNull(mails.userId),
        sql`exists (select from ${pendingRegistrations} p where p.project_id = ${mails.projectId} and p.email = ${mails.recipient} and p.mailed_at <= ${mails.createdAt})`,
      )
    : sql`false`;

type Row = typeof mails.$inferSelect;
const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

function stateOf({ sentAt, failedAt, attempts }: Row, hasServer: boolean): Mail['state'] {
  if (sentAt) return 'sent';
  // Nobody had tried it when there was no mail server: it is sent when somebody says so.
  if (failedAt) return attempts > 0 ? 'failed' : 'kept';
  return hasServer || attempts > 0 ? 'waiting' : 'kept';
}
/** Mails carry links that open accounts: what they say is told in the demo alone, and only while it is known whose they are. */
const shown = (row: Row, { isOpen, hasServer }: { isOpen: boolean; hasServer: boolean }): Mail => ({
  id: row.id,
  recipient: row.recipient,
  subject: row.subject,
  body: isOpen ? row.body : null,
  created_at: row.createdAt.toISOString(),
  state: stateOf(row, hasServer),
  attempts: row.attempts,
  tried_at: iso(row.triedAt),
  sent_at: iso(row.sentAt),
  next_at: row.attempts > 0 && !row.sentAt && !row.failedAt ? iso(row.claimedUntil) : null,
  reason: row.lastReason,
  words: row.lastWords,
});

/** Mails of the project to people whom the principal manages, and those to nobody's account: newest first. */
async function readMails({ db, config }: Services, principal: Principal, which?: SQL): Promise<Mail[]> {
  const [rows, { value }] = await Promise.all([
    db
      .select({ mail: mails, isKnown: sql<boolean>`(${or(isNotNull(mails.userId), isRegistering(principal))})` })
      .from(mails)
      .leftJoin(users, eq(users.id, mails.userId))
      .leftJoin(roles, eq(roles.id, users.roleId))
      .where(and(eq(mails.projectId, principal.projectId), or(isNull(mails.userId), mayTakeOver(principal)), which))
      .orderBy(desc(mails.createdAt), desc(mails.id))
      .limit(atMost),
    readBlock(db, principal.projectId, 'mail'),
  ]);
  const hasServer = config.mailUrl !== null || value.type !== 'none';
  return rows.map(({ mail, isKnown }) => shown(mail, { isOpen: config.demo && isKnown, hasServer }));
}

/** Has a mail sent that was given up or waits for its next try. @throws HttpError `not_found` */
async function retry(services: Services, principal: Principal, id: string): Promise<Mail> {
  const [found] = await readMails(services, principal, eq(mails.id, id));
  if (!found) throw new HttpError('not_found');
  await services.db
    .update(mails)
    .set({
      claimedUntil: null,
      failedAt: null,
      createdAt: sql`case when ${mails.failedAt} is null then ${mails.createdAt} else ${services.now()} end`,
    })
    .where(and(eq(mails.id, id), isNull(mails.sentAt), sql`(${mails.failedAt} is not null or ${mails.attempts} > 0)`));
  const [now] = await readMails(services, principal, eq(mails.id, id));
  return now ?? found;
}

/** The outbox: what was written to people, and whether a mail server has taken it. */
export function serveMails(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.mails, ({ principal }) => readMails(services, principal));
  serve(app, services, calls.retryMail, ({ principal, params }) => retry(services, principal, params.id));
  serve(app, services, calls.testMail, ({ principal, body }) => sendTestMail(services, principal, body.email, body.mail_settings));
}
