import type { Principal, Services } from '#server/context.ts';
import { auditRefused } from '#server/crud/trail.ts';
import { holdRow } from '#server/crud/write.ts';
import { usersRepository } from './repository.ts';
import { inviteAgain } from './registration.ts';
import { requireManageable } from './rules.ts';

/** Sends somebody their registration link, if the principal may manage them. */
export const sendLink = (services: Services, principal: Principal, id: string): Promise<void> =>
  auditRefused(services, principal, { area: 'users', verb: 'edit', id }, () =>
    services.db.transaction(async (tx) => {
      await holdRow(tx, usersRepository, principal, 'edit', id);
      await requireManageable({ tx, principal, id });
      await inviteAgain(services, principal, tx, id);
    }),
  );
