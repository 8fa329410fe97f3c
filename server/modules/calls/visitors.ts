import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { AnswerOf, calls as callsOfApi } from '#models/api.ts';
import { scopeOf } from '#server/access/scope.ts';
import type { Principal, Services } from '#server/context.ts';
import { oneGroup } from '#server/crud/group-path.ts';
import { type calls, identifiers } from '#server/db/schema/index.ts';
import { stateOf, visitOf } from '../identifiers/columns.ts';
import { callOf } from './acts.ts';

/** So many of them are named. */
const most = 5;

/** The groups whom a call is for: those of the person who is called, or the one whose desk is. */
const groupsCalled = ({ calleeUserId, calleeDomainId }: typeof calls.$inferSelect): SQL =>
  calleeUserId === null ? sql`array[${calleeDomainId}]::uuid[]` : sql`array(select group_id from user_domains where user_id = ${calleeUserId})`;

/**
 * Guests who are expected at this moment by whom a call is for. Whoever may take the call is told their names and where they go, never a key;
 * whoever calls is told nothing.
 * @throws HttpError `not_found` for a call out of sight
 */
export async function visitorsOf(services: Services, principal: Principal, id: string): Promise<AnswerOf<(typeof callsOfApi)['callVisitors']>> {
  const { call, numbers } = await callOf(services, principal, id, 'visitors');
  // Whoever calls is not told whom the other side expects.
  if (numbers.includes(call.callerNumber)) return { visitors: [], total: 0 };
  const { calleeUserId } = call;
  const isHost = calleeUserId === null ? sql`false` : sql`coalesce(${identifiers.userId}, ${identifiers.createdBy}) = ${calleeUserId}`;
  const below = sql`(select id from groups where path && ${groupsCalled(call)})`;
  // A key of an older kind has an owner instead of a group.
  const isTheirs = sql`(${isHost} or ${identifiers.domainId} in ${below}
    or ${identifiers.userId} in (select user_id from user_domains where group_id in ${below}))`;
  const place = sql`coalesce(${identifiers.domainId}, (select group_id from user_domains where user_id = ${identifiers.userId} order by group_id limit 1))`;
  const found = await services.db
    .select({
      name: identifiers.name,
      guestType: identifiers.guestType,
      group: oneGroup(scopeOf(principal), place) as SQL<AnswerOf<(typeof callsOfApi)['callVisitors']>['visitors'][number]['group']>,
      total: sql<number>`(count(*) over ())::int`,
    })
    .from(identifiers)
    .where(
      and(
        eq(identifiers.projectId, principal.projectId),
        eq(identifiers.ownerType, 'guest'),
        sql`${visitOf} = 'expected' and ${stateOf} = 'active'`,
        isTheirs,
      ),
    )
    .orderBy(sql`case when ${identifiers.periodRestrictActive} then ${identifiers.periodRestrictTo} end nulls last`, identifiers.name)
    .limit(most);
  return { visitors: found.map(({ total: _total, ...visitor }) => visitor), total: found[0]?.total ?? 0 };
}
