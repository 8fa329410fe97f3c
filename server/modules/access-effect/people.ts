import { type SQL, sql } from 'drizzle-orm';
import type { PeopleClass } from '#server/access/effect.ts';
import { idArray } from '#server/access/measures.ts';
import { sightOf, viewable } from '#server/access/scope.ts';
import type { Principal } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { users } from '#server/db/schema/index.ts';
import { draftRule, type Planned } from './plans.ts';

/** Each person with the rules that reach them: by name, by an identifier of theirs, by a group they are in or below. */
const reached = (projectId: string, { before, draft }: Planned): SQL => {
  const rules = idArray(before.rules.map(({ id }) => id));
  const drafted = draft
    ? sql`union select ${draftRule}, id from users where project_id = ${projectId} and id = any(${idArray(draft.users)})
      union select ${draftRule}, user_id from identifiers where project_id = ${projectId} and id = any(${idArray(draft.identifiers)})
      union select ${draftRule}, people.user_id from groups held join user_domains people on people.group_id = held.id
        where held.project_id = ${projectId} and held.path && ${idArray(draft.groups)}`
    : sql``;
  return sql`select rule_id::text as rule, user_id from access_rule_users where rule_id = any(${rules})
    union select link.rule_id::text, identifiers.user_id from access_rule_identifiers link join identifiers on identifiers.id = link.identifier_id
      where link.rule_id = any(${rules})
    union select link.rule_id::text, people.user_id from access_rule_groups link join groups held on held.path @> array[link.group_id]
      join user_domains people on people.group_id = held.id where link.rule_id = any(${rules})
    ${drafted}`;
};

/** People in sight with their rules as one text, by which they are told apart. */
const sorted = (principal: Principal, planned: Planned): SQL => sql`
  select reach.user_id, string_agg(reach.rule, ',' order by reach.rule) as rules from (${reached(principal.projectId, planned)}) reach
  where reach.user_id in (select ${users.id} from ${users} where ${viewable(sightOf(principal), 'users')}) group by reach.user_id`;

/** So many people whom the same rules reach. */
export interface Counted extends PeopleClass {
  rules: string;
  people: number;
}

/** The people whom rules of the doors reach, sorted by which. */
export async function classesOf(db: Db, principal: Principal, planned: Planned): Promise<Counted[]> {
  const { rows } = await db.execute<{ rules: string; people: number }>(
    sql`select rules, count(*)::int as people from (${sorted(principal, planned)}) one group by rules`,
  );
  return rows.map(({ rules, people }) => {
    const all = rules.split(',');
    return {
      rules,
      people,
      before: new Set(all.filter((id) => id !== draftRule)),
      after: new Set(all.filter((id) => id !== planned.replaced)),
    };
  });
}

const pageSize = 50;

/** A page of the people of some classes, by name. */
export async function peopleOf(
  db: Db,
  principal: Principal,
  planned: Planned,
  { rules, page }: { rules: readonly string[]; page: number },
): Promise<{ id: string; name: string }[]> {
  const wanted = sql`array(select json_array_elements_text(${JSON.stringify(rules)}::json))`;
  const { rows } = await db.execute<{ id: string; name: string }>(
    sql`select users.id, users.name from users join (${sorted(principal, planned)}) one on one.user_id = users.id
      where one.rules = any(${wanted}) order by lower(users.name), users.id limit ${pageSize} offset ${(page - 1) * pageSize}`,
  );
  return rows;
}
