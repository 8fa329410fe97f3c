import { type SQL, sql } from 'drizzle-orm';
import type { PeopleClass } from '#server/access/effect.ts';
import { idArray } from '#server/access/measures.ts';
import { scopeOf, viewable } from '#server/access/scope.ts';
import type { Principal } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { users } from '#server/db/schema/index.ts';
import type { Planned, Side } from './planned.ts';
import { reachOf } from './reach.ts';

/** People in sight with the rules that reach them before and after, as two texts by which they are told apart. */
function sorted(principal: Principal, { before, after }: Planned): SQL {
  const among = ({ links, rules }: Side) =>
    sql`from ${reachOf(links)} reach where rule_id = any(${idArray([...new Set(rules.map(({ id }) => id))])})`;
  return sql`
    select user_id, coalesce(string_agg(rule_id::text, ',' order by rule_id) filter (where not is_new), '') as before,
      coalesce(string_agg(rule_id::text, ',' order by rule_id) filter (where is_new), '') as after
    from (select rule_id, user_id, false as is_new ${among(before)}
      union all select rule_id, user_id, true ${among(after)}) both_times
    where user_id in (select ${users.id} from ${users} where ${viewable(scopeOf(principal), 'users')}) group by user_id`;
}

/** So many people whom the same rules reach, and will reach. */
export interface Counted extends PeopleClass {
  key: string;
  people: number;
}
const keyed = sql`before || '>' || after`;
const named = (rules: string): Set<string> => new Set(rules === '' ? [] : rules.split(','));

/** The people whom rules of the doors reach, sorted by which. */
export async function classesOf(db: Db, principal: Principal, planned: Planned): Promise<Counted[]> {
  const { rows } = await db.execute<{ before: string; after: string; key: string; people: number }>(
    sql`select before, after, ${keyed} as key, count(*)::int as people from (${sorted(principal, planned)}) one group by before, after`,
  );
  return rows.map(({ before, after, key, people }) => ({ key, people, before: named(before), after: named(after) }));
}

const pageSize = 50;

/** A page of the people of some classes, by name. */
export async function peopleOf(
  db: Db,
  principal: Principal,
  planned: Planned,
  { keys, page }: { keys: readonly string[]; page: number },
): Promise<{ id: string; name: string }[]> {
  const wanted = sql`array(select json_array_elements_text(${JSON.stringify(keys)}::json))`;
  const { rows } = await db.execute<{ id: string; name: string }>(
    sql`select users.id, users.name from users join (${sorted(principal, planned)}) one on one.user_id = users.id
      where ${keyed} = any(${wanted}) order by lower(users.name), users.id limit ${pageSize} offset ${(page - 1) * pageSize}`,
  );
  return rows;
}
