import { and, eq, sql } from 'drizzle-orm';
import { hasPermission } from '#models/permissions.ts';
import { scopeOf, viewable, inScope } from '#server/access/scope.ts';
import type { Principal } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { groups, projects } from '#server/db/schema/index.ts';
import { invalidField, HttpError, unknownRelated } from '#server/http-error.ts';
import { refusedField } from '../roles/rules.ts';

/** How deep a tree may grow, the root counted. */
export const deepest = 20;

/**
 * Holds the shape of a project's tree for the length of a transaction: `share` while groups are added, `update` while
 * one moves, so that no path is reckoned from a parent that moves meanwhile, and no two moves close a circle.
 */
export async function holdTree(tx: Db, projectId: string, how: 'share' | 'update'): Promise<void> {
  await tx.execute(
    sql`select ${projects.id} from ${projects} where ${projects.id} = ${projectId} ${how === 'share' ? sql`for share` : sql`for update`}`,
  );
}

/** Does a group lie under another, or is it that one? */
export async function isUnder(tx: Db, id: string, above: string): Promise<boolean> {
  const { rows } = await tx.execute<{ under: boolean }>(
    sql`select ${above}::uuid = any(${groups.path}) as under from ${groups} where ${groups.id} = ${id}`,
  );
  return rows[0]?.under === true;
}

/**
 * May the principal put a group under this parent (null makes a root), with `levels` levels from it downwards?
 * @returns the path of the parent
 * @throws HttpError `forbidden` at parent_id, or `invalid_data` when the tree would grow too deep
 */
export async function requirePlace(tx: Db, principal: Principal, parentId: string | null, levels: number): Promise<string[]> {
  if (parentId === null) {
    if (!hasPermission(principal, 'can_create_root_group')) throw refusedField('parent_id', 'root_not_allowed');
    return [];
  }
  const [parent] = await tx
    .select({ path: groups.path, inTree: sql<boolean>`${inScope(principal, 'descendants', 'groups')}` })
    .from(groups)
    .where(and(eq(groups.id, parentId), viewable(scopeOf(principal), 'groups')));
  if (!parent) throw unknownRelated([parentId]);
  const allowed = hasPermission(principal, 'can_create_root_group') || (parent.inTree && hasPermission(principal, 'can_create_descendant_group'));
  if (!allowed) throw refusedField('parent_id', 'not_allowed');
  if (parent.path.length + levels > deepest) throw invalidField(['parent_id'], 'too_deep', { max: deepest });
  return parent.path;
}

/** Moves a group with all below it: the right to it was looked at before, the right to its new place is looked at here. */
export async function move(tx: Db, principal: Principal, id: string, parentId: string | null): Promise<void> {
  const { rows } = await tx.execute<{ levels: number; depth: number }>(sql`
    select (select max(cardinality(below.path)) from ${groups} below where below.path @> array[${groups.id}]) - cardinality(${groups.path}) + 1 as levels,
      cardinality(${groups.path}) as depth from ${groups} where ${groups.id} = ${id}`);
  const [shape] = rows;
  if (!shape) throw new HttpError('not_found');
  const above = await requirePlace(tx, principal, parentId, shape.levels);
  await tx.execute(sql`update ${groups} set path = ${`{${above.join(',')}}`}::uuid[] || path[${shape.depth}::int:] where path @> array[${id}::uuid]`);
}
