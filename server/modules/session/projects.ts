import { and, eq, gt } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { SessionProject } from '#models/profile.ts';
import { audit } from '#server/audit.ts';
import type { Asker, Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { projects, sessions, usedRefreshTokens, users } from '#server/db/schema/index.ts';
import { Refusal } from '#server/refusal.ts';
import { freshPair, type TokenPair } from './tokens.ts';

const own = alias(sessions, 'own');

/** The sessions that began with the asker's, one for each project where the password fitted, this one among them. */
const siblings = (db: Db, asker: Asker, at: Date) =>
  db
    .select({
      id: sessions.id,
      refreshHash: sessions.refreshHash,
      user: { id: users.id, name: users.name, projectId: users.projectId },
      project: { id: projects.id, uid: projects.uid, name: projects.name },
    })
    .from(sessions)
    .innerJoin(own, and(eq(own.signInId, sessions.signInId), eq(own.id, asker.sessionId)))
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(projects, eq(projects.id, users.projectId))
    .where(gt(sessions.refreshExpiresAt, at))
    .orderBy(projects.name);

/** The projects between which the asker may change without signing in again. */
export async function readProjects({ db, now }: Services, asker: Asker): Promise<SessionProject[]> {
  return (await siblings(db, asker, now())).map(({ project }) => project);
}

/**
 * Goes on in another project: a new pair for the session there. The present session stays, so that one can come back.
 * @throws Refusal `not_found` for a project where this sign-in has no session
 */
export async function switchProject(services: Services, asker: Asker, projectId: string): Promise<TokenPair> {
  const at = services.now();
  const { pair, kept } = freshPair(at);
  await services.db.transaction(async (tx) => {
    const there = (await siblings(tx, asker, at).for('update', { of: sessions })).find(({ project }) => project.id === projectId);
    if (!there) throw new Refusal('not_found');
    await tx
      .update(sessions)
      .set({ ...kept, lastSeenAt: at })
      .where(eq(sessions.id, there.id));
    await tx.insert(usedRefreshTokens).values({ hash: there.refreshHash, sessionId: there.id, usedAt: at });
    const { user } = there;
    await audit(tx, { ...asker, ...user }, { area: 'users', action: 'sign_in', entityId: user.id, entityName: user.name }, at);
  });
  return pair;
}
