import { and, eq, inArray, sql } from 'drizzle-orm';
import { mayHappenToAlert } from '#machines/lifecycles/emergency-alert.machine.ts';
import type { EmergencyAlertStatus } from '#models/emergency-alerts.ts';
import { topics } from '#models/realtime.ts';
import { audit } from '../audit.ts';
import type { Principal } from '../context.ts';
import type { Db } from '../db/database.ts';
import { deviceTasks, emergencyAlertRecipients, emergencyAlerts } from '../db/schema/index.ts';
import { moveTasks } from '../devices/tasks.ts';
import { HttpError } from '../http-error.ts';
import { announce, publish } from '../realtime/publish.ts';
import { doorsOfAlert, peopleOfAlert, playersOfAlert } from './reach.ts';
import { queueTask } from '../devices/queue.ts';

export type StoredAlert = typeof emergencyAlerts.$inferSelect;

/** The alert, which nobody else changes meanwhile. @throws HttpError `not_found` */
export async function heldAlert(tx: Db, id: string): Promise<StoredAlert> {
  const [found] = await tx.select().from(emergencyAlerts).where(eq(emergencyAlerts.id, id)).for('update');
  if (!found) throw new HttpError('not_found');
  return found;
}

async function moved(
  tx: Db,
  principal: Principal,
  { id, projectId, name, status: before, isDrill: wasDrill }: StoredAlert,
  columns: Partial<typeof emergencyAlerts.$inferInsert> & { status: EmergencyAlertStatus },
  at: Date,
): Promise<void> {
  await tx
    .update(emergencyAlerts)
    .set({ ...columns, version: sql`${emergencyAlerts.version} + 1`, updatedAt: at })
    .where(eq(emergencyAlerts.id, id));
  const { status, isDrill } = columns;
  const changes = {
    status: { before, after: status },
    ...(isDrill !== undefined && { is_drill: { before: wasDrill, after: isDrill } }),
  };
  await audit(tx, principal, { area: 'emergency-alerts', action: 'update', entityId: id, entityName: name, changes }, at);
  await publish(tx, projectId, topics.area('emergency-alerts'), 'RowsChanged', { area: 'emergency-alerts', ids: [id] });
}

/** Every open page of everybody it went to reads anew what there is. */
async function notifyRecipients(tx: Db, { id, projectId }: StoredAlert): Promise<void> {
  const people = await tx
    .select({ userId: emergencyAlertRecipients.userId })
    .from(emergencyAlertRecipients)
    .where(eq(emergencyAlertRecipients.alertId, id));
  await announce(
    tx,
    people.map(({ userId }) => ({ project: projectId, topic: topics.user(userId), name: 'EmergencyAlertChanged' as const, payload: { id } })),
  );
}

async function playAtDevices(tx: Db, principal: Principal, alert: StoredAlert, isDrill: boolean): Promise<void> {
  const payload = {
    alert: alert.id,
    name: alert.name,
    message: alert.message,
    seconds: alert.playbackDuration,
    is_drill: isDrill,
    file: alert.soundFile,
  };
  for (const { id: deviceId } of await playersOfAlert(tx, alert))
    await queueTask(tx, { projectId: alert.projectId, deviceId, kind: 'play_alert', payload, createdBy: principal.id });
}

/** Each door is on record by itself, as one that is opened from the desk. */
async function openDoors(tx: Db, principal: Principal, alert: StoredAlert, at: Date): Promise<void> {
  const payload = { relay: 1, via: 'emergency_alert', user: { id: principal.id, name: principal.name } };
  const changes = { via: { before: null, after: 'emergency_alert' }, reason: { before: null, after: alert.name } };
  for (const { id: deviceId, name } of await doorsOfAlert(tx, alert)) {
    await audit(tx, principal, { area: 'devices', action: 'open_door', entityId: deviceId, entityName: name, changes }, at);
    await queueTask(tx, { projectId: alert.projectId, deviceId, kind: 'open_door', payload, createdBy: principal.id });
  }
}

/** Shows an alert to its people and plays it at its devices. Whoever starts it sees it too. @throws HttpError `prohibited` while it is out */
export async function startAlert(tx: Db, principal: Principal, alert: StoredAlert, isDrill: boolean, at: Date): Promise<void> {
  if (!mayHappenToAlert(alert.status, 'alert.start')) throw new HttpError('prohibited');
  await tx.delete(emergencyAlertRecipients).where(eq(emergencyAlertRecipients.alertId, alert.id));
  await tx.execute(sql`insert into ${emergencyAlertRecipients} (alert_id, user_id)
    select ${alert.id}::uuid, meant.id from (${peopleOfAlert(alert, principal.id)}) meant`);
  await moved(tx, principal, alert, { status: 'started', isDrill, startedAt: at, endedAt: null }, at);
  await notifyRecipients(tx, alert);
  await playAtDevices(tx, principal, alert, isDrill);
  if (alert.openLocks && !isDrill) await openDoors(tx, principal, alert, at);
}

/** Takes an alert from all screens; devices that play it, or are yet to, are told to stop. @throws HttpError `prohibited` */
export async function stopAlert(tx: Db, principal: Principal, alert: StoredAlert, at: Date): Promise<void> {
  if (!mayHappenToAlert(alert.status, 'alert.stop')) throw new HttpError('prohibited');
  await moved(tx, principal, alert, { status: 'stopped', endedAt: at }, at);
  await notifyRecipients(tx, alert);
  const ofThis = and(
    eq(deviceTasks.projectId, alert.projectId),
    eq(deviceTasks.kind, 'play_alert'),
    sql`${deviceTasks.payload} ->> 'alert' = ${alert.id}`,
    sql`${deviceTasks.createdAt} >= ${(alert.startedAt ?? at).toISOString()}::timestamptz`,
  );
  const played = await tx.select({ deviceId: deviceTasks.deviceId }).from(deviceTasks).where(ofThis);
  await moveTasks(tx, and(ofThis, inArray(deviceTasks.status, ['new', 'queued', 'waiting'])), 'task.stop', { finishedAt: at }, at);
  for (const deviceId of new Set(played.map((task) => task.deviceId)))
    await queueTask(tx, { projectId: alert.projectId, deviceId, kind: 'stop_alert', payload: { alert: alert.id }, createdBy: principal.id });
}
