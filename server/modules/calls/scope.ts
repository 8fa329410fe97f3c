import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import { hasPermission, mayAct } from '#models/permissions.ts';
import { idArray } from '#server/access/measures.ts';
import type { Principal, Services } from '#server/context.ts';
import { calls, sipNumbers } from '#server/db/schema/index.ts';

/** The numbers that are somebody's own. */
export async function ownNumbers({ db }: Pick<Services, 'db'>, principal: Pick<Principal, 'id' | 'projectId'>): Promise<string[]> {
  const rows = await db
    .select({ number: sipNumbers.number })
    .from(sipNumbers)
    .where(and(eq(sipNumbers.projectId, principal.projectId), eq(sipNumbers.userId, principal.id), eq(sipNumbers.isActive, true)));
  return rows.map(({ number }) => number);
}

/** Calls in which one of these numbers called, was called, or took the call. */
export const callsOf = (numbers: readonly string[]): SQL =>
  or(inArray(calls.callerNumber, [...numbers]), inArray(calls.calleeNumber, [...numbers]), inArray(calls.answeredBy, [...numbers])) ?? sql`false`;

const concerns = (groupIds: SQL): SQL =>
  sql`exists (select 1 from groups g where g.id in (${calls.callerDomainId}, ${calls.calleeDomainId}) and g.path && ${groupIds})`;

/** Calls of queues that somebody at a desk has in sight: of their own groups and those below; none for anybody else. */
export const deskCalls = (principal: Principal): SQL =>
  hasPermission(principal, 'can_receive_call_as_concierge')
    ? sql`(${calls.type} = 'awaiting' and ${concerns(idArray(principal.domains))})`
    : sql`false`;

/** Calls of panels whose groups somebody intercepts at the moment. */
export const interceptedCalls = (principal: Principal): SQL =>
  mayAct(principal, 'intercept')
    ? sql`(${calls.callerDeviceId} is not null and exists (select 1 from call_interceptions i join groups g on g.path && i.group_ids
        where i.user_id = ${principal.id} and i.is_active and g.id = ${calls.callerDomainId}))`
    : sql`false`;

/** Calls of the principal's project that they may act on: their own, and those of the desk. */
export const reachable = (principal: Principal, numbers: readonly string[]): SQL =>
  and(eq(calls.projectId, principal.projectId), or(callsOf(numbers), deskCalls(principal), interceptedCalls(principal))) ?? sql`false`;
