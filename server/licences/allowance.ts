import { and, eq } from 'drizzle-orm';
import { lifeOf } from '#machines/lifecycles/licence-life.machine.ts';
import { licenceTypes } from '#models/consistency.ts';
import { constants } from '#models/constants.ts';
import { inBoth } from '#models/licence-info.ts';
import type { GroupAllowance } from '#models/licences.ts';
import { scopeOf, viewable } from '../access/scope.ts';
import type { Principal, Services } from '../context.ts';
import { groups } from '../db/schema/index.ts';
import { HttpError } from '../http-error.ts';
import { capacityNow, readCounted, secondsOf } from './features.ts';
import { groupFacts, leftBy, type LicensedGroup, periodOf, readForest } from './group-licence.ts';
import { seatCounts, usedSeats } from './seats.ts';

/** The groups above one, the nearest first. */
function aboveOf(own: LicensedGroup, byId: ReadonlyMap<string, LicensedGroup>): LicensedGroup[] {
  const parent = own.parentId === null ? undefined : byId.get(own.parentId);
  return parent ? [parent, ...aboveOf(parent, byId)] : [];
}

async function isSeen({ db }: Services, principal: Principal, id: string): Promise<boolean> {
  const [row] = await db
    .select({ id: groups.id })
    .from(groups)
    .where(and(eq(groups.id, id), viewable(scopeOf(principal), 'groups')));
  return row !== undefined;
}

/** What a group may be given, and how it stands: for its form. @throws HttpError `not_found` */
export async function readAllowance(services: Services, principal: Principal, id: string): Promise<GroupAllowance> {
  const forest = await readForest(services.db, principal.projectId);
  const byId = new Map(forest.map((group) => [group.id, group]));
  const own = byId.get(id);
  if (!own) throw new HttpError('not_found');
  const above = aboveOf(own, byId);
  const [parent] = above;
  const at = secondsOf(services.now());
  const chain = above.map(({ licence }) => licence);
  const { features, types } = leftBy(chain, at);
  const capacity = capacityNow(await readCounted(services, principal.projectId), at, types);
  const periods = chain.map(periodOf);
  const allowed = inBoth(capacity.features, features);
  return {
    features: allowed,
    types: licenceTypes.filter((type) => capacity.types.includes(type)),
    period: {
      from: Math.max(constants.unlimitedLicencePeriod.from, ...periods.map((period) => period.from)),
      to: Math.min(constants.unlimitedLicencePeriod.to, ...periods.map((period) => period.to)),
    },
    parent: parent && (await isSeen(services, principal, parent.id)) ? { id: parent.id, name: parent.name } : null,
    seats: seatCounts(await usedSeats(services.db, principal.projectId, id), inBoth(allowed, own.licence.info)),
    ...lifeOf(groupFacts(own.licence, at)),
  };
}
