import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { lookOf, type NotificationData, type NotificationType, type Significance } from '#models/notifications.ts';
import { topics } from '#models/realtime.ts';
import { idArray } from '#server/access/measures.ts';
import type { Db } from '#server/db/database.ts';
import { notifications, users } from '#server/db/schema/index.ts';
import { type Announced, announce } from '#server/realtime/publish.ts';

/** What people are told of. */
export interface Notice {
  projectId: string;
  type: NotificationType;
  data: NotificationData;
  /** Otherwise that of its type. */
  significance?: Significance;
  at: Date;
}

const received = (projectId: string, { id, userId }: { id: string; userId: string }): Announced => ({
  project: projectId,
  topic: topics.user(userId),
  name: 'NotificationReceived',
  payload: { id },
});

/**
 * Tells people of a project something: those of the recipients (ids, or a query for ids) who have not switched the class
 * off. Give it the transaction in which it happens. Answers how many were told.
 */
export async function notify(tx: Db, { projectId, type, data, significance, at }: Notice, recipients: readonly string[] | SQL): Promise<number> {
  const values = { significance: significance ?? lookOf(type, data).significance, data: JSON.stringify(data), at: at.toISOString() };
  const people = Array.isArray(recipients) ? sql`any(${idArray(recipients)})` : sql`any(array(${recipients as SQL}))`;
  const wanted = sql`coalesce((${users.notificationSettings} -> ${type}::text ->> 'show')::boolean, true)`;
  const { rows } = await tx.execute<{ id: string; user_id: string }>(sql`
    insert into ${notifications} (project_id, user_id, type, data, significance, created_at)
    select ${projectId}::uuid, ${users.id}, ${type}::text, ${values.data}::jsonb, ${values.significance}::text, ${values.at}::timestamptz
    from ${users} where ${users.projectId} = ${projectId} and ${users.id} = ${people} and ${wanted}
    returning id, user_id`);
  await announce(
    tx,
    rows.map((row) => received(projectId, { id: row.id, userId: row.user_id })),
  );
  return rows.length;
}

/** What is unread of one person's and fits the condition is read from now on. */
export async function markAsRead(tx: Db, principal: { id: string; projectId: string }, condition: SQL | undefined, at: Date): Promise<void> {
  const marked = await tx
    .update(notifications)
    .set({ readAt: at })
    .where(and(eq(notifications.userId, principal.id), isNull(notifications.readAt), condition))
    .returning({ id: notifications.id });
  if (marked.length > 0)
    await announce(tx, [{ project: principal.projectId, topic: topics.user(principal.id), name: 'NotificationsRead', payload: {} }]);
}

/** A matter is done: nobody need read any more what was told of it. */
async function settle(tx: Db, projectId: string, types: readonly NotificationType[], matter: SQL, at: Date): Promise<void> {
  const marked = await tx
    .update(notifications)
    .set({ readAt: at })
    .where(and(eq(notifications.projectId, projectId), isNull(notifications.readAt), inArray(notifications.type, [...types]), matter))
    .returning({ userId: notifications.userId });
  const people = new Set(marked.map(({ userId }) => userId));
  await announce(
    tx,
    [...people].map((id) => ({ project: projectId, topic: topics.user(id), name: 'NotificationsRead', payload: {} })),
  );
}

/** An alarm is processed: that it was raised or cleared is read, for everybody. */
export const settleAlarm = (tx: Db, projectId: string, alarm: { id: string; createdAt: Date }, at: Date): Promise<void> =>
  settle(
    tx,
    projectId,
    ['alarm_enabled', 'alarm_disabled'],
    sql`${notifications.createdAt} >= ${alarm.createdAt.toISOString()}::timestamptz and ${notifications.data} -> 'alarm' ->> 'id' = ${alarm.id}`,
    at,
  );

/** An integration works again, is switched off or gone: that it was given up is read, for everybody. */
export const settleStopped = (tx: Db, projectId: string, id: string, at: Date): Promise<void> =>
  settle(tx, projectId, ['integration_stopped'], sql`${notifications.data} ->> 'integration_id' = ${id}`, at);

/** The broker has another certificate, or none: what was told of the old one is read, for everybody. */
export const settleCertificate = (tx: Db, projectId: string, at: Date): Promise<void> =>
  settle(tx, projectId, ['broker_certificate_ending'], sql`true`, at);

/** Somebody has talked with a number, or called it back: that its calls were missed is read, for these people. */
export const settleMissed = (tx: Db, projectId: string, number: string, people: SQL, at: Date): Promise<void> =>
  settle(
    tx,
    projectId,
    ['call_missed'],
    sql`${notifications.userId} = any(array(${people})) and ${notifications.data} -> 'call' ->> 'number' = ${number}`,
    at,
  );
