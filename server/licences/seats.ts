import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import type { LicenceInfo } from '#models/licence-info.ts';
import { type SeatHolder } from '#models/licences.ts';
import { type CountedFeature, countedFeatures, type SeatCount } from '#models/seats.ts';
import { idArray } from '../access/measures.ts';
import { type ViewScope, viewable } from '../access/scope.ts';
import type { Db } from '../db/database.ts';
import { devices, groups, identifiers, mobileClients, sipNumbers, userDomains, users } from '../db/schema/index.ts';
import { HttpError } from '../http-error.ts';

/** A mobile key takes a seat from when it is issued until it is revoked. */
const countedKey = sql`${identifiers.type} = 'ukey2' and ${identifiers.revokedAt} is null`;

/** What of a person's takes a seat of a feature, and what the seat is known by. */
const taken = {
  mobile_app: { table: mobileClients, id: mobileClients.id, userId: mobileClients.userId, where: sql`true`, by: sql<string>`${mobileClients.info}` },
  ukey2: { table: identifiers, id: identifiers.id, userId: identifiers.userId, where: countedKey, by: sql<string>`${identifiers.name}` },
} as const satisfies Record<Exclude<CountedFeature, 'sip'>, unknown>;

const below = (groupId: SQL | string): SQL => sql`(select id from ${groups} within_group where within_group.path @> array[${groupId}::uuid])`;
const peopleBelow = (groupId: SQL | string): SQL =>
  sql`(select ${userDomains.userId} from ${userDomains} where ${userDomains.groupId} in ${below(groupId)})`;

/** Virtual numbers take a seat as soon as somebody has them: a person, a device or a group. */
const given = sql`num_nonnulls(${sipNumbers.userId}, ${sipNumbers.deviceId}, ${sipNumbers.domainId}) > 0`;
const givenBelow = (groupId: SQL | string): SQL =>
  sql`(${sipNumbers.domainId} in ${below(groupId)} or ${sipNumbers.userId} in ${peopleBelow(groupId)}
    or ${sipNumbers.deviceId} in (select ${devices.id} from ${devices} where ${devices.domainId} in ${below(groupId)}))`;

async function takenSeats(db: Db, feature: keyof typeof taken, projectId: string, groupId: string | null): Promise<number> {
  const { table, userId, where } = taken[feature];
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(table)
    .innerJoin(users, eq(users.id, userId))
    .where(and(eq(users.projectId, projectId), where, groupId === null ? undefined : sql`${users.id} in ${peopleBelow(groupId)}`));
  return row?.count ?? 0;
}

/** How many seats are taken, in a project or by the people of a group and below. */
export async function usedSeats(db: Db, projectId: string, groupId: string | null = null): Promise<Record<CountedFeature, number>> {
  const [apps, keys] = [await takenSeats(db, 'mobile_app', projectId, groupId), await takenSeats(db, 'ukey2', projectId, groupId)];
  const [numbers] = await db
    .select({ sip: sql<number>`count(*)::int` })
    .from(sipNumbers)
    .where(and(eq(sipNumbers.projectId, projectId), given, groupId === null ? undefined : givenBelow(groupId)));
  return { sip: numbers?.sip ?? 0, mobile_app: apps, ukey2: keys };
}

/** Taken and available side by side. */
export const seatCounts = (used: Record<CountedFeature, number>, features: LicenceInfo): SeatCount[] =>
  countedFeatures.map((feature) => ({ feature, used: used[feature], available: features[feature].license_count }));

/** Who holds the seats of a feature, those one may see, in order of name; of a group only its own and those below. */
export function readHolders(db: Db, scope: ViewScope, feature: CountedFeature, groupId: string | null): Promise<SeatHolder[]> {
  if (feature === 'sip') return numberHolders(db, scope, groupId);
  const { table, id, userId, where, by } = taken[feature];
  return db
    .select({ id: sql<string>`${id}`, user: sql<SeatHolder['user']>`json_build_object('id', ${users.id}, 'name', ${users.name})`, by })
    .from(table)
    .innerJoin(users, eq(users.id, userId))
    .where(and(viewable(scope, 'users'), where, groupId === null ? undefined : sql`${users.id} in ${peopleBelow(groupId)}`))
    .orderBy(sql`lower(${users.name})`, asc(users.id), asc(id))
    .limit(1_000);
}

/** Who has the virtual numbers; a device's or group's is known by the number's own name. */
function numberHolders(db: Db, scope: ViewScope, groupId: string | null): Promise<SeatHolder[]> {
  return db
    .select({
      id: sql<string>`${sipNumbers.id}`,
      user: sql<SeatHolder['user']>`case when ${users.id} is null then null else json_build_object('id', ${users.id}, 'name', ${users.name}) end`,
      by: sql<string>`${sipNumbers.number} || ' ' || ${sipNumbers.name}`,
    })
    .from(sipNumbers)
    .leftJoin(users, and(eq(users.id, sipNumbers.userId), viewable(scope, 'users')))
    .where(and(viewable(scope, 'sip-numbers'), given, groupId === null ? undefined : givenBelow(groupId)))
    .orderBy(sql`lpad(${sipNumbers.number}, 15, '0')`, sipNumbers.id)
    .limit(1_000);
}

const takenIn = (feature: keyof typeof taken): SQL => {
  const { table, userId, where } = taken[feature];
  return sql`(select count(*) from ${table} where ${where} and ${userId} in ${peopleBelow(sql`${groups.id}`)})`;
};

/**
 * After people were put into groups: no group, nor any above it, may hold more seats than it counts.
 * @throws HttpError `limit_exceeded` with how many are used and how many there may be
 */
export async function requireSeats(tx: Db, groupIds: readonly string[]): Promise<void> {
  const countIn: Record<CountedFeature, SQL> = {
    sip: sql`(select count(*) from ${sipNumbers} where ${given} and ${givenBelow(sql`${groups.id}`)})`,
    mobile_app: takenIn('mobile_app'),
    ukey2: takenIn('ukey2'),
  };
  for (const feature of countedFeatures) {
    const most = sql`(${groups.licence} #>> ${sql.raw(`'{info,${feature},license_count}'`)})::int`;
    const used = countIn[feature];
    const [over] = await tx
      .select({ used: sql<number>`${used}::int`, max: sql<number>`${most}` })
      .from(groups)
      .where(
        and(
          sql`${groups.id} in (select unnest(g.path) from ${groups} g where g.id = any(${sql`${`{${groupIds.join(',')}}`}::uuid[]`}))`,
          sql`${most} is not null`,
          sql`${used} > ${most}`,
        ),
      )
      .limit(1);
    if (over) throw new HttpError('limit_exceeded', over);
  }
}

/** The first group, of these and all above them, that holds more seats of a feature than it counts. */
export async function overfullGroup(
  tx: Db,
  projectId: string,
  { feature, groupIds }: { feature: CountedFeature; groupIds: readonly string[] },
): Promise<{ used: number; max: number } | null> {
  const most = sql<number>`(${groups.licence} #>> array['info', ${feature}::text, 'license_count'])::int`;
  const counting = await tx
    .select({ id: groups.id, max: most })
    .from(groups)
    .where(and(sql`${groups.id} in (select unnest(g.path) from ${groups} g where g.id = any(${idArray(groupIds)}))`, sql`${most} is not null`));
  for (const { id, max } of counting) {
    const used = (await usedSeats(tx, projectId, id))[feature];
    if (used > max) return { used, max };
  }
  return null;
}
