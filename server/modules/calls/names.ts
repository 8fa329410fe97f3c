import { type SQL, sql } from 'drizzle-orm';
import { known, seesAll, type Sight, visibleIds } from '#server/access/scope.ts';
import { nameFor, nameOfSomebody } from '#server/crud/json.ts';
import { calls } from '#server/db/schema/index.ts';

type End = Record<'userId' | 'deviceId' | 'domainId', (typeof calls)['callerUserId'] | (typeof calls)['callerDeviceId']>;

const caller: End = { userId: calls.callerUserId, deviceId: calls.callerDeviceId, domainId: calls.callerDomainId };
const callee: End = { userId: calls.calleeUserId, deviceId: calls.calleeDeviceId, domainId: calls.calleeDomainId };

/** Who talked with each other heard who it was. */
const isParty = ({ asker }: Sight): SQL =>
  asker ? sql`coalesce(${asker.id} in (${calls.callerUserId}, ${calls.calleeUserId}, ${calls.answeredByUserId}), false)` : sql`true`;

/**
 * Whether the name of an end is for this sight: a person it knows, a device, somebody outside; of a group, and of a person who is gone, by
 * their group. Undefined: always.
 */
function isFor(sight: Sight, { userId, deviceId, domainId }: End): SQL | undefined {
  const isKnown = known(sight, userId);
  if (!isKnown) return undefined;
  const seen = seesAll(sight, 'groups') ? sql`true` : sql`${domainId} in ${visibleIds(sight, 'groups')}`;
  return sql`(${isParty(sight)} or ${isKnown} or (${userId} is null and (${deviceId} is not null or ${domainId} is null or ${seen})))`;
}

/** Whoever took the call: a person the sight knows, or the device that was called. */
function takerIsFor(sight: Sight): SQL | undefined {
  const isKnown = known(sight, calls.answeredByUserId);
  return (
    isKnown &&
    sql`(${isParty(sight)} or ${isKnown} or (${calls.answeredByUserId} is null and ${calls.calleeDeviceId} is not null and ${calls.answeredBy} = ${calls.calleeNumber}))`
  );
}

/** The names in a call's row as they are for a sight. */
export const callNames = (sight: Sight) => ({
  caller: nameFor(sight, calls.callerName, isFor(sight, caller)) as SQL<string | null>,
  callee: nameFor(sight, calls.calleeName, isFor(sight, callee)) as SQL<string | null>,
  taker: nameFor(sight, calls.answeredByName, takerIsFor(sight)) as SQL<string | null>,
  opener: nameOfSomebody(sight, calls.doorOpenedBy) as SQL<string | null>,
});
