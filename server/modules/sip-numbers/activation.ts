import { eq, sql } from 'drizzle-orm';
import { hasPermission } from '#models/permissions.ts';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import { holdRow, transact } from '#server/crud/write.ts';
import { auditRefused } from '#server/crud/trail.ts';
import { sipNumbers, users } from '#server/db/schema/index.ts';
import { refusedField } from '../roles/rules.ts';
import { sipNumbersRepository } from './repository.ts';
import { notifyDevice } from './of-device.ts';

/** Switches a number that one sees on or off; the device that has it is told. @throws HttpError `not_found`, `forbidden` for numbers of the system */
export async function activateNumber(services: Services, principal: Principal, id: string, isActive: boolean): Promise<void> {
  await auditRefused(services, principal, { area: 'sip-numbers', verb: 'edit', id }, () =>
    transact(services, async (tx) => {
      const row = await holdRow(tx, sipNumbersRepository, principal, 'view', id);
      if (row['is_system'] && !hasPermission(principal, 'can_mark_sip_numbers_system')) throw refusedField('is_system', 'not_allowed');
      if (row['is_active'] === isActive) return;
      const [number] = await tx
        .update(sipNumbers)
        .set({ isActive, version: sql`${sipNumbers.version} + 1`, updatedAt: services.now() })
        .where(eq(sipNumbers.id, id))
        .returning({ number: sipNumbers.number, deviceId: sipNumbers.deviceId, userId: sipNumbers.userId });
      const changes = { is_active: { before: !isActive, after: isActive } };
      await audit(
        tx,
        principal,
        { area: 'sip-numbers', action: 'update', entityId: id, entityName: number?.number ?? null, changes },
        services.now(),
      );
      if (number?.userId)
        await tx
          .update(users)
          .set({ version: sql`${users.version} + 1` })
          .where(eq(users.id, number.userId));
      if (number?.deviceId) await notifyDevice(services, tx, number.deviceId, principal.id);
    }),
  );
}
