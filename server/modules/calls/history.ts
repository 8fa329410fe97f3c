import { and, desc, eq, isNotNull, or, type SQL, sql } from 'drizzle-orm';
import { hasPermission } from '#models/permissions.ts';
import type { DialerEntry } from '#models/phone-calls.ts';
import { type ViewScope, scopeOf } from '#server/access/scope.ts';
import type { Principal, Services } from '#server/context.ts';
import { calls, groups } from '#server/db/schema/index.ts';
import { oneNamed, onlySeen } from '#server/crud/json.ts';
import { fileAddress } from '#server/files.ts';
import { HttpError } from '#server/http-error.ts';
import { Page } from '#server/serve.ts';
import { callNames } from './names.ts';
import { mayHearOf } from './queues.ts';
import { callsOf, deskCalls, ownNumbers } from './scope.ts';

type CallRow = typeof calls.$inferSelect;

const placeId = sql`case when ${calls.callerDeviceId} is null then coalesce(${calls.calleeDomainId}, ${calls.callerDomainId}) else ${calls.callerDomainId} end`;
/** The group a call is about, where it may be seen. */
const placeFor = (scope: ViewScope) =>
  sql<string | null>`(select ${groups.name} from ${groups} where ${and(sql`${groups.id} = ${placeId}`, onlySeen(scope, 'groups', groups.id))})`;
/** The group of the person at the far end: of whoever called, or was called by the reader; of a panel and of a desk there is none. */
const homeFor = (scope: ViewScope, principal: Principal) => {
  const homeId = sql`case when ${calls.callerUserId} is not null and ${calls.callerUserId} <> ${principal.id} then ${calls.callerDomainId}
    when ${calls.calleeUserId} is not null and ${calls.calleeUserId} <> ${principal.id} then ${calls.calleeDomainId} end`;
  return oneNamed(groups, homeId, onlySeen(scope, 'groups', groups.id)) as SQL<{ id: string; name: string } | null>;
};
/** The names of a call as somebody may know them. */
type Names = Record<'caller' | 'callee' | 'taker', string | null>;
const seconds = (from: Date | null, to: Date | null): number => (from && to ? Math.max(0, Math.round((to.getTime() - from.getTime()) / 1_000)) : 0);

const endOf = (number: string, name: string | null): DialerEntry['from'] => ({ number, user: name === null ? null : { name } });

interface Row {
  call: CallRow;
  names: Names;
  group: string | null;
  home: DialerEntry['home'];
}
/** A call as a number has it. One at a desk has all calls of the queue: those that came, whoever took them. */
function entryOf({ call, names, group, home }: Row, number: string): DialerEntry {
  const isOut = call.callerNumber === number;
  const taken = call.answeredBy !== null && call.answeredBy !== number && call.answeredBy !== call.calleeNumber;
  return {
    id: call.id,
    direction: isOut ? 'outgoing' : 'incoming',
    status: call.historyStatus ?? 'failed',
    type: call.type,
    from: endOf(call.callerNumber, names.caller),
    to: endOf(call.calleeNumber, names.callee),
    group,
    home,
    created_at: call.createdAt.toISOString(),
    duration: seconds(call.answeredAt, call.endedAt),
    answered_by: taken && call.answeredBy ? { number: call.answeredBy, name: names.taker } : null,
    sos: call.sos,
    door_opened: call.doorOpened,
    note: call.note,
    image_url: fileAddress(call.imageFile),
  };
}

/** Calls of one of the principal's own numbers, with those of their desk; or of a queue of theirs. @throws HttpError `not_found` for any other number */
export async function dialerHistory(
  services: Services,
  principal: Principal,
  number: string,
  { page, size }: { page: number; size: number },
): Promise<Page<DialerEntry>> {
  const isOwn = (await ownNumbers(services, principal)).includes(number);
  const scope = scopeOf(principal);
  const { caller, callee, taker } = callNames(scope);
  if (!isOwn && !(await mayHearOf(services, principal, number))) throw new HttpError('not_found');
  const desk: SQL | undefined = isOwn && hasPermission(principal, 'can_receive_call_as_concierge') ? deskCalls(principal) : undefined;
  const condition = and(eq(calls.projectId, principal.projectId), isNotNull(calls.historyStatus), or(callsOf([number]), desk));
  const [rows, total] = await Promise.all([
    services.db
      .select({ call: calls, names: { caller, callee, taker }, group: placeFor(scope), home: homeFor(scope, principal) })
      .from(calls)
      .where(condition)
      .orderBy(desc(calls.createdAt), desc(calls.id))
      .limit(size)
      .offset((page - 1) * size),
    services.db.$count(calls, condition),
  ]);
  return new Page(
    rows.map((row) => entryOf(row, number)),
    { page, size, total },
  );
}
