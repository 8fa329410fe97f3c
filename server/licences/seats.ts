import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import type { LicenceInfo } from '#models/licence-info.ts';
import { type SeatHolder } from '#models/licences.ts';
import { type CountedFeature, countedFeatures, type SeatCount } from '#models/seats.ts';
import { type Sight, viewable } from '../access/scope.ts';
import type { Db } from '../db/open.ts';
import { groups, mobileClients, userDomains, users } from '../db/schema/index.ts';
import { Refusal } from '../refusal.ts';

/** Which of a person's phones take a seat of a feature, and what the seat is known by. */
const taken: Record<CountedFeature, { where: SQL; by: SQL<string> }> = {
  sip: { where: sql`${mobileClients.sipNumber} is not null`, by: sql`${mobileClients.sipNumber}` },
  mobile_app: { where: sql`true`, by: sql`${mobileClients.info}` },
  ukey2: { where: sql`${mobileClients.ukey2} is not null`, by: sql`${mobileClients.ukey2}` },
};

const peopleBelow = (groupId: string): SQL =>
  sql`${users.id} in (select ${userDomains.userId} from ${userDomains} join ${groups} on ${groups.id} = ${userDomains.groupId} where ${groups.path} @> array[${groupId}::uuid])`;

/** How many seats are taken, in a project or by the people of a group and below. */
export async function usedSeats(db: Db, projectId: string, groupId: string | null = null): Promise<Record<CountedFeature, number>> {
  const count = (feature: CountedFeature) => sql<number>`(count(*) filter (where ${taken[feature].where}))::int`;
  const [row] = await db
    .select({ sip: count('sip'), mobile_app: count('mobile_app'), ukey2: count('ukey2') })
    .from(mobileClients)
    .innerJoin(users, eq(users.id, mobileClients.userId))
    .where(and(eq(users.projectId, projectId), groupId === null ? undefined : peopleBelow(groupId)));
  return row ?? { sip: 0, mobile_app: 0, ukey2: 0 };
}

/** Taken and available side by side. */
export const seatCounts = (used: Record<CountedFeature, number>, features: LicenceInfo): SeatCount[] =>
  countedFeatures.map((feature) => ({ feature, used: used[feature], available: features[feature].license_count }));

/** Who holds the seats of a feature, those one may see, in order of name; of a group only its people and those below. */
export function readHolders(db: Db, sight: Sight, feature: CountedFeature, groupId: string | null): Promise<SeatHolder[]> {
  const { where, by } = taken[feature];
  return db
    .select({ id: sql<string>`${mobileClients.id}`, user: sql<SeatHolder['user']>`json_build_object('id', ${users.id}, 'name', ${users.name})`, by })
    .from(mobileClients)
    .innerJoin(users, eq(users.id, mobileClients.userId))
    .where(and(viewable(sight, 'users'), where, groupId === null ? undefined : peopleBelow(groupId)))
    .orderBy(sql`lower(${users.name})`, asc(users.id), asc(mobileClients.id))
    .limit(1_000);
}

/**
 * After people were put into groups: no group, nor any above it, may hold more seats than it counts.
 * @throws Refusal `limit_exceeded` with how many are used and how many there may be
 */
export async function demandSeats(tx: Db, groupIds: readonly string[]): Promise<void> {
  for (const feature of countedFeatures) {
    const most = sql`(${groups.licence} #>> ${sql.raw(`'{info,${feature},license_count}'`)})::int`;
    const used = sql`(select count(*) from ${mobileClients} where ${taken[feature].where} and ${mobileClients.userId} in
      (select d.user_id from ${userDomains} d join ${groups} below on below.id = d.group_id where below.path @> array[${groups.id}]))`;
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
    if (over) throw new Refusal('limit_exceeded', over);
  }
}
