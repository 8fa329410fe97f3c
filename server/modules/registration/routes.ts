import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import { hashToken, originOf } from '#server/access/principal.ts';
import { audit } from '#server/audit.ts';
import type { Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { oneTimeLinks, projects, users } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { serveToAnyone } from '#server/serve.ts';
import { hashChosen } from '../session/passwords.ts';
import type { Origin } from '../session/tokens.ts';
import { readOpen, readSelf } from './open.ts';
import { confirmByCode, confirmByLink, resend } from './pending.ts';
import { registerSelf, registerSimply } from './register.ts';

const living = (token: string, at: Date) =>
  and(eq(oneTimeLinks.hash, hashToken(token)), eq(oneTimeLinks.kind, 'registration'), isNull(oneTimeLinks.usedAt), gt(oneTimeLinks.expiresAt, at));

/** Whose registration a link is for. @throws HttpError `outdated_link`, the same for unknown, used and outdated ones */
async function personOf({ db, now }: Services, token: string) {
  const [person] = await db
    .select({ login: users.login, name: users.name, email: users.email, project: projects.name })
    .from(oneTimeLinks)
    .innerJoin(users, eq(users.id, oneTimeLinks.userId))
    .innerJoin(projects, eq(projects.id, users.projectId))
    .where(living(token, now()));
  if (!person) throw new HttpError('outdated_link');
  return person;
}

async function activate(tx: Db, id: string, passwordHash: string, origin: Origin, at: Date): Promise<void> {
  const activatedAt = Math.floor(at.getTime() / 1_000);
  const [user] = await tx
    .update(users)
    .set({ passwordHash, activatedAt, isVerified: true, version: sql`${users.version} + 1`, updatedAt: at })
    .where(eq(users.id, id))
    .returning();
  if (!user) throw new HttpError('outdated_link');
  const changes = { activated_at: { before: 0, after: activatedAt } };
  await audit(tx, { ...user, ...origin }, { area: 'users', action: 'update', entityId: id, entityName: user.name, changes }, at);
}

/** Completes a registration: of any number who come with the same link, one does. */
async function register(services: Services, token: string, password: string, origin: Origin): Promise<void> {
  await personOf(services, token);
  const passwordHash = await hashChosen(password, 'password');
  const at = services.now();
  await services.db.transaction(async (tx) => {
    const [link] = await tx.update(oneTimeLinks).set({ usedAt: at }).where(living(token, at)).returning({ userId: oneTimeLinks.userId });
    if (!link?.userId) throw new HttpError('outdated_link');
    await activate(tx, link.userId, passwordHash, origin, at);
  });
}

/** How people come to an account: by a link that was sent to them, or by themselves where that is open. */
export function serveRegistration(app: FastifyInstance, services: Services): void {
  const { db } = services;
  serveToAnyone(app, services, calls.openProjects, () => readOpen(db));
  serveToAnyone(app, services, calls.simpleRegistration, async ({ body, request }) => ({
    registration: await registerSimply(services, body, request),
  }));
  serveToAnyone(app, services, calls.confirmRegistration, ({ params, request }) => confirmByLink(services, params.token, originOf(request)));
  serveToAnyone(app, services, calls.selfRegistrationInfo, ({ params }) => readSelf(db, params.code));
  serveToAnyone(app, services, calls.selfRegistration, async ({ body, request }) => ({ registration: await registerSelf(services, body, request) }));
  serveToAnyone(app, services, calls.resendConfirmation, ({ body }) => resend(services, body.registration));
  serveToAnyone(app, services, calls.confirmSelfRegistration, ({ body, request }) =>
    confirmByCode(services, body.registration, body.code, originOf(request)),
  );
  serveToAnyone(app, services, calls.registrationInfo, ({ params }) => personOf(services, params.token));
  serveToAnyone(app, services, calls.register, ({ params, body, request }) => register(services, params.token, body.password, originOf(request)));
}
