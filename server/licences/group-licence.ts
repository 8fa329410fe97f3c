import { eq, sql } from 'drizzle-orm';
import { type LicenceFacts, lifeOf } from '#machines/lifecycles/licence-life.machine.ts';
import { constants } from '#models/constants.ts';
import { allLicensed, inBoth, type LicenceInfo, nothingLicensed } from '#models/licence-info.ts';
import { licenceTypes, type LicenceType } from '#models/consistency.ts';
import { type GroupLicence, initialGroupLicence, type LicencePeriod } from '#models/licences.ts';
import { idArray } from '../access/measures.ts';
import type { Db } from '../db/database.ts';
import { groups } from '../db/schema/index.ts';

/** A group as licences see it. */
export interface LicensedGroup {
  id: string;
  name: string;
  parentId: string | null;
  licence: GroupLicence;
}

/** What is kept of a group's licence, its gaps filled. */
export const filledLicence = (stored: Partial<GroupLicence>): GroupLicence => ({ ...initialGroupLicence, ...stored });

/** The period of a group's licence; without one of its own it has no end. */
export const periodOf = ({ restrict_period, period }: GroupLicence): LicencePeriod => (restrict_period ? period : constants.unlimitedLicencePeriod);

/** What the life of a group's licence hangs on; a group has no days of grace. */
export const groupFacts = (licence: GroupLicence, at: number): LicenceFacts => ({
  period: periodOf(licence),
  graceDays: 0,
  notifyBefore: licence.notifications.notify_before,
  isEnabled: licence.isEnabled,
  at,
});

/** The types of licences a group draws on by its own switches. */
export const drawnTypes = ({ licenses, is_device_license_enabled }: GroupLicence): LicenceType[] =>
  licenceTypes.filter((type) => (type === 'device' ? is_device_license_enabled : licenses.some((one) => one.type === type && one.is_active)));

/** What is left of a project's licence. */
export interface LeftOver {
  features: LicenceInfo;
  types: readonly LicenceType[];
}
/** What there is before any group takes away. */
export const allLeft: LeftOver = { features: allLicensed, types: licenceTypes };

/** What a group leaves at a moment of what is left above it: it takes away, and never adds. */
export function leftBelow(above: LeftOver, licence: GroupLicence, at: number): LeftOver {
  const own = lifeOf(groupFacts(licence, at)).state === 'disabled' ? nothingLicensed : licence.info;
  const drawn = drawnTypes(licence);
  return { features: inBoth(above.features, own), types: above.types.filter((type) => drawn.includes(type)) };
}

/** What groups from the top down leave of a project's licence at a moment. */
export const leftBy = (chain: readonly GroupLicence[], at: number): LeftOver =>
  chain.reduce((above, licence) => leftBelow(above, licence, at), allLeft);

const columns = { id: groups.id, name: groups.name, parentId: groups.parentId, path: groups.path, licence: groups.licence };

/** For each of these groups the licences from its top group down to itself. */
export async function readChains(db: Db, ids: readonly string[]): Promise<GroupLicence[][]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select(columns)
    .from(groups)
    .where(sql`${groups.id} in (select unnest(own.path) from ${groups} own where own.id = any(${idArray(ids)}))`);
  const licences = new Map(rows.map(({ id, licence }) => [id, filledLicence(licence)]));
  return rows.filter(({ id }) => ids.includes(id)).map(({ path }) => path.flatMap((id) => licences.get(id) ?? []));
}

/** Every group of a project with its licence. */
export async function readForest(db: Db, projectId: string): Promise<LicensedGroup[]> {
  const rows = await db.select(columns).from(groups).where(eq(groups.projectId, projectId));
  return rows.map(({ id, name, parentId, licence }) => ({ id, name, parentId, licence: filledLicence(licence) }));
}
