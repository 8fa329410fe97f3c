import { eq } from 'drizzle-orm';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import { auditingRefusals } from '#server/crud/trail.ts';
import { holdRow } from '#server/crud/write.ts';
import { sessions, users } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { mailSecondFactor } from '../account-mails.ts';
import { usersBinding } from '../users/binding.ts';
import { demandManageable, demandMayTakeOver } from '../users/rules.ts';
import { removeFactor } from './factor.ts';

/** Takes somebody's second factor away who has lost it: who may, could set their password too. They are signed out and told. */
export const resetFactor = (services: Services, principal: Principal, id: string): Promise<void> =>
  auditingRefusals(services, principal, { area: 'users', verb: 'edit', id }, () =>
    services.db.transaction(async (tx) => {
      await holdRow(tx, usersBinding, principal, 'edit', id);
      // One's own is turned off in the profile, with the password.
      if (id === principal.id) throw new HttpError('forbidden');
      const change = { tx, principal, id };
      demandMayTakeOver(change, await demandManageable(change));
      if (!(await removeFactor(tx, id))) return;
      await tx.delete(sessions).where(eq(sessions.userId, id));
      const [user] = await tx.select().from(users).where(eq(users.id, id));
      if (!user) throw new HttpError('not_found');
      const changes = { second_factor: { before: 'on', after: 'off' } };
      await audit(tx, principal, { area: 'users', action: 'update', entityId: id, entityName: user.name, changes }, services.now());
      await mailSecondFactor(tx, services, user, principal);
    }),
  );
