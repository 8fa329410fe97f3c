import { createHmac } from 'node:crypto';
import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { hashToken, makeToken } from '#server/access/principal.ts';
import { audit } from '#server/audit.ts';
import type { Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { sessions, usedRefreshTokens, users } from '#server/db/schema/index.ts';
import { derivedKey } from '#server/derived-key.ts';
import { announce } from '#server/realtime/publish.ts';
import { HttpError } from '#server/http-error.ts';
import { lengthOf } from '#models/time.ts';

const accessLife = 15 * 60_000;
const refreshLife = lengthOf(30, 'day');
/** Two tabs may send the same refresh token within moments; later than this it was stolen. */
const reuseGrace = 30_000;

/** Where a session was begun from. */
export interface Origin {
  ip: string;
  userAgent: string | null;
}
/** What a client is told of its tokens, once. */
export interface TokenPair {
  token: string;
  refresh: string;
}

const randomPair = (): TokenPair => ({ token: makeToken(), refresh: makeToken() });

/** What a refresh token is exchanged for under a key: the same pair each time, though nothing that it could be told from is kept. */
function pairUnder(services: Pick<Services, 'config'>, refresh: string, key: string): TokenPair {
  const derived = derivedKey(services, 'exchanged tokens');
  const made = (kind: keyof TokenPair): string => createHmac('sha256', derived).update(`${kind} ${key} ${refresh}`).digest('base64url');
  return { token: made('token'), refresh: made('refresh') };
}

/** A new pair, and what is kept of it. */
export const freshPair = (at: Date, pair = randomPair()) => {
  const stored = {
    tokenHash: hashToken(pair.token),
    refreshHash: hashToken(pair.refresh),
    rotatedAt: at,
    tokenExpiresAt: new Date(at.getTime() + accessLife),
    refreshExpiresAt: new Date(at.getTime() + refreshLife),
  };
  return { pair, stored };
};

/** Begins a session of a user; sessions of theirs that are over go. `signInId` is shared by the sessions of one sign-in. */
export async function beginSession(
  db: Db,
  userId: string,
  { ip, userAgent }: Origin,
  at: Date,
  { signInId, withSecondFactor = false }: { signInId?: string; withSecondFactor?: boolean } = {},
): Promise<TokenPair> {
  const { pair, stored } = freshPair(at);
  await db.delete(sessions).where(and(eq(sessions.userId, userId), lt(sessions.refreshExpiresAt, at)));
  await db
    .insert(sessions)
    .values({ userId, withSecondFactor, ...(signInId !== undefined && { signInId }), ...stored, ip, userAgent, createdAt: at, lastSeenAt: at });
  return pair;
}

/** Is this the pair that its session has at present? */
async function isPresent({ db }: Services, { refresh }: TokenPair, at: Date): Promise<boolean> {
  const present = and(eq(sessions.refreshHash, hashToken(refresh)), gt(sessions.refreshExpiresAt, at));
  return (await db.select({ id: sessions.id }).from(sessions).where(present)).length > 0;
}

/**
 * Exchanges a refresh token for a new pair, once: of any number that come with the same one, exactly one gets it. Whoever comes again under
 * the same key never heard the answer, and gets the same pair until that is exchanged in its turn.
 * @throws HttpError `invalid_token`; a token used before, and not just now, also ends its session.
 */
export async function rotate(services: Services, refresh: string, origin: Origin, key: string | null): Promise<TokenPair> {
  const at = services.now();
  const { pair, stored } = freshPair(at, key === null ? randomPair() : pairUnder(services, refresh, key));
  const old = hashToken(refresh);
  const done = await services.db.transaction(async (tx) => {
    const [session] = await tx
      .update(sessions)
      .set({ ...stored, lastSeenAt: at })
      .where(and(eq(sessions.refreshHash, old), gt(sessions.refreshExpiresAt, at)))
      .returning({
        id: sessions.id,
        userId: sessions.userId,
        project: sql<string>`(select u.project_id from users u where u.id = user_id)`,
      });
    if (!session) return false;
    await tx.insert(usedRefreshTokens).values({ hash: old, sessionId: session.id, usedAt: at });
    // Open channels of this session live on with it.
    await announce(tx, [{ project: session.project, users: [session.userId] }]);
    return true;
  });
  if (done || (key !== null && (await isPresent(services, pair, at)))) return pair;
  await endIfStolen(services, old, origin, at);
  throw new HttpError('invalid_token');
}

async function endIfStolen({ db, log }: Services, old: string, origin: Origin, at: Date): Promise<void> {
  const [found] = await db
    .select({ usedAt: usedRefreshTokens.usedAt, sessionId: sessions.id, id: users.id, name: users.name, projectId: users.projectId })
    .from(usedRefreshTokens)
    .innerJoin(sessions, eq(sessions.id, usedRefreshTokens.sessionId))
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(usedRefreshTokens.hash, old));
  if (!found || at.getTime() - found.usedAt.getTime() <= reuseGrace) return;
  log.warn({ user: found.id, session: found.sessionId }, 'a refresh token was used twice: session ended');
  await db.transaction(async (tx) => {
    const ended = await tx.delete(sessions).where(eq(sessions.id, found.sessionId)).returning({ id: sessions.id });
    if (ended.length === 0) return;
    const entry = { area: 'users', action: 'session_revoked', entityId: found.id, entityName: found.name } as const;
    await audit(tx, { ...found, ...origin }, { ...entry, changes: { reason: { before: null, after: 'refresh token reused' } } }, at);
  });
}
