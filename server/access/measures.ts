import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { AreaName } from '#models/areas.ts';
import type { Scope } from '#models/area-rules.ts';
import type { Principal } from '../context.ts';
import { groups, userDomains } from '../db/schema/index.ts';

/** What a principal may see of other areas, for scopes that are measured by it: a condition for the area's own table, the ids, and whether it is all. */
export interface Seen {
  where: (area: AreaName) => SQL;
  ids: (area: AreaName) => SQL;
  all: (area: AreaName) => boolean;
}
type Measure = (principal: Principal, seen: Seen) => SQL;

/** Where the rows of an area belong. It stands with the area, in `scope.ts`. */
export interface AreaScope {
  table: { id: PgColumn; projectId: PgColumn };
  /** What each scope means in the area's own table. A scope that is not named here reaches nothing. */
  measures: Partial<Record<Scope, Measure>>;
  /** Which rows of its table are the area's at all, where not every one is: calls under way are no history yet. */
  belonging?: SQL;
}

/** Ids as one array parameter, so that a statement keeps its text however many there are. */
export const idArray = (ids: readonly string[]): SQL => sql`${`{${ids.join(',')}}`}::uuid[]`;

export const nothing = sql`false`;
export const everything = sql`true`;
/** The groups of a principal and all below them. */
export const ownTree = (principal: Principal): SQL =>
  sql`array(select ${groups.id} from ${groups} where ${groups.path} && ${idArray(principal.domains)})`;
/** The people who belong to some groups. */
export const peopleOf = (groupIds: SQL): SQL =>
  sql`(select ${userDomains.userId} from ${userDomains} where ${userDomains.groupId} = any(${groupIds}))`;

/** For rows about devices: those about devices that may be viewed; those about devices that are gone are for who views all. */
export const ofSeenDevices =
  (deviceId: PgColumn): Measure =>
  (_principal, seen) =>
    seen.all('devices') ? everything : sql`${deviceId} in ${seen.ids('devices')}`;

/** For areas that hang on no group. */
export const projectWide: AreaScope['measures'] = { all: () => everything };
