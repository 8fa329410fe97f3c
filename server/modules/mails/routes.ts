import { and, desc, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import type { Mail } from '#models/mail.ts';
import { holds } from '#models/permissions.ts';
import { reached, sightOf, viewable } from '#server/access/scope.ts';
import type { Principal, Services } from '#server/context.ts';
import { mails, pendingRegistrations, roles, users } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { serve } from '#server/serve.ts';

const atMost = 50;

/** People whose sign-in the principal could change anyway, as `demandMayTakeOver` has it: a mail may hold the link that does. */
const mayTakeOver = (principal: Principal): SQL | undefined =>
  and(
    viewable(sightOf(principal), 'users'),
    reached(principal, 'edit', 'users'),
    holds(principal, 'can_grant_more_than_own') ? undefined : sql`${roles.permissions} <@ ${`{${principal.permissions.join(',')}}`}::text[]`,
  );

/** Of somebody whose registration waits for their address to be proved: for those who manage users. Without its password the link opens nothing. */
const isRegistering = (principal: Principal): SQL | undefined =>
  holds(principal, 'can_edit_all_users')
    ? and(
        isNull(mails.userId),
        sql`exists (select from ${pendingRegistrations} p where p.project_id = ${mails.projectId} and p.email = ${mails.recipient} and p.mailed_at <= ${mails.createdAt})`,
      )
    : sql`false`;

async function lastMails({ db }: Services, principal: Principal): Promise<Mail[]> {
  const { id, recipient, subject, body, createdAt } = mails;
  const rows = await db
    .select({ id, recipient, subject, body, createdAt })
    .from(mails)
    .leftJoin(users, eq(users.id, mails.userId))
    .leftJoin(roles, eq(roles.id, users.roleId))
    .where(and(eq(mails.projectId, principal.projectId), or(and(isNotNull(users.id), mayTakeOver(principal)), isRegistering(principal))))
    .orderBy(desc(mails.createdAt), desc(mails.id))
    .limit(atMost);
  return rows.map(({ createdAt: at, ...mail }) => ({ ...mail, created_at: at.toISOString() }));
}

/** What the demo wrote to people. Mails carry links that open accounts, so without the demo this is not there for anybody. */
export function serveMails(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.mails, ({ principal }) => {
    if (!services.config.demo || !holds(principal, 'can_view_system_info')) throw new HttpError('not_found');
    return lastMails(services, principal);
  });
}
