import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { hashToken } from '#server/access/principal.ts';
import { audit } from '#server/audit.ts';
import type { Services } from '#server/context.ts';
import { oneTimeLinks, projects, sessions, users } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { mailPasswordChanged } from '../account-mails.ts';
import { forgive } from '../session/limiter.ts';
import { hashChosen } from '../session/passwords.ts';
import type { Origin } from '../session/tokens.ts';

const living = (code: string, at: Date) =>
  and(eq(oneTimeLinks.hash, hashToken(code)), eq(oneTimeLinks.kind, 'recovery'), isNull(oneTimeLinks.usedAt), gt(oneTimeLinks.expiresAt, at));

/** Whose password a recovery link is for. @throws HttpError `outdated_link`, the same for unknown, used and outdated ones */
export async function readReset({ db, now }: Services, code: string) {
  const [person] = await db
    .select({ login: users.login, name: users.name, project: projects.name })
    .from(oneTimeLinks)
    .innerJoin(users, eq(users.id, oneTimeLinks.userId))
    .innerJoin(projects, eq(projects.id, users.projectId))
    .where(living(code, now()));
  if (!person) throw new HttpError('outdated_link');
  return person;
}

/**
 * Sets a new password by a recovery link: of any number who come with the same link, one does. All sessions of the person end.
 * Their address is proved by it, as by a registration.
 */
export async function resetPassword(services: Services, code: string, password: string, origin: Origin): Promise<void> {
  await readReset(services, code);
  const passwordHash = await hashChosen(password, 'password');
  const at = services.now();
  const login = await services.db.transaction(async (tx) => {
    const [link] = await tx.update(oneTimeLinks).set({ usedAt: at }).where(living(code, at)).returning({ userId: oneTimeLinks.userId });
    if (!link?.userId) throw new HttpError('outdated_link');
    const activatedAt = sql<number>`case when ${users.activatedAt} > 0 then ${users.activatedAt} else ${Math.floor(at.getTime() / 1_000)} end`;
    const [user] = await tx
      .update(users)
      .set({ passwordHash, activatedAt, isVerified: true, version: sql`${users.version} + 1`, updatedAt: at })
      .where(eq(users.id, link.userId))
      .returning();
    if (!user) throw new HttpError('outdated_link');
    await tx.delete(sessions).where(eq(sessions.userId, user.id));
    // An invitation that was not used would be a second way in.
    await tx.delete(oneTimeLinks).where(and(eq(oneTimeLinks.userId, user.id), isNull(oneTimeLinks.usedAt)));
    await audit(tx, { ...user, ...origin }, { area: 'users', action: 'password_change', entityId: user.id, entityName: user.name }, at);
    await mailPasswordChanged(tx, services, user, origin);
    return user.login;
  });
  forgive(services, login, origin);
}
