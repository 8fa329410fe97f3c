import { type SQL, and, eq, sql } from 'drizzle-orm';
import type { GroupNode } from '#models/groups.ts';
import { seesAll, type ViewScope, viewable, visibleIds } from '#server/access/scope.ts';
import { inNameOrder, jsonObject, oneNamed } from '#server/crud/json.ts';
import type { Db } from '#server/db/database.ts';
import { groups, groupTypes, userDomains } from '#server/db/schema/index.ts';

/** Groups one may see as nodes of the tree, parents first; a parent out of sight is as if there were none. */
async function nodes(db: Db, scope: ViewScope, where: SQL | undefined): Promise<GroupNode[]> {
  const parent = seesAll(scope, 'groups')
    ? sql`${groups.parentId}`
    : sql`case when ${groups.parentId} in ${visibleIds(scope, 'groups')} then ${groups.parentId} end`;
  const people = seesAll(scope, 'users') ? sql`true` : sql`${userDomains.userId} in ${visibleIds(scope, 'users')}`;
  const node = jsonObject({
    id: groups.id,
    name: groups.name,
    parent_id: parent,
    type: oneNamed(groupTypes, groups.typeId),
    logic_address: groups.logicAddress,
    children_count: sql`coalesce(below.number, 0)`,
    users_count: sql`coalesce(people.number, 0)`,
    version: groups.version,
  });
  const { rows } = await db.execute<{ nodes: GroupNode[] }>(sql`
    select coalesce(json_agg(${node} order by cardinality(${groups.path}), ${inNameOrder(groups.name)}, ${groups.id}), '[]'::json) as nodes
    from ${groups}
    left join (select parent_id, count(*)::int as number from ${groups} where project_id = ${scope.projectId} group by parent_id) below on below.parent_id = ${groups.id}
    left join (select ${userDomains.groupId} as group_id, count(*)::int as number from ${userDomains} where ${people} group by 1) people on people.group_id = ${groups.id}
    where ${and(viewable(scope, 'groups'), where)}`);
  return rows[0]?.nodes ?? [];
}

/** The whole tree as far as one may see it: flat, parents first. */
export const readTree = (db: Db, scope: ViewScope): Promise<GroupNode[]> => nodes(db, scope, undefined);

/** The groups directly below one. */
export const readChildren = (db: Db, scope: ViewScope, id: string): Promise<GroupNode[]> => nodes(db, scope, eq(groups.parentId, id));

interface Place {
  id: string;
  name: string;
  logic_address: string | null;
}
/** A floor with the apartments on it. */
export interface Floor {
  floor: Place;
  apartments: Place[];
}

const naturally = new Intl.Collator('en', { numeric: true });
const byAddress = (a: Place, b: Place): number =>
  naturally.compare(a.logic_address ?? a.name, b.logic_address ?? b.name) || naturally.compare(a.name, b.name);
const place = ({ id, name, logic_address }: GroupNode): Place => ({ id, name, logic_address });

/**
 * Floors and apartments from a group downwards, told by the shape of the tree and not by the names of types, which every
 * project chooses for itself: an apartment is a group with nothing below it, a floor the group around apartments. Floors
 * come building by building in the order of the tree, both sorted as numbers are.
 */
export async function readFloors(db: Db, scope: ViewScope, id: string): Promise<Floor[]> {
  const below = new Map<string, GroupNode[]>();
  const all = await nodes(db, scope, sql`${groups.path} @> array[${id}::uuid]`);
  for (const node of all) if (node.parent_id && node.id !== id) below.set(node.parent_id, [...(below.get(node.parent_id) ?? []), node]);
  const floors: Floor[] = [];
  const visit = (node: GroupNode): void => {
    const inside = (below.get(node.id) ?? []).toSorted(byAddress);
    const apartments = inside.filter(({ children_count }) => children_count === 0);
    if (apartments.length > 0) floors.push({ floor: place(node), apartments: apartments.map(place) });
    for (const next of inside.filter(({ children_count }) => children_count > 0)) visit(next);
  };
  const root = all.find((node) => node.id === id);
  if (root) visit(root);
  return floors;
}
