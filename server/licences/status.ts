import { and, eq, inArray, or, sql } from 'drizzle-orm';
import { featuresEnd, lifeOf, turningPoints } from '#machines/lifecycles/licence-life.machine.ts';
import type { LicenceStatusReport, LicenceReminder } from '#models/licences.ts';
import { hasPermission } from '#models/permissions.ts';
import { secondsIn } from '#models/time.ts';
import { inScope } from '../access/scope.ts';
import type { Principal, Services } from '../context.ts';
import { groups } from '../db/schema/index.ts';
import { type Capacity, capacityAt, type Counted, turningsOf } from './combine.ts';
import { readCounted, secondsOf } from './features.ts';
import { filledLicence, groupFacts, readChains } from './group-licence.ts';

const day = secondsIn(1, 'day');
/** A group's licence that is over is spoken of this long. */
const remembered = 30 * day;
const mostGroups = 3;

const isLess = (later: Capacity, now: Capacity): boolean => JSON.stringify(later) !== JSON.stringify(now);

/** The first end of a project's licence after which the project has less than now. */
function nextLoss(licences: readonly Counted[], at: number): Counted | undefined {
  const now = capacityAt(licences, at);
  return licences
    .filter(({ facts }) => lifeOf({ ...facts, at }).state === 'ending')
    .toSorted((one, other) => featuresEnd(one.facts) - featuresEnd(other.facts))
    .find(({ facts }) => isLess(capacityAt(licences, featuresEnd(facts)), now));
}

/** The last basic licence to have run out, where none runs any more. */
function lastOver(licences: readonly Counted[], at: number): Counted | undefined {
  if (capacityAt(licences, at).types.includes('basic')) return undefined;
  return licences
    .filter(({ payload, facts }) => payload.type === 'basic' && lifeOf({ ...facts, at }).status === 'expired')
    .toSorted((one, other) => featuresEnd(other.facts) - featuresEnd(one.facts))[0];
}

/** What is to be said of a project's licences at a moment: nothing, that there are none, that one ends, or that one is over. */
export function projectLicenceStatus(licences: readonly Counted[] | null, at: number): Pick<LicenceStatusReport, 'status' | 'reminders'> {
  if (licences === null) return { status: 'normal', reminders: [] };
  const ending = lastOver(licences, at) ?? nextLoss(licences, at);
  if (!ending) return { status: !capacityAt(licences, at).types.includes('basic') ? 'no_license' : 'normal', reminders: [] };
  const { payload, facts } = ending;
  const status = at < payload.period.to ? 'will_expire' : 'already_expired';
  return {
    status,
    reminders: [{ group: null, status, ends_at: payload.period.to, features_end_at: featuresEnd(facts), mode: payload.reminder.mode }],
  };
}

/** The groups whose licence the principal manages and which end soon or have lately ended, the next to end first. */
async function groupReminders({ db }: Services, principal: Principal, at: number): Promise<LicenceReminder[]> {
  const reach = [
    ...(hasPermission(principal, 'can_manage_all_domain_licenses') ? [sql`true`] : []),
    ...(hasPermission(principal, 'can_manage_own_domain_licenses') && principal.domains.length > 0
      ? [inArray(groups.id, [...principal.domains])]
      : []),
    ...(hasPermission(principal, 'can_manage_descendant_licenses') ? [inScope(principal, 'below', 'groups')] : []),
  ];
  if (reach.length === 0) return [];
  const rows = await db
    .select({ id: groups.id, name: groups.name, licence: groups.licence })
    .from(groups)
    .where(and(eq(groups.projectId, principal.projectId), sql`${groups.licence} @> '{"restrict_period":true}'::jsonb`, or(...reach)));
  return rows
    .flatMap(({ id, name, licence }): LicenceReminder[] => {
      const filled = filledLicence(licence);
      const { period: mode } = filled.notifications;
      const { status, state } = lifeOf(groupFacts(filled, at));
      const isOver = status === 'expired' && at < filled.period.to + remembered;
      if (mode === 'never' || (state !== 'ending' && !isOver)) return [];
      const { to } = filled.period;
      return [{ group: { id, name }, status: isOver ? 'already_expired' : 'will_expire', ends_at: to, features_end_at: to, mode }];
    })
    .toSorted((one, other) => one.ends_at - other.ends_at)
    .slice(0, mostGroups);
}

/** What the principal must be reminded of, and when any of it, or what they are licensed for, changes by itself. */
export async function readLicenceStatus(services: Services, principal: Principal): Promise<LicenceStatusReport> {
  const at = secondsOf(services.now());
  const licences = await readCounted(services, principal.projectId);
  const chains = await readChains(services.db, principal.domains);
  const own = chains.flat().filter(({ isEnabled, restrict_period }) => isEnabled && restrict_period);
  const turnings = [...turningsOf(licences ?? []), ...own.flatMap((licence) => turningPoints(groupFacts(licence, at)))].filter(
    (moment) => moment > at,
  );
  const project = hasPermission(principal, 'can_manage_licenses')
    ? projectLicenceStatus(licences, at)
    : ({ status: 'normal', reminders: [] } as const);
  const reminders = [...project.reminders, ...(await groupReminders(services, principal, at))];
  return {
    at,
    status: project.status === 'normal' ? (reminders[0]?.status ?? 'normal') : project.status,
    reminders,
    changes_at: turnings.length > 0 ? Math.min(...turnings) : null,
  };
}
