import { and, eq, sql } from 'drizzle-orm';
import { mayAct } from '#models/permissions.ts';
import { judge } from '#server/access/decide.ts';
import { worldForPage } from '#server/access/load.ts';
import { permitting, reaching } from '#server/access/rule-sets.ts';
import type { Principal, Services } from '#server/context.ts';
import { devices } from '#server/db/schema/index.ts';

/**
 * Ids of the devices that one of the person's own identifiers opens at this moment; of `only` alone when given. Identifiers whose passes are
 * counted are left out: nobody spends one by looking.
 */
export async function ownDoors(services: Services, principal: Principal, only?: string): Promise<string[]> {
  if (!mayAct(principal, 'openOwnDoors')) return [];
  const { db, now } = services;
  const { projectId, id: person } = principal;
  const named = await db
    .select({ id: devices.id })
    .from(devices)
    .where(
      and(
        eq(devices.projectId, projectId),
        sql`${devices.id} in (select device_id from access_rule_devices where rule_id in ${permitting(only ?? null)} and rule_id in ${reaching(person)})`,
        only === undefined ? undefined : eq(devices.id, only),
      ),
    );
  if (named.length === 0) return [];
  const at = now();
  const world = await worldForPage(services, { projectId, people: [person], devices: named.map(({ id }) => id), at });
  const own = [...world.credentials.values()].filter(({ ownerId, isGuest, passes }) => ownerId === person && !isGuest && passes === null);
  const isOpened = (deviceId: string): boolean => own.some(({ id }) => judge(world, { credential: { id }, deviceId, at: at.getTime() }).isGranted);
  return named.map(({ id }) => id).filter(isOpened);
}
