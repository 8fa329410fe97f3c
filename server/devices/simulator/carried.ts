import { and, eq, inArray, sql } from 'drizzle-orm';
import { type Carried, readableAt, type SimulatedDevice } from '#models/simulator.ts';
import type { Services } from '#server/context.ts';
import { devices, groups, identifiers, ukey2Activations, userDomains, users } from '#server/db/schema/index.ts';

const restricted = sql<Carried['state']>`case
  when ${identifiers.revokedAt} is not null then 'revoked'
  when not ${identifiers.isActive} then 'blocked'
  when ${identifiers.periodRestrictActive} and ${identifiers.periodRestrictTo} < now() then 'expired'
  else 'good' end`;
/** A mobile key is on a phone, or nobody can present it. */
const isHeld = sql`(${identifiers.type} <> 'ukey2' or exists (select from ${ukey2Activations}
  where ${ukey2Activations.identifierId} = ${identifiers.id} and ${ukey2Activations.activatedAt} is not null))`;
const mostOf = { good: 40, bad: 20 } as const;

/** The identifiers that people who live behind a device carry and that it can read, good ones first; their values stay here. */
export async function carriedAt({ db }: Services, projectId: string, device: Pick<SimulatedDevice, 'id' | 'type' | 'model'>): Promise<Carried[]> {
  const readable = readableAt(device);
  if (readable.length === 0) return [];
  const all = await db
    .selectDistinctOn([users.name, identifiers.id], {
      id: identifiers.id,
      type: identifiers.type,
      owner: users.name,
      group: groups.name,
      mask: sql<string>`right(${identifiers.value}, 4)`,
      state: restricted,
    })
    .from(identifiers)
    .innerJoin(users, eq(users.id, identifiers.userId))
    .innerJoin(userDomains, eq(userDomains.userId, users.id))
    .innerJoin(groups, eq(groups.id, userDomains.groupId))
    .innerJoin(devices, and(eq(devices.id, device.id), sql`${devices.domainId} = any(${groups.path})`))
    .where(and(eq(identifiers.projectId, projectId), inArray(identifiers.type, readable), isHeld))
    .orderBy(users.name, identifiers.id);
  const bad = all.filter(({ state }) => state !== 'good').slice(0, mostOf.bad);
  return [...all.filter(({ state }) => state === 'good').slice(0, mostOf.good), ...bad];
}
