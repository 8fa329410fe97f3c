import { and, eq, inArray, sql } from 'drizzle-orm';
import { movesOf } from '#machines/lifecycles/device-task.machine.ts';
import { settleShown } from '../announces/shown.ts';
import { transact } from '../crud/write.ts';
import type { Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { devices, deviceTasks } from '../db/schema/index.ts';
import { HttpError } from '../http-error.ts';
import { notifyChange, wakeRunner } from './queue.ts';

/** The protocol a device speaks now: one that is yet to be told of another speaks the one before. */
export const spokenProtocol = sql<string>`coalesce((select switched.payload ->> 'from' from ${deviceTasks} switched
  where switched.device_id = ${devices.id} and switched.kind = 'set_protocol' and switched.status in ('new', 'queued', 'started', 'waiting')
  order by switched.created_at limit 1), ${devices.protocol})`;

/** One task as it is stored. */
export type StoredTask = typeof deviceTasks.$inferSelect;
type Columns = Partial<typeof deviceTasks.$inferInsert>;
type Move = Parameters<typeof movesOf>[0];

/** Moves tasks on, those among them that their life lets; answers them as they are then. */
export async function moveTasks(tx: Db, which: ReturnType<typeof and>, move: Move, columns: Columns, at: Date): Promise<StoredTask[]> {
  const { from, to } = movesOf(move);
  const moved = await tx
    .update(deviceTasks)
    .set({ ...columns, status: to, version: sql`${deviceTasks.version} + 1`, updatedAt: at })
    .where(and(which, inArray(deviceTasks.status, from)))
    .returning();
  await settleShown(tx, moved, at);
  for (const deviceId of new Set(moved.map((task) => task.deviceId))) {
    const tasks = moved.filter((task) => task.deviceId === deviceId);
    const [first] = tasks;
    if (!first) continue;
    await notifyChange(
      tx,
      first,
      tasks.map(({ id }) => id),
    );
  }
  return moved;
}

/** Moves one task on. @throws HttpError `prohibited` when its life does not let it */
async function moveTask(services: Services, id: string, move: Move, columns: Columns): Promise<StoredTask> {
  return transact(services, async (tx) => {
    const [task] = await moveTasks(tx, eq(deviceTasks.id, id), move, columns, services.now());
    if (!task) throw new HttpError('prohibited');
    await wakeRunner(tx, task.deviceId);
    return task;
  });
}

/** Gives a task up that is not over. What was sent already may still happen. @throws HttpError `prohibited` */
export const stopTask = (services: Services, id: string): Promise<StoredTask> => moveTask(services, id, 'task.stop', { finishedAt: services.now() });

/** Queues a failed task again. @throws HttpError `prohibited` */
export const retryTask = (services: Services, id: string): Promise<StoredTask> =>
  moveTask(services, id, 'task.retry', { attempts: 0, error: null, finishedAt: null, queuedAt: services.now() });

/** Queues all failed tasks of a device again; answers how many they were. */
export async function retryTasks(tx: Db, deviceId: string, at: Date = new Date()): Promise<number> {
  const moved = await moveTasks(
    tx,
    eq(deviceTasks.deviceId, deviceId),
    'task.retry',
    { attempts: 0, error: null, finishedAt: null, queuedAt: at },
    at,
  );
  if (moved.length > 0) await wakeRunner(tx, deviceId);
  return moved.length;
}

const look = 40;

/** Waits until a task is over, at most so many ms; answers it as it is then. */
export async function outcomeOf({ db, timers }: Services, id: string, atMost: number): Promise<StoredTask | undefined> {
  const late = new AbortController();
  const timer = timers.after(atMost, () => late.abort());
  try {
    for (;;) {
      const isLate = late.signal.aborted;
      const [task] = await db.select().from(deviceTasks).where(eq(deviceTasks.id, id));
      if (!task || task.finishedAt !== null || isLate) return task;
      await timers.pause(look, late.signal);
    }
  } finally {
    timer.cancel();
  }
}

/** Is the device known to be there? One spoken to by http is asked when it is needed. */
export async function requireReachable(tx: Db, deviceId: string): Promise<typeof devices.$inferSelect> {
  const [device] = await tx.select().from(devices).where(eq(devices.id, deviceId));
  if (!device) throw new HttpError('not_found');
  if (device.protocol === 'none') throw new HttpError('device_protocol_none');
  if (device.protocol === 'mqtt' && device.online !== true) throw new HttpError('device_offline');
  return device;
}
