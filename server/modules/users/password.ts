import { eq, sql } from 'drizzle-orm';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import { auditRefused } from '#server/crud/trail.ts';
import { holdRow } from '#server/crud/write.ts';
import { oneTimeLinks, sessions, users } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { hashChosen } from '../session/passwords.ts';
import { usersRepository } from './repository.ts';
import { requireManageable, requireMayTakeOver } from './rules.ts';

/**
 * Sets somebody else's password: they are signed out everywhere and links sent to them stop working. They do not count as
 * activated by it: that is for the person to do. One's own is changed with the old one, in the profile.
 */
export async function setPassword(services: Services, principal: Principal, id: string, password: string): Promise<void> {
  await auditRefused(services, principal, { area: 'users', verb: 'edit', id }, async () => {
    await holdRow(services.db, usersRepository, principal, 'edit', id);
    const passwordHash = await hashChosen(password, 'new_password');
    await services.db.transaction(async (tx) => {
      const before = await holdRow(tx, usersRepository, principal, 'edit', id);
      if (id === principal.id) throw new HttpError('forbidden');
      const change = { tx, principal, id };
      requireMayTakeOver(change, await requireManageable(change));
      const at = services.now();
      await tx
        .update(users)
        .set({ passwordHash, version: sql`${users.version} + 1`, updatedAt: at })
        .where(eq(users.id, id));
      await tx.delete(sessions).where(eq(sessions.userId, id));
      await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, id));
      await audit(tx, principal, { area: 'users', action: 'password_change', entityId: id, entityName: String(before['name']) }, at);
    });
  });
}
