import { and, eq, inArray, notInArray, sql } from 'drizzle-orm';
import type { DeviceTaskKind } from '#models/device-tasks.ts';
import type { Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { devices, deviceTasks } from '../db/schema/index.ts';
import { wakeRunner } from './queue.ts';
import { moveTasks, type StoredTask } from './tasks.ts';

/** What somebody stands and waits for: done at once or not at all, past the queue. */
export const atOnce: readonly DeviceTaskKind[] = ['open_door', 'remote_control', 'call_elevator', 'enrol_card', 'play_alert', 'stop_alert'];
/** After this long nobody waits for it any more, ms. */
const worthless = 30_000;

/** One server process at a time decides what a device does next. */
const holdDevice = (tx: Db, deviceId: string) => tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${deviceId}, 7))`);

/** Whether a device has something to do, of what is done at once or of the rest. Most that are heard of have nothing: this one question is all they cost. */
export async function hasOpen({ db }: Services, deviceId: string, which: 'at once' | 'in order'): Promise<boolean> {
  const kind = which === 'at once' ? inArray(deviceTasks.kind, [...atOnce]) : notInArray(deviceTasks.kind, [...atOnce]);
  const [open] = await db
    .select({ id: deviceTasks.id })
    .from(deviceTasks)
    // As the index of open tasks has it.
    .where(and(eq(deviceTasks.deviceId, deviceId), kind, sql`${deviceTasks.status} in ('new', 'queued', 'started', 'waiting')`))
    .limit(1);
  return open !== undefined;
}

/** Takes a task that is stored as `new` through the queue to the device. */
async function startNow(tx: Db, id: string, at: Date): Promise<StoredTask | undefined> {
  const which = eq(deviceTasks.id, id);
  await moveTasks(tx, which, 'task.queue', { queuedAt: at }, at);
  const [task] = await moveTasks(tx, which, 'task.start', { startedAt: at, attempts: sql`${deviceTasks.attempts} + 1` as never }, at);
  return task;
}

/** The tasks of a device that are done at once, started; those that nobody waits for any more are given up. */
export async function claimAtOnce({ db, now }: Services, deviceId: string): Promise<StoredTask[]> {
  return db.transaction(async (tx) => {
    await holdDevice(tx, deviceId);
    const at = now();
    const open = await tx
      .select({ id: deviceTasks.id, createdAt: deviceTasks.createdAt })
      .from(deviceTasks)
      .where(
        and(eq(deviceTasks.deviceId, deviceId), inArray(deviceTasks.kind, [...atOnce]), inArray(deviceTasks.status, ['new', 'queued', 'waiting'])),
      )
      .for('update');
    const started: StoredTask[] = [];
    for (const { id, createdAt } of open) {
      if (at.getTime() - createdAt.getTime() > worthless) await moveTasks(tx, eq(deviceTasks.id, id), 'task.stop', { finishedAt: at }, at);
      else {
        const task = await startNow(tx, id, at);
        if (task) started.push(task);
      }
    }
    return started;
  });
}

const inOrder = (deviceId: string) =>
  sql`${deviceTasks.deviceId} = ${deviceId} and ${deviceTasks.kind} <> all(array['open_door', 'remote_control', 'call_elevator', 'enrol_card', 'play_alert', 'stop_alert'])`;

/** What a device does next: a task, started; or how many ms until the oldest may be tried again; or nothing. */
export async function claimNext({ db, now }: Services, deviceId: string, reachable: boolean): Promise<StoredTask | number | null> {
  return db.transaction(async (tx) => {
    await holdDevice(tx, deviceId);
    const at = now();
    const which = inOrder(deviceId);
    if (!reachable) {
      // It may be there for another server process; and what that one has begun is its own.
      const away = sql`exists (select from ${devices} where ${devices.id} = ${deviceId} and ${devices.online} is not true)`;
      await moveTasks(tx, and(which, inArray(deviceTasks.status, ['new', 'queued']), away), 'task.wait', {}, at);
      return null;
    }
    await moveTasks(tx, which, 'device.online', { queuedAt: at }, at);
    await moveTasks(tx, and(which, eq(deviceTasks.status, 'new')), 'task.queue', { queuedAt: at }, at);
    const open = await tx
      .select({ id: deviceTasks.id, status: deviceTasks.status, attempts: deviceTasks.attempts, queuedAt: deviceTasks.queuedAt })
      .from(deviceTasks)
      .where(and(which, inArray(deviceTasks.status, ['queued', 'started'])))
      .orderBy(deviceTasks.createdAt, deviceTasks.id);
    const [first] = open;
    if (!first || open.some(({ status }) => status === 'started')) return null;
    const early = first.attempts > 0 ? (first.queuedAt?.getTime() ?? 0) - at.getTime() : 0;
    if (early > 0) return early;
    return (await startNow(tx, first.id, at)) ?? null;
  });
}

/** Tasks that a process took and did not end, because it ended itself: back into the queue, to be told once more under the same id. */
export async function recover({ db, now }: Services, olderThan: number): Promise<string[]> {
  const before = new Date(now().getTime() - olderThan).toISOString();
  const moved = await db.transaction((tx) => moveTasks(tx, sql`${deviceTasks.startedAt} <= ${before}::timestamptz`, 'task.interrupted', {}, now()));
  return [...new Set(moved.map(({ deviceId }) => deviceId))];
}

/** A task that is out while its process ends: back into the queue, for whichever process has the device next, to be told under the same id. */
export const handBack = ({ db, now }: Services, { id, deviceId }: StoredTask): Promise<void> =>
  db.transaction(async (tx) => {
    await moveTasks(tx, eq(deviceTasks.id, id), 'task.interrupted', {}, now());
    await wakeRunner(tx, deviceId);
  });

/** The devices that have something to do. */
export async function busyDevices({ db }: Services): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: deviceTasks.deviceId })
    .from(deviceTasks)
    .where(inArray(deviceTasks.status, ['new', 'queued', 'waiting']));
  return rows.map(({ id }) => id);
}
