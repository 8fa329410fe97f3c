import { and, asc, eq, inArray, isNull, lte, sql } from 'drizzle-orm';
import type { Named } from '#models/define-model.ts';
import type { LicencesByPeriod, LicencesUsed, ReportPoint, ReportStep } from '#models/licence-reports.ts';
import { countedFeatures, type SeatCount } from '#models/seats.ts';
import { seesAll, scopeOf, viewable } from '#server/access/scope.ts';
import type { Principal, Services } from '#server/context.ts';
import { groups, licenceUse } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { featuresOf } from '../features.ts';
import { filledLicence } from '../group-licence.ts';
import { asSeats, countUse, noneUsed } from './count.ts';
import { beginning, dayOf, daysBetween, lastOf, projectZone } from './days.ts';
import { reckonUse } from './reckon.ts';

/** What a period is asked for. */
export interface Question {
  group: string | null;
  from: string;
  to: string;
  step: ReportStep;
}

/** The group a report is of: one in sight; without one the project, for whoever sees all groups, or the first of one's own. @throws HttpError `not_found` */
export async function groupOf({ db }: Pick<Services, 'db'>, principal: Principal, asked: string | null): Promise<Named | null> {
  if (asked === null && seesAll(scopeOf(principal), 'groups')) return null;
  const wanted = asked === null ? [...principal.domains] : [asked];
  const [group] = await db
    .select({ id: groups.id, name: groups.name })
    .from(groups)
    .where(and(viewable(scopeOf(principal), 'groups'), inArray(groups.id, wanted)))
    .orderBy(asc(groups.name), asc(groups.id))
    .limit(1);
  if (!group) throw new HttpError('not_found');
  return group;
}

/** How many seats there are to use now. */
async function availableNow(services: Services, projectId: string, group: Named | null) {
  if (group === null) return featuresOf(services, projectId, services.now());
  const [row] = await services.db.select({ licence: groups.licence }).from(groups).where(eq(groups.id, group.id));
  return filledLicence(row?.licence ?? {}).info;
}

/** What is in use now, and in which of the groups right below. */
export async function readUsed(services: Services, principal: Principal, asked: string | null): Promise<LicencesUsed> {
  const { db, now } = services;
  const { projectId } = principal;
  const group = await groupOf(services, principal, asked);
  const [used, info] = [await countUse(db, projectId), await availableNow(services, projectId, group)];
  const below = await db
    .select({ id: groups.id, name: groups.name })
    .from(groups)
    .where(and(viewable(scopeOf(principal), 'groups'), group === null ? isNull(groups.parentId) : eq(groups.parentId, group.id)))
    .orderBy(sql`${groups.name} collate "numeric_order"`, asc(groups.id));
  return {
    as_of: now().toISOString(),
    group,
    seats: asSeats(used.get(group?.id ?? null) ?? noneUsed, (feature) => info[feature].license_count),
    parts: below.flatMap((part) => {
      const own = used.get(part.id);
      return own ? [{ group: part, used: own }] : [];
    }),
  };
}

/** The figures of each day that were counted as it came, with the day from which on that was done. */
async function countedDays({ db }: Services, projectId: string, group: Named | null, days: readonly string[]) {
  const last = days.at(-1) ?? '';
  const ofProject = await db
    .select({ day: licenceUse.day, seats: licenceUse.seats })
    .from(licenceUse)
    .where(and(eq(licenceUse.projectId, projectId), isNull(licenceUse.groupId), lte(licenceUse.day, last)))
    .orderBy(licenceUse.day);
  const within = ofProject.filter(({ day }) => day >= (days[0] ?? ''));
  if (group === null) return new Map(within.map(({ day, seats }) => [day, seats]));
  const changes = await db
    .select({ day: licenceUse.day, seats: licenceUse.seats })
    .from(licenceUse)
    .where(and(eq(licenceUse.groupId, group.id), lte(licenceUse.day, last)))
    .orderBy(licenceUse.day);
  // A group without a row used nothing yet; what it could have used is not known then.
  const none = asSeats(noneUsed, () => null);
  return new Map(within.map(({ day }) => [day, changes.findLast((change) => change.day <= day)?.seats ?? none]));
}

interface Day {
  day: string;
  source: ReportPoint['source'];
  seats: readonly SeatCount[];
}

/** The highest figures among some days; what was available of the last of them that knows. */
const pointOf = (days: readonly Day[], from: string, to: string): ReportPoint => ({
  from,
  to,
  source: days.every(({ source }) => source === 'counted') ? 'counted' : 'reckoned',
  seats: countedFeatures.map((feature) => {
    const own = days.map(({ source, seats }) => ({ source, seat: seats.find((seat) => seat.feature === feature) }));
    return {
      feature,
      used: Math.max(0, ...own.map(({ seat }) => seat?.used ?? 0)),
      available: own.findLast(({ source }) => source === 'counted')?.seat?.available ?? null,
    };
  }),
});

/** Puts days together to weeks or months; those at the ends may be cut short. */
function inSteps(days: readonly Day[], step: ReportStep): ReportPoint[] {
  const points: ReportPoint[] = [];
  for (let at = 0; at < days.length;) {
    const from = days[at]?.day ?? '';
    const last = lastOf(from, step);
    const part = days.slice(at).filter(({ day }) => day <= last);
    points.push(pointOf(part, from, part.at(-1)?.day ?? from));
    at += Math.max(1, part.length);
  }
  return points;
}

/** What was in use over a period, up to today. */
export async function readByPeriod(services: Services, principal: Principal, { group: asked, from, to, step }: Question): Promise<LicencesByPeriod> {
  const { db, now } = services;
  const { projectId } = principal;
  const group = await groupOf(services, principal, asked);
  const zone = await projectZone(db, projectId);
  const today = dayOf(zone, now());
  const days = daysBetween(from, to < today ? to : today);
  if (days.length === 0) return { group, counted_since: null, points: [] };
  const counted = await countedDays(services, projectId, group, days);
  if (days.at(-1) === today) {
    const [used, info] = [await countUse(db, projectId), await availableNow(services, projectId, group)];
    counted.set(
      today,
      asSeats(used.get(group?.id ?? null) ?? noneUsed, (feature) => info[feature].license_count),
    );
  }
  const missing = days.filter((day) => !counted.has(day));
  const reckoned =
    missing.length === 0
      ? []
      : await reckonUse(
          db,
          projectId,
          group?.id ?? null,
          missing.map((day) => beginning(zone, day)),
        );
  const guessed = new Map(missing.map((day, index) => [day, asSeats(reckoned[index] ?? noneUsed, () => null)]));
  const all = days.map((day): Day => {
    const seats = counted.get(day);
    return seats ? { day, source: 'counted', seats } : { day, source: 'reckoned', seats: guessed.get(day) ?? [] };
  });
  return { group, counted_since: all.find(({ source }) => source === 'counted')?.day ?? null, points: inSteps(all, step) };
}
