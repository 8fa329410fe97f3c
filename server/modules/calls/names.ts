import { type SQL, sql } from 'drizzle-orm';
import { known, seesAll, type ViewScope, visibleIds } from '#server/access/scope.ts';
import { nameFor, nameOfSomebody } from '#server/crud/json.ts';
import { calls } from '#server/db/schema/index.ts';

type End = Record<'userId' | 'deviceId' | 'domainId', (typeof calls)['callerUserId'] | (typeof calls)['callerDeviceId']>;

const caller: End = { userId: calls.callerUserId, deviceId: calls.callerDeviceId, domainId: calls.callerDomainId };
const callee: End = { userId: calls.calleeUserId, deviceId: calls.calleeDeviceId, domainId: calls.calleeDomainId };

/** Who talked with each other heard who it was. */
const isParty = ({ principal }: ViewScope): SQL =>
  principal ? sql`coalesce(${principal.id} in (${calls.callerUserId}, ${calls.calleeUserId}, ${calls.answeredByUserId}), false)` : sql`true`;

/**
 * Whether the name of an end is for this sight: a person it knows, a device, somebody outside; of a group, and of a person who is gone, by
 * their group. Undefined: always.
 */
function isFor(scope: ViewScope, { userId, deviceId, domainId }: End): SQL | undefined {
  const isKnown = known(scope, userId);
  if (!isKnown) return undefined;
  const seen = seesAll(scope, 'groups') ? sql`true` : sql`${domainId} in ${visibleIds(scope, 'groups')}`;
  return sql`(${isParty(scope)} or ${isKnown} or (${userId} is null and (${deviceId} is not null or ${domainId} is null or ${seen})))`;
}

/** Whoever took the call: a person the sight knows, or the device that was called. */
function takerIsFor(scope: ViewScope): SQL | undefined {
  const isKnown = known(scope, calls.answeredByUserId);
  return (
    isKnown &&
    sql`(${isParty(scope)} or ${isKnown} or (${calls.answeredByUserId} is null and ${calls.calleeDeviceId} is not null and ${calls.answeredBy} = ${calls.calleeNumber}))`
  );
}

/** Somebody in the call before or after one that a transfer connects with it: whoever took part in either heard who it was. */
const besides = (scope: ViewScope, alias: 'before' | 'next', end: 'caller' | 'callee' | 'answered_by'): SQL => {
  const of = (column: string): SQL => sql.raw(`${alias}.${column}`);
  const userId = of(`${end}_user_id`);
  const isKnown = known(scope, userId);
  const isDevice = end === 'answered_by' ? sql`false` : sql`${of(`${end}_device_id`)} is not null`;
  const name = nameFor(scope, of(`${end}_name`), isKnown && sql`(${isParty(scope)} or ${isKnown} or ${isDevice})`);
  return sql`json_build_object('number', split_part(${of(end === 'answered_by' ? end : `${end}_number`)}, '-', 1), 'name', ${name})`;
};
/** Who handed a call on that a transfer made: of the two in the call before, the one who is not in this one. */
export const transferrer = (scope: ViewScope): SQL => sql`(select
  case when split_part(before.answered_by, '-', 1) in ("calls"."caller_number", "calls"."callee_number") or before.answered_by is null
  then ${besides(scope, 'before', 'caller')} else ${besides(scope, 'before', 'answered_by')} end
  from calls before where before.id = "calls"."parent_id")`;
/** To whom a call was handed on: the call that came of it began when this one ended, give or take the time to write that down. */
export const transferee = (
  scope: ViewScope,
): SQL => sql`case when "calls"."end_reason" = 'transferred' then (select ${besides(scope, 'next', 'callee')}
  from calls next where next.parent_id = "calls"."id" and next.project_id = "calls"."project_id"
  and next.created_at between "calls"."ended_at" - interval '1 minute' and "calls"."ended_at" + interval '1 minute' limit 1) end`;

/** The names in a call's row as they are for a sight. */
export const callNames = (scope: ViewScope) => ({
  caller: nameFor(scope, calls.callerName, isFor(scope, caller)) as SQL<string | null>,
  callee: nameFor(scope, calls.calleeName, isFor(scope, callee)) as SQL<string | null>,
  taker: nameFor(scope, calls.answeredByName, takerIsFor(scope)) as SQL<string | null>,
  opener: nameOfSomebody(scope, calls.doorOpenedBy) as SQL<string | null>,
});
