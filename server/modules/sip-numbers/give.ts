import { and, asc, eq, sql } from 'drizzle-orm';
import { idArray } from '#server/access/measures.ts';
import type { Change } from '#server/crud/repository.ts';
import { sipNumbers } from '#server/db/schema/index.ts';
import { topics } from '#models/realtime.ts';
import { publish } from '#server/realtime/publish.ts';
import { requireNumberSeat } from '#server/telephony/number-seats.ts';
import { lockFree } from './free.ts';

type OwnerColumn = 'userId' | 'deviceId' | 'domainId';
const idsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : value ? [value] : []).map((item: unknown) => (typeof item === 'string' ? item : (item as { id: string }).id));

/**
 * Makes the numbers a form of their owner names (person, device, group) theirs, and lets go those it no longer names.
 * @throws HttpError `number_not_free` at that field; limits and licences as for giving a number out
 */
export async function giveNumbers({ services, tx, principal, id, at, fields, before }: Change, field: string, owner: OwnerColumn): Promise<boolean> {
  const [were, wanted] = [idsIn(before?.[field]), idsIn(fields[field])];
  const [taken, left] = [wanted.filter((number) => !were.includes(number)), were.filter((number) => !wanted.includes(number))];
  if (taken.length + left.length === 0) return false;
  await lockFree(tx, principal.projectId, taken, [field]);
  const set = (numbers: readonly string[], to: string | null) =>
    tx
      .update(sipNumbers)
      .set({ [owner]: to, version: sql`${sipNumbers.version} + 1`, updatedAt: at })
      .where(and(sql`${sipNumbers.id} = any(${idArray(numbers)})`, eq(sipNumbers.projectId, principal.projectId)));
  if (left.length > 0) await set(left, null);
  if (taken.length > 0) {
    await set(taken, id);
    await requireNumberSeat(services, tx, principal.projectId, { [owner]: id }, at);
  }
  await publish(tx, principal.projectId, topics.area('sip-numbers'), 'RowsChanged', { area: 'sip-numbers', ids: [...taken, ...left].toSorted() });
  return true;
}

/** A person's number: the first they were given that is on. */
export const firstNumber = [asc(sipNumbers.createdAt), asc(sql`lpad(${sipNumbers.number}, 15, '0')`)] as const;
