import { and, desc, eq, isNotNull, or, type SQL, sql } from 'drizzle-orm';
import { holds } from '#models/permissions.ts';
import type { DialerEntry } from '#models/phone-calls.ts';
import type { Asker, Services } from '#server/context.ts';
import { calls } from '#server/db/schema/index.ts';
import { Refusal } from '#server/refusal.ts';
import { Page } from '#server/serve.ts';
import { mayHearOf } from './queues.ts';
import { callsOf, deskCalls, ownNumbers } from './sight.ts';

type Kept = typeof calls.$inferSelect;

const place = sql<string | null>`(select g.name from groups g where g.id = case when "calls"."caller_device_id" is null
  then coalesce("calls"."callee_domain_id", "calls"."caller_domain_id") else "calls"."caller_domain_id" end)`;
const seconds = (from: Date | null, to: Date | null): number => (from && to ? Math.max(0, Math.round((to.getTime() - from.getTime()) / 1_000)) : 0);

const endOf = (number: string, name: string | null): DialerEntry['from'] => ({ number, user: name === null ? null : { name } });

/** A call as a number has it. One at a desk has all calls of the queue: those that came, whoever took them. */
function entryOf(call: Kept, group: string | null, number: string): DialerEntry {
  const isOut = call.callerNumber === number;
  const taken = call.answeredBy !== null && call.answeredBy !== number && call.answeredBy !== call.calleeNumber;
  return {
    id: call.id,
    direction: isOut ? 'outgoing' : 'incoming',
    status: call.historyStatus ?? 'failed',
    type: call.type,
    from: endOf(call.callerNumber, call.callerName),
    to: endOf(call.calleeNumber, call.calleeName),
    group,
    created_at: call.createdAt.toISOString(),
    duration: seconds(call.answeredAt, call.endedAt),
    answered_by: taken && call.answeredBy ? { number: call.answeredBy, name: call.answeredByName } : null,
    sos: call.sos,
    door_opened: call.doorOpened,
    note: call.note,
  };
}

/** Calls of one of the asker's own numbers, with those of their desk; or of a queue of theirs. @throws Refusal `not_found` for any other number */
export async function dialerHistory(
  services: Services,
  asker: Asker,
  number: string,
  { page, size }: { page: number; size: number },
): Promise<Page<DialerEntry>> {
  const isOwn = (await ownNumbers(services, asker)).includes(number);
  if (!isOwn && !(await mayHearOf(services, asker, number))) throw new Refusal('not_found');
  const desk: SQL | undefined = isOwn && holds(asker, 'can_receive_call_as_concierge') ? deskCalls(asker) : undefined;
  const condition = and(eq(calls.projectId, asker.projectId), isNotNull(calls.historyStatus), or(callsOf([number]), desk));
  const [rows, total] = await Promise.all([
    services.db
      .select({ call: calls, group: place })
      .from(calls)
      .where(condition)
      .orderBy(desc(calls.createdAt), desc(calls.id))
      .limit(size)
      .offset((page - 1) * size),
    services.db.$count(calls, condition),
  ]);
  return new Page(
    rows.map(({ call, group }) => entryOf(call, group, number)),
    { page, size, total },
  );
}
