import { desc, eq, sql } from 'drizzle-orm';
import type { reservationActions, ReservationLogEntry } from '#models/amenity-reservation-calls.ts';
import type { ViewScope } from '#server/access/scope.ts';
import { personThen } from '#server/crud/json.ts';
import type { Change, Row } from '#server/crud/repository.ts';
import { isSame } from '#server/crud/same.ts';
import type { Db } from '#server/db/database.ts';
import { amenities, reservationLog, users } from '#server/db/schema/index.ts';

type Changes = ReservationLogEntry['changes'];
const spoken = ['date', 'timeSlots', 'numberOfPersons'];

async function nameIn(tx: Db, table: typeof amenities | typeof users, id: unknown): Promise<string | null> {
  const [found] = await tx
    .select({ name: table.name })
    .from(table)
    .where(eq(table.id, String(id)));
  return found?.name ?? null;
}

/** What a change of these fields puts in the place of what: rows of other areas by the name they have now. */
export async function changesOf(tx: Db, before: Row, fields: Record<string, unknown>): Promise<Changes> {
  const changes: Changes = {};
  for (const field of spoken)
    if (field in fields && !isSame(before[field], fields[field])) changes[field] = { before: before[field], after: fields[field] };
  for (const [field, table] of [
    ['amenity', amenities],
    ['user', users],
  ] as const)
    if (typeof fields[field] === 'string')
      changes[field] = { before: (before[field] as { name: string }).name, after: await nameIn(tx, table, fields[field]) };
  return changes;
}

/** Writes down what somebody did with a reservation. */
export async function logReservation(
  { tx, principal, id, at }: Pick<Change, 'tx' | 'principal' | 'id' | 'at'>,
  action: (typeof reservationActions)[number],
  changes: Changes = {},
): Promise<void> {
  await tx.insert(reservationLog).values({ reservationId: id, action, userId: principal.id, userName: principal.name, changes, occurredAt: at });
}

/** What became of a reservation, the newest first; of people only the names that the reader may know. */
export async function logsOf(db: Db, scope: ViewScope, id: string): Promise<ReservationLogEntry[]> {
  const rows = await db
    .select({
      id: reservationLog.id,
      action: reservationLog.action,
      user: sql<ReservationLogEntry['user']>`${personThen(scope, reservationLog.userId, reservationLog.userName)}`,
      changes: reservationLog.changes,
      occurredAt: reservationLog.occurredAt,
    })
    .from(reservationLog)
    .where(eq(reservationLog.reservationId, id))
    .orderBy(desc(reservationLog.occurredAt), desc(sql`array_position(array['created', 'edited', 'canceled'], ${reservationLog.action})`));
  return rows.map(({ occurredAt, ...row }) => ({ ...row, occurred_at: occurredAt.toISOString() }));
}
