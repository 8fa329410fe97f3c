import { eq, sql } from 'drizzle-orm';
import { audit } from '#server/audit.ts';
import type { Asker, Services } from '#server/context.ts';
import { auditingRefusals } from '#server/crud/trail.ts';
import { holdRow } from '#server/crud/write.ts';
import { oneTimeLinks, sessions, users } from '#server/db/schema/index.ts';
import { Refusal } from '#server/refusal.ts';
import { hashChosen } from '../session/passwords.ts';
import { usersBinding } from './binding.ts';
import { demandManageable, demandMayTakeOver } from './rules.ts';

/**
 * Sets somebody else's password: they are signed out everywhere and links sent to them stop working. They do not count as
 * activated by it: that is for the person to do. One's own is changed with the old one, in the profile.
 */
export async function setPassword(services: Services, asker: Asker, id: string, password: string): Promise<void> {
  await auditingRefusals(services, asker, { area: 'users', verb: 'edit', id }, async () => {
    await holdRow(services.db, usersBinding, asker, 'edit', id);
    const passwordHash = await hashChosen(password, 'new_password');
    await services.db.transaction(async (tx) => {
      const before = await holdRow(tx, usersBinding, asker, 'edit', id);
      if (id === asker.id) throw new Refusal('forbidden');
      const change = { tx, asker, id };
      demandMayTakeOver(change, await demandManageable(change));
      const at = services.now();
      await tx
        .update(users)
        .set({ passwordHash, version: sql`${users.version} + 1`, updatedAt: at })
        .where(eq(users.id, id));
      await tx.delete(sessions).where(eq(sessions.userId, id));
      await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, id));
      await audit(tx, asker, { area: 'users', action: 'password_change', entityId: id, entityName: String(before['name']) }, at);
    });
  });
}
