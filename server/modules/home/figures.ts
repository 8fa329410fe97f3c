import { and, desc, eq, gte, isNotNull, lt, sql } from 'drizzle-orm';
import type { HomeFigures } from '#models/home.ts';
import type { DenialReason } from '#models/device-events.ts';
import { clockAt, midnightOf, momentAt, type Zone } from '#models/zone.ts';
import { lengthOf, utc } from '#models/time.ts';
import { scopeOf, viewable } from '#server/access/scope.ts';
import type { Principal, Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { deviceEvents, devices, users } from '#server/db/schema/index.ts';
import { hearsDevices, mayView } from './attention.ts';

const [quarter, hour] = [lengthOf(15, 'minute'), lengthOf(1, 'hour')];
const fortnight = 14;

/** Where the person reads time. */
async function zoneOf(db: Db, { id }: Principal): Promise<Zone> {
  const [person] = await db.select({ zoneHours: users.timeZone, zoneName: users.timeZoneName }).from(users).where(eq(users.id, id));
  return person ?? { zoneHours: 0, zoneName: null };
}

/** How many passed in each quarter of an hour that anybody passed in: no zone's hours begin between two of them. */
function passesByQuarter({ db }: Services, principal: Principal, from: number, to: number): Promise<{ at: number; passes: number }[]> {
  const begun = sql`floor(extract(epoch from ${deviceEvents.occurredAt}) * 1000 / ${quarter}::int) * ${quarter}::int`;
  return db
    .select({ at: begun.mapWith(Number), passes: sql`count(*)`.mapWith(Number) })
    .from(deviceEvents)
    .where(
      and(
        viewable(scopeOf(principal), 'device-events'),
        eq(deviceEvents.type, 'access_granted'),
        gte(deviceEvents.occurredAt, new Date(from)),
        lt(deviceEvents.occurredAt, new Date(to)),
      ),
    )
    .groupBy(sql`1`);
}

const sum = (counts: readonly { passes: number }[]): number => counts.reduce((all, { passes }) => all + passes, 0);

/**
 * How many were let in during each hour of today, and how many usually are at that time of day; days before the first
 * event do not count. The day on which the clocks move has an hour more or less.
 */
async function passesToday(services: Services, principal: Principal): Promise<HomeFigures['passes']> {
  if (!mayView(principal, 'device-events')) return null;
  const zone = await zoneOf(services.db, principal);
  const midnight = midnightOf(zone, services.now().getTime());
  const dayAfter = (days: number): number => momentAt(zone, clockAt(zone, midnight).startOf('day').add(days, 'day').valueOf());
  const [beginning, end] = [dayAfter(-fortnight), dayAfter(1)];
  const counts = await passesByQuarter(services, principal, beginning, end);
  const hourOf = (at: number): number => clockAt(zone, at).hour();
  const before = counts.filter(({ at }) => at < midnight);
  const first = Math.min(midnight, ...before.map(({ at }) => at));
  const days = Math.max(1, Math.ceil(clockAt(zone, midnight).diff(clockAt(zone, first), 'day', true)));
  const usual = (hours: number): number => sum(before.filter(({ at }) => hourOf(at) === hours)) / days;
  return Array.from({ length: Math.ceil((end - midnight) / hour) }, (_, index) => {
    const from = midnight + index * hour;
    const passes = sum(counts.filter(({ at }) => at >= from && at < from + hour));
    return { from: new Date(from).toISOString(), passes, usual: Math.round(usual(hourOf(from)) * 10) / 10 };
  });
}

async function refusalsOf(services: Services, principal: Principal, since: Date): Promise<HomeFigures['refusals']> {
  if (!mayView(principal, 'device-events')) return null;
  const many = sql`count(*)`.mapWith(Number);
  const rows = await services.db
    .select({ reason: deviceEvents.reason, count: many })
    .from(deviceEvents)
    .where(
      and(
        viewable(scopeOf(principal), 'device-events'),
        eq(deviceEvents.type, 'access_denied'),
        isNotNull(deviceEvents.reason),
        gte(deviceEvents.occurredAt, since),
      ),
    )
    .groupBy(deviceEvents.reason)
    .orderBy(desc(many), deviceEvents.reason);
  return { since: since.toISOString(), reasons: rows.map(({ reason, count }) => ({ reason: reason as DenialReason, count })) };
}

/**
 * How long each device was away since a moment: from each "offline" it reported to the next word of either kind, before a first
 * "online", and since its status changed if it is away now, which is reported some time later.
 */
async function availabilityOf(services: Services, principal: Principal, since: Date): Promise<HomeFigures['availability']> {
  if (!mayView(principal, 'device-events') || !hearsDevices(principal)) return null;
  const [from, to] = [sql`${since.toISOString()}::timestamptz`, sql`${services.now().toISOString()}::timestamptz`];
  const { rows } = await services.db.execute<{ id: string; name: string; share: number; overall: number; devices: number }>(sql`
    with watched as (
      select ${devices.id} as id, ${devices.name} as name, ${devices.online} as online, ${devices.statusAt} as status_at, greatest(${devices.createdAt}, ${from}) as begun
      from ${devices} where ${viewable(scopeOf(principal), 'devices')} and ${devices.online} is not null and ${devices.createdAt} < ${to}
    ), reported as (
      select device_id, type, occurred_at as at, lag(type) over way as before, lead(occurred_at) over way as next
      from device_events where device_id in (select id from watched) and type in ('offline', 'online') and occurred_at >= ${from} and occurred_at < ${to}
      window way as (partition by device_id order by occurred_at, id)
    ), measured as (
      select watched.id, watched.name, extract(epoch from ${to} - watched.begun) as whole, coalesce(sum(extract(epoch from case
        when reported.type = 'offline' and reported.next is null and not watched.online then ${to} - greatest(least(reported.at, watched.status_at), watched.begun)
        when reported.type = 'offline' then coalesce(reported.next, ${to}) - greatest(reported.at, watched.begun)
        when reported.type = 'online' and reported.before is null then greatest(reported.at - watched.begun, interval '0')
        when reported.type is null and not watched.online then ${to} - greatest(watched.status_at, watched.begun)
      end)), 0) as away
      from watched left join reported on reported.device_id = watched.id group by watched.id, watched.name, watched.begun
    )
    select id, name, (1 - least(away / whole, 1))::float as share, count(*) over ()::int as devices, (1 - sum(least(away, whole)) over () / sum(whole) over ())::float as overall
    from measured where whole > 0 order by away / whole desc, name limit 5`);
  const [first] = rows;
  return {
    since: since.toISOString(),
    devices: first?.devices ?? 0,
    share: first?.overall ?? 1,
    worst: rows.filter(({ share }) => share < 1).map(({ id, name, share }) => ({ device: { id, name }, share })),
  };
}

/** What the home page draws, read this moment. */
export async function readFigures(services: Services, principal: Principal): Promise<HomeFigures> {
  const now = services.now();
  const since = utc(now).subtract(1, 'week').toDate();
  const [passes, refusals, availability] = await Promise.all([
    passesToday(services, principal),
    refusalsOf(services, principal, since),
    availabilityOf(services, principal, since),
  ]);
  return { as_of: now.toISOString(), passes, refusals, availability };
}
