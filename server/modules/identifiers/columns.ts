import { and, ne, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { VisitState } from '#models/guest-access.ts';
import type { IdentifierState } from '#models/identifiers.ts';
import type { ViewScope } from '#server/access/scope.ts';
import { oneNamed, onlySeen } from '#server/crud/json.ts';
import { decimalValue, identifiers, users } from '#server/db/schema/index.ts';

const { type, value, userId } = identifiers;

/** What stands in the way of an identifier at this moment, the weightiest first. */
export const stateOf = sql<IdentifierState>`case
  when ${identifiers.revokedAt} is not null then 'revoked'
  when ${identifiers.lostAt} is not null then 'lost'
  when not ${identifiers.isActive} then 'inactive'
  when ${type} = 'face' and ${identifiers.photoFile} is null then 'needs_photo'
  when ${identifiers.periodRestrictActive} and ${identifiers.periodRestrictTo} <= now() then 'expired'
  when ${identifiers.passesRestrictActive} and ${identifiers.passesCount} >= ${identifiers.passesMaxCount} then 'passes_used'
  when ${identifiers.periodRestrictActive} and ${identifiers.periodRestrictFrom} > now() then 'not_yet_valid'
  else 'active' end`;

/** What became of the visit of a guest: by whether the key was ever used, and whether it still opens. A key that was taken back before anybody came is over. */
export const visitOf = sql<VisitState>`case
  when ${identifiers.passesCount} > 0 or ${identifiers.lastUsedAt} is not null then
    case when ${stateOf} in ('revoked', 'lost', 'inactive', 'expired', 'passes_used') then 'over' else 'arrived' end
  when ${stateOf} = 'expired' then 'no_show'
  when ${stateOf} in ('revoked', 'lost', 'inactive') then 'over'
  else 'expected' end`;

/** The page on which a guest opens doors, below the console's own address. */
export const pageOf = sql<string | null>`'/guest-access/' || ${identifiers.keyToken}`;

/** Whose it is, as far as that may be seen. */
export const ownerOf = (scope: ViewScope) => oneNamed(users, userId, onlySeen(scope, 'users', users.id));

/** What may be read of a value: a mobile key is told to its phone and to readers, never to people. */
export const shownValueOf = sql<string>`case when ${type} = 'ukey2' then '' else ${value} end`;

/** What people look an identifier up by: its name, its value in either notation, and whoever has it. */
export const wordsOf = (scope: ViewScope) => sql`concat_ws(' ', ${identifiers.name}, ${shownValueOf}, ${decimalValue}, ${ownerOf(scope)} ->> 'name')`;

/** Whether one of those words holds a text. Each is looked into by its own index; only digits can be part of a decimal number. */
export function inWords(scope: ViewScope, holds: (column: PgColumn | SQL) => SQL, text: string): SQL {
  const among = (condition: SQL | undefined): SQL => sql`select ${identifiers.id} from ${identifiers} where ${condition ?? sql`true`}`;
  const owners = sql`select ${users.id} from ${users} where ${and(holds(users.name), onlySeen(scope, 'users', users.id)) ?? sql`true`}`;
  const parts = [
    among(holds(identifiers.name)),
    among(and(ne(type, 'ukey2'), holds(value))),
    among(sql`${userId} in (${owners})`),
    ...(/^\d+$/.test(text) ? [among(sql`${decimalValue} like ${`%${text}%`}`)] : []),
  ];
  return sql`${identifiers.id} in (${sql.join(parts, sql` union all `)})`;
}
