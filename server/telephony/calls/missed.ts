import { eq, type SQL, sql } from 'drizzle-orm';
import type { Services } from '#server/context.ts';
import { calls, sipNumbers } from '#server/db/schema/index.ts';
import { notify, settleMissed } from '#server/modules/notifications/notify.ts';
import type { Begin } from './begin.ts';
import type { Found } from './found.ts';
import type { CallEnd } from './types.ts';

const ownersOf = (projectId: string, numbers: readonly string[]): SQL =>
  sql`select ${sipNumbers.userId} from ${sipNumbers} where ${sipNumbers.projectId} = ${projectId} and ${sipNumbers.userId} is not null
    and ${sipNumbers.number} = any(${`{${numbers.join(',')}}`}::text[])`;

/**
 * Missed means missed (experience 10): of a call that is over those it was `meant` for are told, unless somebody took it or opened the door. What they missed
 * from its caller before is settled once one of them has talked with that caller; and what the caller missed from whom they call.
 */
export async function notifyMissed(
  { db, now }: Services,
  { id, caller, sos }: Begin,
  { callee }: Found,
  { meant, end }: { meant: readonly string[]; end: CallEnd },
): Promise<void> {
  const { projectId, holder } = caller;
  if (!holder?.userId && meant.length === 0) return;
  await db.transaction(async (tx) => {
    if (holder?.userId) await settleMissed(tx, projectId, callee.number, sql`select ${holder.userId}::uuid`, now());
    if (meant.length === 0) return;
    const people = ownersOf(projectId, meant);
    if (end.status === 'answered') return settleMissed(tx, projectId, caller.number, people, now());
    // Somebody at the desk has ended it for all.
    if (end.reason === 'stopped') return;
    const [call] = await tx.select({ isOpened: calls.doorOpened }).from(calls).where(eq(calls.id, id));
    if (call?.isOpened !== false) return;
    const data = { call: { id, number: caller.number } };
    await notify(tx, { projectId, type: 'call_missed', data, at: now(), ...(sos && { significance: 'important' as const }) }, people);
  });
}
