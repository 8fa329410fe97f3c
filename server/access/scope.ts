import { type SQL, and, eq, or, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { AreaName } from '#models/areas.ts';
import type { Scope, Verb } from '#models/area-rules.ts';
import { scopesOf } from '#models/permissions.ts';
import type { Principal } from '../context.ts';
import { areaScopes } from '../modules/scopes.ts';
import { everything, nothing, ownTree, peopleOf, type Seen } from './measures.ts';

/** Through whose eyes rows are read: an principal's, or (null) those of the whole project, as the audit trail has them. */
export interface ViewScope {
  projectId: string;
  principal: Principal | null;
}
/** What somebody may see. */
export const scopeOf = (principal: Principal): ViewScope => ({ projectId: principal.projectId, principal });
/** All of a project, for the server's own work. */
export const projectScope = (projectId: string): ViewScope => ({ projectId, principal: null });

const seenBy = (scope: ViewScope): Seen => ({
  where: (area) => viewable(scope, area),
  ids: (area) => visibleIds(scope, area),
  all: (area) => seesAll(scope, area),
});
/** The rows a verb's scopes reach, measured in the area's table; whether the principal may see them is another question. */
export function inVerbScope(principal: Principal, verb: Verb, area: AreaName): SQL {
  const scopes = scopesOf(principal, verb, area);
  if (scopes.includes('all')) return everything;
  return or(...scopes.map((scope) => inScope(principal, scope, area))) ?? nothing;
}

/** The rows of one scope, for rules that hold for part of what a verb reaches. */
export const inScope = (principal: Principal, scope: Scope, area: AreaName): SQL =>
  areaScopes[area].measures[scope]?.(principal, seenBy(scopeOf(principal))) ?? nothing;

/** Does this sight take in every row of the area? */
export const seesAll = ({ principal }: ViewScope, area: AreaName): boolean => !principal || scopesOf(principal, 'view', area).includes('all');

/**
 * People whom a sight knows by name: those it takes in, and whoever belongs to the principal's own tree. Undefined where that is
 * everybody. `id` names the person; null for nobody and for somebody who is gone, whom only those know who see all.
 */
export function known(scope: ViewScope, id: SQL | PgColumn): SQL | undefined {
  const { principal } = scope;
  if (!principal || seesAll(scope, 'users')) return undefined;
  return sql`coalesce(${id} in ${visibleIds(scope, 'users')} or ${id} in ${peopleOf(ownTree(principal))}, false)`;
}

/** The rows of an area that may be seen; applies to the area's own table, and before everything else. */
export function viewable(scope: ViewScope, area: AreaName): SQL {
  const { table, belonging } = areaScopes[area];
  const project = and(eq(table.projectId, scope.projectId), belonging) ?? nothing;
  if (!scope.principal || seesAll(scope, area)) return project;
  return and(project, inVerbScope(scope.principal, 'view', area)) ?? project;
}

/** The ids of the rows that may be seen, as a subquery: `column in ${visibleIds(…)}`. */
export function visibleIds(scope: ViewScope, area: AreaName): SQL {
  const { table } = areaScopes[area];
  return sql`(select ${table.id} from ${table} where ${viewable(scope, area)})`;
}
