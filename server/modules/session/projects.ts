import { and, eq, gt } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { SessionProject } from '#models/profile.ts';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { projects, sessions, usedRefreshTokens, users } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { freshPair, type TokenPair } from './tokens.ts';

const own = alias(sessions, 'own');

/** The sessions that began with the principal's, one for each project where the password fitted, this one among them. */
const siblings = (db: Db, principal: Principal, at: Date) =>
  db
    .select({
      id: sessions.id,
      refreshHash: sessions.refreshHash,
      user: { id: users.id, name: users.name, projectId: users.projectId },
      project: { id: projects.id, uid: projects.uid, name: projects.name },
    })
    .from(sessions)
    .innerJoin(own, and(eq(own.signInId, sessions.signInId), eq(own.id, principal.sessionId)))
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(projects, eq(projects.id, users.projectId))
    .where(gt(sessions.refreshExpiresAt, at))
    .orderBy(projects.name);

/** The projects between which the principal may change without signing in again. */
export async function readProjects({ db, now }: Services, principal: Principal): Promise<SessionProject[]> {
  return (await siblings(db, principal, now())).map(({ project }) => project);
}

/**
 * Goes on in another project: a new pair for the session there. The present session stays, so that one can come back.
 * @throws HttpError `not_found` for a project where this sign-in has no session
 */
export async function switchProject(services: Services, principal: Principal, projectId: string): Promise<TokenPair> {
  const at = services.now();
  const { pair, stored } = freshPair(at);
  await services.db.transaction(async (tx) => {
    const there = (await siblings(tx, principal, at).for('update', { of: sessions })).find(({ project }) => project.id === projectId);
    if (!there) throw new HttpError('not_found');
    await tx
      .update(sessions)
      .set({ ...stored, lastSeenAt: at })
      .where(eq(sessions.id, there.id));
    await tx.insert(usedRefreshTokens).values({ hash: there.refreshHash, sessionId: there.id, usedAt: at });
    const { user } = there;
    await audit(tx, { ...principal, ...user }, { area: 'users', action: 'sign_in', entityId: user.id, entityName: user.name }, at);
  });
  return pair;
}
