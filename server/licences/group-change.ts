import { and, eq } from 'drizzle-orm';
import { hasPermission } from '#models/permissions.ts';
import { type LicenceInfo } from '#models/licence-info.ts';
import { type GroupLicence, initialGroupLicence } from '#models/licences.ts';
import { countedFeatures } from '#models/seats.ts';
import { inScope } from '../access/scope.ts';
import type { Principal, Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { groups } from '../db/schema/index.ts';
import { HttpError } from '../http-error.ts';
import { codeOf, inconsistencies } from './cascade.ts';
import { countOf } from './combine.ts';
import { readCounted, secondsOf } from './features.ts';
import { readForest } from './group-licence.ts';
import { usedSeats } from './seats.ts';

/** May the principal manage the licence of this group? Their own, those below, or all, each by its code. */
export async function managesLicence(db: Db, principal: Principal, id: string): Promise<boolean> {
  if (hasPermission(principal, 'can_manage_all_domain_licenses')) return true;
  if (hasPermission(principal, 'can_manage_own_domain_licenses') && principal.domains.includes(id)) return true;
  if (!hasPermission(principal, 'can_manage_descendant_licenses')) return false;
  const [below] = await db
    .select({ id: groups.id })
    .from(groups)
    .where(and(eq(groups.id, id), inScope(principal, 'below', 'groups')));
  return below !== undefined;
}

const sameCounts = (one: LicenceInfo, other: LicenceInfo): boolean =>
  countedFeatures.every((feature) => countOf(one, feature) === countOf(other, feature));

/** Counts are changed only by those who may. */
function requireCounts(principal: Principal, before: GroupLicence, after: GroupLicence): void {
  if (sameCounts(before.info, after.info) || hasPermission(principal, 'can_edit_license_counts')) return;
  throw new HttpError('forbidden');
}

/**
 * Holds a group's new licence, or without one the group in its new place, against parent, children, seats and project.
 * @throws HttpError with the items of what does not fit; `forbidden` for counts one may not change
 */
export async function requireConsistent(services: Services, tx: Db, principal: Principal, id: string, changed?: GroupLicence): Promise<void> {
  const forest = await readForest(tx, principal.projectId);
  const before = forest.find((group) => group.id === id)?.licence ?? initialGroupLicence;
  const after = changed ?? before;
  requireCounts(principal, before, after);
  const limits = {
    groups: forest.map((group) => (group.id === id ? { ...group, licence: after } : group)),
    licences: await readCounted({ ...services, db: tx }, principal.projectId),
    used: await usedSeats(tx, principal.projectId, id),
    at: secondsOf(services.now()),
  };
  const items = inconsistencies(limits, id, before, changed === undefined);
  if (items.length > 0) throw new HttpError(codeOf(items, id), { items });
}
