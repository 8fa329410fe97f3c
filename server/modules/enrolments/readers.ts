import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import { deviceCan } from '#models/device-models.ts';
import { deviceCodes } from '#models/devices.ts';
import type { CardReader } from '#models/enrolment.ts';
import { hasPermission, mayAct } from '#models/permissions.ts';
import { everything } from '#server/access/measures.ts';
import { inVerbScope, scopeOf, viewable } from '#server/access/scope.ts';
import type { Principal, Services } from '#server/context.ts';
import { inNameOrder, onlySeen } from '#server/crud/json.ts';
import { devices, deviceTasks, groups } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';

/** Whoever may open its door or change it may have a device read a card. */
const actedOn = (principal: Principal): SQL => (mayAct(principal, 'openDoors') ? everything : inVerbScope(principal, 'edit', 'devices'));

/** The readers somebody may enrol cards at, by name; the one they enrolled at last comes first. */
export async function cardReaders({ db }: Services, principal: Principal): Promise<CardReader[]> {
  const scope = scopeOf(principal);
  const [latest] = await db
    .select({ deviceId: deviceTasks.deviceId })
    .from(deviceTasks)
    .where(and(eq(deviceTasks.kind, 'enrol_card'), eq(deviceTasks.createdBy, principal.id), eq(deviceTasks.projectId, principal.projectId)))
    .orderBy(sql`${deviceTasks.createdAt} desc`)
    .limit(1);
  const rows = await db
    .select({ device: devices, group: groups.name })
    .from(devices)
    .leftJoin(groups, and(eq(groups.id, devices.domainId), onlySeen(scope, 'groups', groups.id)))
    .where(and(viewable(scope, 'devices'), actedOn(principal), ne(devices.protocol, 'none')))
    .orderBy(sql`${devices.id} = ${latest?.deviceId ?? null} desc nulls last`, inNameOrder(devices.name), devices.id);
  const seesStatus = hasPermission(principal, deviceCodes.status);
  return rows
    .filter(({ device }) => deviceCan(device, 'card'))
    .map(({ device: { id, name, online }, group }) => ({ id, name, group, online: seesStatus ? online : null, last: id === latest?.deviceId }));
}

/** A reader by its id. @throws HttpError `not_found` where it is out of sight, `forbidden` where it is not somebody's to act on or reads no cards */
export async function requireReader({ db }: Services, principal: Principal, id: string): Promise<void> {
  const [device] = await db
    .select({ type: devices.type, model: devices.model, mayAct: sql<boolean>`(${actedOn(principal)})` })
    .from(devices)
    .where(and(eq(devices.id, id), viewable(scopeOf(principal), 'devices')));
  if (!device) throw new HttpError('not_found');
  if (!device.mayAct || !deviceCan(device, 'card')) throw new HttpError('forbidden');
}
