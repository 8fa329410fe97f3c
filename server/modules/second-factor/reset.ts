import { eq } from 'drizzle-orm';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import { auditRefused } from '#server/crud/trail.ts';
import { holdRow } from '#server/crud/write.ts';
import { passkeys, sessions, users } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { mailPasskey, mailSecondFactor } from '../account-mails.ts';
import { usersRepository } from '../users/repository.ts';
import { requireManageable, requireMayTakeOver } from '../users/rules.ts';
import { removeFactor } from './factor.ts';

/** Takes somebody's app, recovery codes and passkeys away who has lost them: who may, could set their password too. They are signed out and told. */
export const resetFactor = (services: Services, principal: Principal, id: string): Promise<void> =>
  auditRefused(services, principal, { area: 'users', verb: 'edit', id }, () =>
    services.db.transaction(async (tx) => {
      await holdRow(tx, usersRepository, principal, 'edit', id);
      // One's own is turned off in the profile, with the password.
      if (id === principal.id) throw new HttpError('forbidden');
      const change = { tx, principal, id };
      requireMayTakeOver(change, await requireManageable(change));
      const hadApp = await removeFactor(tx, id);
      const gone = await tx.delete(passkeys).where(eq(passkeys.userId, id)).returning({ name: passkeys.name });
      if (!hadApp && gone.length === 0) return;
      await tx.delete(sessions).where(eq(sessions.userId, id));
      const [user] = await tx.select().from(users).where(eq(users.id, id));
      if (!user) throw new HttpError('not_found');
      const names = gone.map(({ name }) => name).join(', ');
      const changes = {
        ...(hadApp && { second_factor: { before: 'on', after: 'off' } }),
        ...(gone.length > 0 && { passkey: { before: names, after: null } }),
      };
      await audit(tx, principal, { area: 'users', action: 'update', entityId: id, entityName: user.name, changes }, services.now());
      if (hadApp) await mailSecondFactor(tx, services, user, principal);
      if (gone.length > 0) await mailPasskey(tx, services, user, principal, 'passkey_removed', names);
    }),
  );
