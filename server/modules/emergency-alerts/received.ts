import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm';
import { type ActiveAlert, type EmergencyAlertPeople, mostAlertPeople } from '#models/emergency-alert-calls.ts';
import { topics } from '#models/realtime.ts';
import { known, scopeOf } from '#server/access/scope.ts';
import type { Principal, Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { emergencyAlertRecipients, emergencyAlerts, users } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { publish } from '#server/realtime/publish.ts';
import { addressOf, homeOf } from '#server/telephony/places.ts';

const { alertId, userId, seenAt, safeAt } = emergencyAlertRecipients;
const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** What goes to somebody now, the latest first. */
export async function alertsFor(db: Db, principal: Principal): Promise<ActiveAlert[]> {
  const { id, name, message, isDrill, startedAt, createdAt, status, projectId } = emergencyAlerts;
  const rows = await db
    .select({ id, name, message, isDrill, startedAt, createdAt, seenAt, safeAt })
    .from(emergencyAlertRecipients)
    .innerJoin(emergencyAlerts, eq(id, alertId))
    .where(and(eq(userId, principal.id), eq(projectId, principal.projectId), eq(status, 'started')))
    .orderBy(desc(startedAt), id);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    message: row.message,
    is_drill: row.isDrill,
    started_at: (row.startedAt ?? row.createdAt).toISOString(),
    seen_at: iso(row.seenAt),
    safe_at: iso(row.safeAt),
  }));
}

/**
 * Keeps what a recipient says of an alert that is out; the first time counts. Whoever is safe has seen it.
 * @throws HttpError `not_found` for anybody else, and for one that is over
 */
export async function answerAlert({ db, now }: Services, principal: Principal, id: string, isSafe: boolean): Promise<null> {
  const mine = and(eq(alertId, id), eq(userId, principal.id));
  await db.transaction(async (tx) => {
    // Whoever stops or starts it anew waits until this stands.
    const [alert] = await tx
      .select({ status: emergencyAlerts.status, projectId: emergencyAlerts.projectId })
      .from(emergencyAlerts)
      .innerJoin(emergencyAlertRecipients, mine)
      .where(eq(emergencyAlerts.id, id))
      .for('share', { of: emergencyAlerts });
    if (alert?.status !== 'started') throw new HttpError('not_found');
    const at = now();
    const changed = await tx
      .update(emergencyAlertRecipients)
      .set({ seenAt: sql`coalesce(${seenAt}, ${at.toISOString()}::timestamptz)`, ...(isSafe && { safeAt: at }) })
      .where(and(mine, isNull(isSafe ? safeAt : seenAt)))
      .returning({ alertId });
    if (changed.length > 0)
      await publish(tx, alert.projectId, topics.area('emergency-alerts'), 'RowsChanged', { area: 'emergency-alerts', ids: [id] });
  });
  return null;
}

/** Who has seen it and who is safe: those in sight by name, the others in the figures. */
export async function alertPeople(db: Db, principal: Principal, id: string): Promise<EmergencyAlertPeople> {
  const scope = scopeOf(principal);
  const [figures] = await db
    .select({ recipients: sql<number>`count(*)::int`, seen: sql<number>`count(${seenAt})::int`, safe: sql<number>`count(${safeAt})::int` })
    .from(emergencyAlertRecipients)
    .where(eq(alertId, id));
  const rows = await db
    .select({ id: users.id, name: users.name, group: addressOf(scope, homeOf(users.id)), seenAt, safeAt })
    .from(emergencyAlertRecipients)
    .innerJoin(users, eq(users.id, userId))
    .where(and(eq(alertId, id), known(scope, userId)))
    .orderBy(sql`${safeAt} is not null`, sql`${seenAt} is not null`, asc(sql`lower(${users.name})`), users.id)
    .limit(mostAlertPeople);
  return {
    ...(figures ?? { recipients: 0, seen: 0, safe: 0 }),
    people: rows.map(({ seenAt: seen, safeAt: safe, ...row }) => ({ ...row, seen_at: iso(seen), safe_at: iso(safe) })),
  };
}
