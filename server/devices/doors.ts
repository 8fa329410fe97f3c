import { eq } from 'drizzle-orm';
import { audit } from '../audit.ts';
import type { Principal, Services } from '../context.ts';
import { deviceTasks } from '../db/schema/index.ts';
import { queueTask } from './queue.ts';
import { requireReachable, moveTasks, outcomeOf } from './tasks.ts';

/** So long somebody at the desk waits for the device's own word, ms. */
const confirmation = 5_000;

/**
 * Opens the door of a device. `confirmed` only when the device itself said so within 5 s; what was not sent by then is
 * not sent any more. Who opened it, by which way (`console`, a speech id) and why, is on record.
 * @throws HttpError `device_offline`, `device_protocol_none`, `not_found`
 */
export async function openDoor(
  services: Services,
  deviceId: string,
  principal: Principal,
  via: string,
  reason: string | null = null,
): Promise<'confirmed' | 'unconfirmed'> {
  const { db, now } = services;
  const id = await db.transaction(async (tx) => {
    const device = await requireReachable(tx, deviceId);
    const changes = { via: { before: null, after: via }, ...(reason !== null && { reason: { before: null, after: reason } }) };
    await audit(tx, principal, { area: 'devices', action: 'open_door', entityId: deviceId, entityName: device.name, changes }, now());
    const payload = { relay: 1, via, user: { id: principal.id, name: principal.name } };
    return queueTask(tx, { projectId: device.projectId, deviceId, kind: 'open_door', payload, createdBy: principal.id });
  });
  const task = await outcomeOf(services, id, confirmation);
  if (task?.status === 'completed') return 'confirmed';
  await db.transaction((tx) => moveTasks(tx, eq(deviceTasks.id, id), 'task.stop', { finishedAt: now() }, now()));
  return 'unconfirmed';
}
