import { and, eq, isNull, sql } from 'drizzle-orm';
import type { CountedFeature, SeatCount } from '#models/seats.ts';
import type { Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { groups, licenceUse, projects } from '#server/db/schema/index.ts';
import { featuresOf } from '../features.ts';
import { filledLicence } from '../group-licence.ts';
import { asSeats, countUse, noneUsed, type Used } from './count.ts';
import { dayOf, projectZone } from './days.ts';

type Counting = Pick<Services, 'db' | 'now' | 'config'>;
type Row = typeof licenceUse.$inferInsert;
const atOnce = 500;

/** What each group counted when its figures last changed. */
async function lastCounted(db: Db, projectId: string): Promise<Map<string, string>> {
  const { rows } = await db.execute<{ group_id: string; seats: SeatCount[] }>(sql`
    select distinct on (group_id) group_id, seats from ${licenceUse} where project_id = ${projectId} and group_id is not null order by group_id, day desc`);
  return new Map(rows.map(({ group_id: id, seats }) => [id, JSON.stringify(sorted(seats))]));
}
/** The database keeps the keys of an object in an order of its own. */
const sorted = (seats: readonly SeatCount[]): SeatCount[] => seats.map(({ feature, used, available }) => ({ feature, used, available }));

async function changedGroups(db: Db, projectId: string, day: string, used: ReadonlyMap<string | null, Used>): Promise<Row[]> {
  const before = await lastCounted(db, projectId);
  const rows = await db.select({ id: groups.id, licence: groups.licence }).from(groups).where(eq(groups.projectId, projectId));
  return rows.flatMap(({ id, licence }): Row[] => {
    const { info } = filledLicence(licence);
    const seats = asSeats(used.get(id) ?? noneUsed, (feature: CountedFeature) => info[feature].license_count);
    const unused = !before.has(id) && seats.every((seat) => seat.used === 0);
    return unused || before.get(id) === JSON.stringify(seats) ? [] : [{ projectId, groupId: id, day, seats }];
  });
}

/** Counts a project's seats for a day, unless they have been; of several processes one does. */
async function countDay(services: Counting, projectId: string, day: string): Promise<void> {
  const features = await featuresOf(services, projectId, services.now());
  await services.db.transaction(async (tx) => {
    const used = await countUse(tx, projectId);
    const seats = asSeats(used.get(null) ?? noneUsed, (feature) => features[feature].license_count);
    const [mine] = await tx.insert(licenceUse).values({ projectId, day, seats }).onConflictDoNothing().returning({ id: licenceUse.id });
    if (!mine) return;
    const rows = await changedGroups(tx, projectId, day, used);
    for (let at = 0; at < rows.length; at += atOnce)
      await tx
        .insert(licenceUse)
        .values(rows.slice(at, at + atOnce))
        .onConflictDoNothing();
  });
}

/** Writes down what every project uses, once for each of its days: at its midnight, or as soon as a server runs on that day. */
export async function saveLicenceUse(services: Counting): Promise<void> {
  const { db, now } = services;
  for (const { id } of await db.select({ id: projects.id }).from(projects)) {
    const day = dayOf(await projectZone(db, id), now());
    const [stored] = await db
      .select({ id: licenceUse.id })
      .from(licenceUse)
      .where(and(eq(licenceUse.projectId, id), isNull(licenceUse.groupId), eq(licenceUse.day, day)));
    if (!stored) await countDay(services, id, day);
  }
}
