import { and, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { ViewScope } from '#server/access/scope.ts';
import { declared, jsonObject, onlySeen } from '#server/crud/json.ts';
import { sipNumberForwards, sipNumbers } from '#server/db/schema/index.ts';

const picked = alias(sipNumbers, 'picked');
const forwards = sipNumberForwards;

/** What a number is called where it stands for itself: "1003 Boris Hale". */
export const fullName = (table: typeof sipNumbers) => sql<string>`${table.number} || ' ' || ${table.name}`;

/** Is some other number forwarding to it? */
export const isPicked = sql<boolean>`exists (select 1 from ${forwards} taken where taken.picked_id = ${sipNumbers.id})`;
export const hasOwner = sql<boolean>`num_nonnulls(${sipNumbers.userId}, ${sipNumbers.deviceId}, ${sipNumbers.domainId}) > 0`;
/** Nobody has it, no other number forwards to it, and it is not kept back. */
export const isFree = sql<boolean>`(not ${hasOwner} and not ${sipNumbers.isReserved} and not ${isPicked})`;

/** The numbers of an owner, those one may see, as rows of other areas name them. */
export const numbersWith = (scope: ViewScope, owned: SQL): SQL =>
  rowsOf(
    sql`select json_agg(${jsonObject({ id: sipNumbers.id, name: fullName(sipNumbers) })} order by ${sipNumbers.createdAt}, lpad(${sipNumbers.number}, 15, '0'))
      from ${sipNumbers} where ${and(owned, onlySeen(scope, 'sip-numbers', sipNumbers.id))}`,
  );
/** The one number of an owner, if one may see it. */
export const numberWith = (scope: ViewScope, owned: SQL): SQL =>
  sql`(select ${jsonObject({ id: sipNumbers.id, name: fullName(sipNumbers) })} from ${sipNumbers} where ${and(owned, onlySeen(scope, 'sip-numbers', sipNumbers.id))})`;

function rowsOf(of: SQL): SQL {
  return sql`coalesce((${of}), '[]'::json)`;
}
/** The virtual numbers a number forwards to, in order. */
export const pickedNumbers = rowsOf(
  sql`select json_agg(${jsonObject({ id: picked.id, name: fullName(picked as unknown as typeof sipNumbers) })} order by ${forwards.position})
    from ${forwards} join ${declared(sipNumbers, 'picked')} on ${picked.id} = ${forwards.pickedId} where ${forwards.numberId} = ${sipNumbers.id}`,
);
/** The numbers typed by hand that a number forwards to, in order. */
export const forwardNumbers = rowsOf(
  sql`select json_agg(${forwards.phone} order by ${forwards.position}) from ${forwards} where ${forwards.numberId} = ${sipNumbers.id} and ${forwards.phone} is not null`,
);
