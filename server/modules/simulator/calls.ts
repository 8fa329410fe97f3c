import { and } from 'drizzle-orm';
import type { RunningCall } from '#models/simulator.ts';
import type { Principal, Services } from '#server/context.ts';
import { calls } from '#server/db/schema/index.ts';
import { isLive } from '#server/telephony/calls/book.ts';
import { ownNumbers, reachable } from '../calls/scope.ts';

/** The calls that run here and that somebody may act on, each with the last moves of its chart; the newest first. */
export async function runningCalls(services: Services, principal: Principal): Promise<RunningCall[]> {
  const live = services.telephony?.live ?? [];
  if (live.length === 0) return [];
  const rows = await services.db
    .select({ id: calls.id, caller: calls.callerName, callerNumber: calls.callerNumber, callee: calls.calleeName, calleeNumber: calls.calleeNumber })
    .from(calls)
    .where(and(isLive, reachable(principal, await ownNumbers(services, principal))));
  const seen = new Map(rows.map((row) => [row.id, row]));
  return live.toReversed().flatMap(({ id, moves }) => {
    const row = seen.get(id);
    if (!row) return [];
    return [
      {
        id,
        caller: row.caller ?? row.callerNumber,
        callee: row.callee ?? row.calleeNumber,
        moves: moves.map(({ event, states, at }) => ({ event, states: [...states], at: at.toISOString() })),
      },
    ];
  });
}
