import { and, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { SearchArea } from '#models/search.ts';
import type { ViewScope } from '#server/access/scope.ts';
import { namesAlong } from '#server/crud/group-path.ts';
import { inNameOrder } from '#server/crud/json.ts';
import { devices, groups, sipNumbers, users } from '#server/db/schema/index.ts';
import { addressOf, groupOfNumber, homeOf } from '#server/telephony/places.ts';
import { fullName } from '../sip-numbers/columns.ts';
import { digitsOf, nameMatches, startsWith, wordsOf } from './patterns.ts';

/** How rows of an area are found and told; what is compared is told with every row of the area. */
export interface Searched {
  /** What is looked for first. */
  name: PgColumn;
  /** The order of rows that match equally well; the index of the list. */
  order: SQL;
  title: SQL;
  detail: (scope: ViewScope, typed: string) => SQL;
  /** Further ways to find a row, the best first. */
  further: (scope: ViewScope, typed: string) => readonly SQL[];
}

const phoneLike = (typed: string): SQL => {
  const digits = digitsOf(typed);
  return digits ? sql`${users.phone} like ${`%${digits}%`}` : sql`false`;
};
/** A group by its own name and the names above it: "tower b 22". */
function groupByWay(scope: ViewScope, typed: string): readonly SQL[] {
  const words = wordsOf(typed);
  const last = words.at(-1);
  if (!last || words.length < 2) return [];
  const [starts, word] = nameMatches(groups.name, last);
  const way = sql`translate(lower(${namesAlong(scope, groups.path)}::text), 'ё', 'е')`;
  const others = words.slice(0, -1).map((one) => sql`position(${one} in ${way}) > 0`);
  return [and(sql`(${starts} or ${word})`, ...others) ?? sql`false`];
}

export const searched: Readonly<Record<SearchArea, Searched>> = {
  users: {
    name: users.name,
    order: sql`lower(${users.name})`,
    title: sql`${users.name}`,
    detail: (scope, typed) => {
      const [, , byName] = nameMatches(users.name, typed);
      return sql`case when ${byName} then ${addressOf(scope, homeOf(users.id))} when ${phoneLike(typed)} then ${users.phone}
        when ${startsWith(users.email, typed)} then ${users.email} else ${users.login} end`;
    },
    further: (_scope, typed) => [startsWith(users.login, typed), startsWith(users.email, typed), ...(digitsOf(typed) ? [phoneLike(typed)] : [])],
  },
  groups: {
    name: groups.name,
    order: inNameOrder(groups.name),
    title: sql`${groups.name}`,
    detail: (scope) => addressOf(scope, groups.parentId),
    further: groupByWay,
  },
  devices: {
    name: devices.name,
    order: sql`lower(${devices.name})`,
    title: sql`${devices.name}`,
    detail: (scope) => addressOf(scope, devices.domainId),
    further: (_scope, typed) => [startsWith(devices.login, typed)],
  },
  'sip-numbers': {
    name: sipNumbers.number,
    order: sql`lpad(${sipNumbers.number}, 15, '0')`,
    title: fullName(sipNumbers),
    detail: (scope) => addressOf(scope, groupOfNumber),
    further: (_scope, typed) => [...nameMatches(sipNumbers.name, typed)],
  },
};
