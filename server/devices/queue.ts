import { sql } from 'drizzle-orm';
import type { DeviceTaskKind } from '#models/device-tasks.ts';
import { topics } from '#models/realtime.ts';
import type { Db } from '../db/database.ts';
import { deviceTasks } from '../db/schema/index.ts';
import { publish } from '../realtime/publish.ts';

/** The channel on which the runners of all server processes hear of devices with work. */
export const taskChannel = 'doorward_tasks';

/** What a device is to do. The payload holds no secret: those are looked up when it is sent. */
export interface TaskOrder {
  projectId: string;
  deviceId: string;
  kind: DeviceTaskKind;
  payload?: Record<string, unknown>;
  /** Null for what the server does by itself. */
  createdBy: string | null;
}
/** Tells lists of tasks, and those of devices, which count theirs. */
export async function notifyChange(tx: Db, { projectId, deviceId }: { projectId: string; deviceId: string }, ids: readonly string[]): Promise<void> {
  await publish(tx, projectId, topics.area('device-tasks'), 'RowsChanged', { area: 'device-tasks', ids: [...ids] });
  await publish(tx, projectId, topics.area('devices'), 'RowsChanged', { area: 'devices', ids: [deviceId] });
}
/** Tells the runners of all server processes that a device may have something to do. */
export async function wakeRunner(tx: Db, deviceId: string): Promise<void> {
  await tx.execute(sql`select pg_notify(${taskChannel}, ${deviceId})`);
}

/** Asks a device for something, within the change that causes it; answers the task's id. It is done in the order of asking. */
export async function queueTask(tx: Db, { projectId, deviceId, kind, payload = {}, createdBy }: TaskOrder): Promise<string> {
  const [task] = await tx
    .insert(deviceTasks)
    .values({ projectId, deviceId, kind, payload, createdBy, status: 'new', createdAt: sql`clock_timestamp()` })
    .returning({ id: deviceTasks.id });
  if (!task) throw new Error('the task was not stored');
  await notifyChange(tx, { projectId, deviceId }, [task.id]);
  await wakeRunner(tx, deviceId);
  return task.id;
}
