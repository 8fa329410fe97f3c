import { type SQL, sql } from 'drizzle-orm';
import { countedFeatures, type CountedFeature, type SeatCount } from '#models/seats.ts';
import type { Db } from '#server/db/database.ts';
import { devices, groups, identifiers, mobileClients, sipNumbers, userDomains, users } from '#server/db/schema/index.ts';

export type Used = Record<CountedFeature, number>;
export const noneUsed: Used = { sip: 0, mobile_app: 0, ukey2: 0 };

/** Everything of a project that takes a seat, or did until it was revoked: since when, whose it is, and the group of what no person has. */
export const seatsOf = (projectId: string): SQL => sql`
  select 'mobile_app' as feature, ${mobileClients.id} as id, ${mobileClients.userId} as user_id, null::uuid as group_id,
      ${mobileClients.authTime} as since, null::timestamptz as until
    from ${mobileClients} join ${users} on ${users.id} = ${mobileClients.userId} where ${users.projectId} = ${projectId}
  union all
  select 'ukey2', ${identifiers.id}, ${identifiers.userId}, null, ${identifiers.createdAt}, ${identifiers.revokedAt}
    from ${identifiers} join ${users} on ${users.id} = ${identifiers.userId} where ${users.projectId} = ${projectId} and ${identifiers.type} = 'ukey2'
  union all
  select 'sip', ${sipNumbers.id}, ${sipNumbers.userId}, coalesce(${sipNumbers.domainId}, ${devices.domainId}), ${sipNumbers.createdAt}, null
    from ${sipNumbers} left join ${devices} on ${devices.id} = ${sipNumbers.deviceId}
    where ${sipNumbers.projectId} = ${projectId} and num_nonnulls(${sipNumbers.userId}, ${sipNumbers.deviceId}, ${sipNumbers.domainId}) > 0`;

/** Seats with the way down to each group they belong to; the name of what `seatsOf` answers is `seat`. */
export const placedSeats = sql`
  select seat.feature, seat.id, seat.since, seat.until, ${groups.path} as path
    from seat join ${userDomains} on ${userDomains.userId} = seat.user_id join ${groups} on ${groups.id} = ${userDomains.groupId}
  union all
  select seat.feature, seat.id, seat.since, seat.until, ${groups.path} from seat join ${groups} on ${groups.id} = seat.group_id`;

/** Seats in use now of a project (key null) and of each group that has any, those below it included: the whole project by one statement. */
export async function countUse(db: Db, projectId: string): Promise<Map<string | null, Used>> {
  const { rows } = await db.execute<{ place: string | null; feature: CountedFeature; used: number }>(sql`
    with seat as (${seatsOf(projectId)}), placed as (${placedSeats})
    select null::uuid as place, feature, count(*)::int as used from seat where until is null group by feature
    union all
    select above, feature, count(distinct id)::int from placed cross join unnest(path) above where until is null group by above, feature`);
  const found = new Map<string | null, Used>([[null, { ...noneUsed }]]);
  for (const { place, feature, used } of rows) found.set(place, { ...(found.get(place) ?? noneUsed), [feature]: used });
  return found;
}

/** Used and available side by side. */
export const asSeats = (used: Used, available: (feature: CountedFeature) => number | null): SeatCount[] =>
  countedFeatures.map((feature) => ({ feature, used: used[feature], available: available(feature) }));
