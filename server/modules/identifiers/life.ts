import { eq, sql } from 'drizzle-orm';
import { mayHappenToIdentifier, type Standing } from '#machines/lifecycles/identifier.machine.ts';
import type { Verb } from '#models/area-rules.ts';
import { hasPermission } from '#models/permissions.ts';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import { auditRefused } from '#server/crud/trail.ts';
import type { AreaRepository, Row } from '#server/crud/repository.ts';
import { holdRow, transact } from '#server/crud/write.ts';
import { identifiers } from '#server/db/schema/index.ts';
import { notifyingDevices } from '#server/devices/copies.ts';
import { HttpError } from '#server/http-error.ts';
import { identifiersRepository } from './repository.ts';

/** One step in the life of an identifier: what leads to it, which column tells of it, and what that holds afterwards. */
const steps = {
  revoke: { event: 'identifier.revoke', column: 'revokedAt', field: 'revoked_at', sets: true },
  restore: { event: 'identifier.restore', column: 'revokedAt', field: 'revoked_at', sets: false },
  lose: { event: 'identifier.lose', column: 'lostAt', field: 'lost_at', sets: true },
  find: { event: 'identifier.find', column: 'lostAt', field: 'lost_at', sets: false },
} as const;
export type Step = keyof typeof steps;

/** Whoever has an identifier reports it lost, at once; the rest is for those who change identifiers. */
function requireMayLose(principal: Principal, row: Row): void {
  const owner = row['owner'] as { id: string } | null;
  if (owner?.id !== principal.id && !hasPermission(principal, 'can_edit_identifiers')) throw new HttpError('forbidden');
}

/**
 * Takes an identifier one step on in its life; a step that was taken already changes nothing.
 * @throws HttpError `not_found`, `forbidden`; `editing_prohibited` for a step its life does not have
 */
export async function moveIdentifier(
  services: Services,
  principal: Principal,
  id: string,
  step: Step,
  { repository, verb }: { repository: AreaRepository; verb: Verb } = { repository: identifiersRepository, verb: step === 'lose' ? 'view' : 'edit' },
): Promise<void> {
  const { event, column, field, sets } = steps[step];
  await auditRefused(services, principal, { area: repository.area, verb: 'edit', id }, () =>
    transact(services, async (tx) => {
      const row = await holdRow(tx, repository, principal, verb, id);
      if (step === 'lose') requireMayLose(principal, row);
      if (step === 'revoke' && row['type'] === 'ukey2' && !hasPermission(principal, 'can_revoke_ukey2')) throw new HttpError('forbidden');
      if ((row[field] !== null) === sets) return;
      // Rows that do not tell their type are of mobile keys, those that are never lost of guests.
      if (!mayHappenToIdentifier({ lost_at: null, type: 'ukey2', ...row } as unknown as Standing, event)) throw new HttpError('editing_prohibited');
      const at = services.now();
      await notifyingDevices(tx, 'identifiers', [id], () =>
        tx
          .update(identifiers)
          .set({ [column]: sets ? at : null, version: sql`${identifiers.version} + 1`, updatedAt: at })
          .where(eq(identifiers.id, id)),
      );
      const changes = { [field]: { before: row[field], after: sets ? at.toISOString() : null } };
      await audit(tx, principal, { area: repository.area, action: 'update', entityId: id, entityName: String(row['name']), changes }, at);
    }),
  );
}
