import { and, desc, eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import { originOf } from '#server/access/principal.ts';
import { type AuditEntry, audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import { sessions } from '#server/db/schema/index.ts';
import { idempotencyKeyOf } from '#server/http/idempotency.ts';
import { HttpError } from '#server/http-error.ts';
import { serve, serveToAnyone } from '#server/serve.ts';
import { readProjects, switchProject } from './projects.ts';
import { secondStep, signIn } from './sign-in.ts';
import { rotate } from './tokens.ts';

/** Ends sessions of the principal: one, or all; answers whether any was there. */
async function endSessions({ db, now }: Services, principal: Principal, id: string | null, action: AuditEntry['action']): Promise<boolean> {
  return db.transaction(async (tx) => {
    const mine = eq(sessions.userId, principal.id);
    const ended = await tx
      .delete(sessions)
      .where(id === null ? mine : and(mine, eq(sessions.id, id)))
      .returning({ id: sessions.id });
    if (ended.length > 0) await audit(tx, principal, { area: 'users', action, entityId: principal.id, entityName: principal.name }, now());
    return ended.length > 0;
  });
}

/** Sign-in, refresh, and the sessions of the person signed in. */
export function serveSession(app: FastifyInstance, services: Services): void {
  serveToAnyone(app, services, calls.signIn, ({ body, request }) => signIn(services, body.login, body.password, originOf(request)));
  serveToAnyone(app, services, calls.secondStep, ({ body, request }) => secondStep(services, body.challenge, body.code, originOf(request)));
  serveToAnyone(app, services, calls.refresh, ({ body, request }) => rotate(services, body.token, originOf(request), idempotencyKeyOf(request)));

  serve(app, services, calls.signOut, async ({ principal }) => {
    await endSessions(services, principal, principal.sessionId, 'sign_out');
  });
  serve(app, services, calls.signOutEverywhere, async ({ principal }) => {
    await endSessions(services, principal, null, 'sign_out');
  });
  serve(app, services, calls.endSession, async ({ principal, params }) => {
    if (!(await endSessions(services, principal, params.id, 'session_revoked'))) throw new HttpError('not_found');
  });
  serve(app, services, calls.sessionProjects, ({ principal }) => readProjects(services, principal));
  serve(app, services, calls.switchProject, ({ principal, body }) => switchProject(services, principal, body.project_id));
  serve(app, services, calls.sessions, async ({ principal }) => {
    const rows = await services.db.select().from(sessions).where(eq(sessions.userId, principal.id)).orderBy(desc(sessions.lastSeenAt)).limit(200);
    return rows.map((row) => ({
      id: row.id,
      ip: row.ip,
      user_agent: row.userAgent,
      created_at: row.createdAt.toISOString(),
      last_seen_at: row.lastSeenAt.toISOString(),
      is_current: row.id === principal.sessionId,
    }));
  });
}
