import { eq, sql } from 'drizzle-orm';
import type { DeviceTaskKind } from '#models/device-tasks.ts';
import { topics } from '#models/realtime.ts';
import type { DeviceCopy } from '../access/device-copy.ts';
import type { Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { devices, deviceTasks } from '../db/schema/index.ts';
import { notify } from '../modules/notifications/notify.ts';
import { publish } from '../realtime/publish.ts';
import { storeCopy } from './copies.ts';
import type { StoredDevice } from './orders.ts';
import { mailThoseNamed } from './outages.ts';
import { type DeviceResponse, syncErrors } from './protocol.ts';
import { moveTasks, type StoredTask } from './tasks.ts';

const applies: readonly DeviceTaskKind[] = ['apply_settings', 'init', 'reinit'];
const synchronises: readonly DeviceTaskKind[] = ['synchronise', 'reinit'];

/** What a device that did its task is known by from now on. */
function learnt(kind: DeviceTaskKind, { body = {} }: DeviceResponse, at: Date): Partial<typeof devices.$inferInsert> {
  const errors = syncErrors.safeParse(body['sync_errors']);
  return {
    ...(applies.includes(kind) && { settingsAppliedAt: at }),
    ...(synchronises.includes(kind) && { syncedAt: at, syncErrors: errors.success ? errors.data : { identifiers: [], schedules: [] } }),
    ...(typeof body['firmware'] === 'string' && { firmware: body['firmware'].slice(0, 64) }),
  };
}

/** A device that has changed over is spoken to by its new protocol from now on. */
function changedOver({ kind, payload }: StoredTask): Partial<typeof devices.$inferInsert> {
  const { protocol } = payload;
  return kind === 'set_protocol' && typeof protocol === 'string' ? { protocol, version: sql`${devices.version} + 1` as never } : {};
}

/** Whoever sent settings hears whether they arrived (spec B9: device broker settings sent). */
async function notifySender(tx: Db, task: StoredTask, device: StoredDevice, hasError: boolean, at: Date): Promise<void> {
  if (!applies.includes(task.kind) || task.createdBy === null) return;
  const data = { device: { id: device.id, name: device.name }, has_error: hasError };
  await notify(tx, { projectId: task.projectId, type: 'device_broker_settings_sent', data, at }, [task.createdBy]);
}

/** The device has done its task. One that was stopped meanwhile stays stopped. `copy`: what the device decides by from now on, where it was sent one. */
export async function complete(
  { db, now }: Services,
  task: StoredTask,
  device: StoredDevice,
  response: DeviceResponse,
  copy?: DeviceCopy,
): Promise<void> {
  const at = now();
  await db.transaction(async (tx) => {
    // Whatever became of the task: the device holds what it answered to hold.
    if (copy) await storeCopy(tx, copy, at);
    const [done] = await moveTasks(
      tx,
      eq(deviceTasks.id, task.id),
      'device.done',
      { finishedAt: at, error: null, result: response.body ?? null },
      at,
    );
    if (!done) return;
    const columns = { ...learnt(task.kind, response, at), ...changedOver(task) };
    if (Object.keys(columns).length > 0) {
      await tx.update(devices).set(columns).where(eq(devices.id, device.id));
      await publish(tx, device.projectId, topics.area('devices'), 'RowsChanged', { area: 'devices', ids: [device.id] });
    }
    await notifySender(tx, task, device, false, at);
  });
}

/** The device could not do it, or did not answer as often as it was asked: the task is an error, and those named by the groups are told. */
export async function fail({ db, now }: Services, task: StoredTask, device: StoredDevice, reason: string): Promise<void> {
  const at = now();
  await db.transaction(async (tx) => {
    const [failed] = await moveTasks(tx, eq(deviceTasks.id, task.id), 'device.failed', { finishedAt: at, error: reason.slice(0, 300) }, at);
    if (!failed) return;
    await notifySender(tx, task, device, true, at);
    await mailThoseNamed(tx, device.id, 'deviceTaskFailed', at, reason);
  });
}

/** Nothing is known of the outcome: the task goes back into the queue, to be tried after a pause under the same id. */
export async function putBack({ db, now }: Services, task: StoredTask, reason: string, pause: number): Promise<void> {
  const at = now();
  const queuedAt = sql`${new Date(at.getTime() + pause).toISOString()}::timestamptz`;
  await db.transaction((tx) =>
    moveTasks(tx, eq(deviceTasks.id, task.id), 'task.interrupted', { error: reason.slice(0, 300), queuedAt: queuedAt as never }, at),
  );
}
