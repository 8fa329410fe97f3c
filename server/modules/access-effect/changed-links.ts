import { type SQL, sql } from 'drizzle-orm';
import type { AccessChange } from '#models/access-effect.ts';
import { idArray } from '#server/access/measures.ts';
import { type ViewScope, scopeOf, viewable } from '#server/access/scope.ts';
import type { Principal } from '#server/context.ts';
import { onlySeen } from '#server/crud/json.ts';
import { accessRules, groups, users } from '#server/db/schema/index.ts';
import { type Links, liftNames, liftNamesWith, storedLinks } from './reach.ts';

/** The id of a rule that is not written yet. */
export const draftRule = '00000000-0000-0000-0000-000000000000';

type ChangeOf<A extends AccessChange['area']> = Extract<AccessChange, { area: A }>;
type DraftOf<A extends AccessChange['area']> = NonNullable<ChangeOf<A>['draft']>;

/** A link out of the principal's sight stays as it is: nobody takes away what they are not shown. */
function outOfScope(scope: ViewScope, area: 'groups' | 'users' | 'access-rules', column: SQL): SQL {
  const seen = onlySeen(scope, area, column);
  return seen ? sql`not (${seen})` : sql`false`;
}
/** Of these ids those of the project, in sight. */
const seenIn = (scope: ViewScope, area: 'groups' | 'users' | 'access-rules', ids: readonly string[]): SQL => {
  const table = { groups, users, 'access-rules': accessRules }[area];
  return sql`select ${table.id} from ${table} where ${table.id} = any(${idArray(ids)}) and ${viewable(scope, area)}`;
};

/** Besides what is stored, what the draft of a rule names: by its own id, for it may stand in the place of another. */
function withRule({ projectId }: Principal, draft: DraftOf<'access-rules'>): Links {
  const rule = sql`${draftRule}::uuid`;
  return {
    ...storedLinks,
    byName: sql`(select rule_id, user_id from ${storedLinks.byName} stored union all
      select ${rule}, id from users where project_id = ${projectId} and id = any(${idArray(draft.users)}))`,
    byIdentifier: sql`(select rule_id, identifier_id from access_rule_identifiers union all
      select ${rule}, id from identifiers where project_id = ${projectId} and id = any(${idArray(draft.identifiers)}))`,
    byGroup: sql`(select rule_id, group_id from access_rule_groups union all
      select ${rule}, id from groups where project_id = ${projectId} and id = any(${idArray(draft.domains)}))`,
  };
}

/** Besides what is stored, the people whom the draft of a rule for lifts names and who may use lifts. */
const withLiftRule = ({ projectId }: Principal, draft: DraftOf<'elevator-access-rules'>): Links => ({
  ...storedLinks,
  byName: sql`(select rule_id, user_id from ${storedLinks.byName} stored union all
    select ${draftRule}::uuid, id from users where project_id = ${projectId} and id = any(${idArray(draft.users)}) and not elevator_access_disabled)`,
});

/** What leads to rules once a person is as in the draft. */
export function withPerson(scope: ViewScope, id: string, draft: DraftOf<'users'>): Links {
  const isBarred = draft.elevator_access_disabled;
  const lifts = isBarred === undefined ? liftNames : liftNamesWith(id, isBarred);
  return {
    ...storedLinks,
    memberships: sql`(select user_id, group_id from user_domains where user_id <> ${id} or ${outOfScope(scope, 'groups', sql`group_id`)}
      union select ${id}::uuid, named.id from (${seenIn(scope, 'groups', draft.domains)}) named)`,
    byName: sql`(select rule_id, user_id from access_rule_users where user_id <> ${id} or ${outOfScope(scope, 'access-rules', sql`rule_id`)}
      union select named.id, ${id}::uuid from (${seenIn(scope, 'access-rules', draft.access_rules)}) named union all ${lifts})`,
  };
}

function withGroup(scope: ViewScope, id: string, draft: DraftOf<'groups'>): Links {
  const above =
    draft.parent_id === null ? sql`'{}'::uuid[]` : sql`(select path from groups where id = ${draft.parent_id} and not path @> array[${id}::uuid])`;
  return {
    ...storedLinks,
    memberships: sql`(select user_id, group_id from user_domains where group_id <> ${id} or ${outOfScope(scope, 'users', sql`user_id`)}
      union select named.id, ${id}::uuid from (${seenIn(scope, 'users', draft.users)}) named)`,
    byGroup: sql`(select rule_id, group_id from access_rule_groups where group_id <> ${id} or ${outOfScope(scope, 'access-rules', sql`rule_id`)}
      union select named.id, ${id}::uuid from (${seenIn(scope, 'access-rules', draft.access_rules)}) named)`,
    tree: sql`(select below.id, case when below.path @> array[moved.id] and moved.parent_id is distinct from ${draft.parent_id}::uuid
        then coalesce(${above}, moved.path[:cardinality(moved.path) - 1]) || below.path[cardinality(moved.path):] else below.path end as path
      from groups below, (select id, parent_id, path from groups where id = ${id}) moved)`,
  };
}

const withoutGroup = (id: string): Links => ({
  ...storedLinks,
  memberships: sql`(select user_id, group_id from user_domains where group_id <> ${id})`,
  byGroup: sql`(select rule_id, group_id from access_rule_groups where group_id <> ${id})`,
});

/** What would lead from rules to people once a change is made. A rule that is changed or deleted leaves with the rules, not with its links. */
export function changedLinks(principal: Principal, change: Exclude<AccessChange, { area: 'roles' | 'user-roles' }>): Links {
  const scope = scopeOf(principal);
  switch (change.area) {
    case 'access-rules':
      return change.draft ? withRule(principal, change.draft) : storedLinks;
    case 'elevator-access-rules':
      return change.draft ? withLiftRule(principal, change.draft) : storedLinks;
    case 'schedules':
      return storedLinks;
    case 'users':
      return change.draft ? withPerson(scope, change.id, change.draft) : { ...storedLinks, only: sql`user_id <> ${change.id}` };
    case 'groups':
      return change.draft ? withGroup(scope, change.id, change.draft) : withoutGroup(change.id);
  }
}
