import { and, eq, sql } from 'drizzle-orm';
import { topics } from '#models/realtime.ts';
import { idArray } from '#server/access/measures.ts';
import { inVerbScope } from '#server/access/scope.ts';
import type { Change } from '#server/crud/repository.ts';
import { devices } from '#server/db/schema/index.ts';
import { requireDeviceLicence } from '#server/licences/features.ts';
import { publish } from '#server/realtime/publish.ts';
import { invalidField } from '#server/http-error.ts';
import { refusedField } from '../roles/rules.ts';

/** A device belongs to one group always: it is not let go, it is taken by another. */
async function requireNoneLeft({ tx, before }: Change, wanted: readonly string[]): Promise<void> {
  const were = ((before?.['devices'] ?? []) as { id: string; name: string }[]).filter(({ id }) => !wanted.includes(id));
  const [left] = were;
  if (!left) return;
  const [still] = await tx.select({ id: devices.id }).from(devices).where(eq(devices.id, left.id));
  if (still) throw invalidField(['devices'], 'device_needs_group', { name: left.name });
}

/** Brings the devices that a group's form names into the group: only those that the principal may edit, wherever they were. */
export async function takeDevices(change: Change): Promise<void> {
  const { tx, principal, id, at, fields, before } = change;
  const wanted = (fields['devices'] ?? []) as string[];
  await requireNoneLeft(change, wanted);
  const were = new Set(((before?.['devices'] ?? []) as { id: string }[]).map((device) => device.id));
  const taken = wanted.filter((device) => !were.has(device));
  if (taken.length === 0) return;
  await requireDeviceLicence(change.services, tx, principal.projectId, id);
  const moved = await tx
    .update(devices)
    .set({ domainId: id, version: sql`${devices.version} + 1`, updatedAt: at })
    .where(and(sql`${devices.id} = any(${idArray(taken)})`, eq(devices.projectId, principal.projectId), inVerbScope(principal, 'edit', 'devices')))
    .returning({ id: devices.id });
  if (moved.length < taken.length) throw refusedField('devices', 'not_allowed');
  await publish(tx, principal.projectId, topics.area('devices'), 'RowsChanged', { area: 'devices', ids: moved.map((device) => device.id) });
}
