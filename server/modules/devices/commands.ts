import { eq, sql } from 'drizzle-orm';
import type { DeviceTaskKind } from '#models/device-tasks.ts';
import type { DeviceProtocol } from '#models/devices.ts';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import { auditRefused } from '#server/crud/trail.ts';
import { holdRow, transact } from '#server/crud/write.ts';
import type { Db } from '#server/db/database.ts';
import { devices } from '#server/db/schema/index.ts';
import { queueTask } from '#server/devices/queue.ts';
import { retryTasks } from '#server/devices/tasks.ts';
import { invalidField, HttpError } from '#server/http-error.ts';
import { devicesRepository } from './repository.ts';

/** What a device is asked by somebody who may edit it; alerts and announcements go to many at once, and are on record themselves. */
type DeviceCommand = Exclude<DeviceTaskKind, 'play_alert' | 'stop_alert' | 'show_message' | 'hide_message'>;

/** Something done with a device one may edit: it is held meanwhile, and the trail says what was done or refused. */
function withDevice<T>(
  services: Services,
  principal: Principal,
  id: string,
  action: DeviceCommand | 'retry_queue',
  work: (tx: Db, device: typeof devices.$inferSelect) => Promise<T>,
): Promise<T> {
  return auditRefused(services, principal, { area: 'devices', verb: 'edit', id }, () =>
    transact(services, async (tx) => {
      await holdRow(tx, devicesRepository, principal, 'edit', id);
      const [device] = await tx.select().from(devices).where(eq(devices.id, id));
      if (!device) throw new HttpError('not_found');
      const done = await work(tx, device);
      await audit(tx, principal, { area: 'devices', action, entityId: id, entityName: device.name }, services.now());
      return done;
    }),
  );
}

/**
 * Queues a task for a device and answers its id.
 * @throws HttpError `device_protocol_none` for a device that is only kept in the books
 */
export const command = (
  services: Services,
  principal: Principal,
  id: string,
  kind: DeviceCommand,
  payload?: Record<string, unknown>,
): Promise<string> =>
  withDevice(services, principal, id, kind, (tx, { protocol }) => {
    if (protocol === 'none') throw new HttpError('device_protocol_none');
    return queueTask(tx, { projectId: principal.projectId, deviceId: id, kind, createdBy: principal.id, ...(payload && { payload }) });
  });

/** Queues the failed tasks of a device again and answers how many they were. */
export const retryQueue = (services: Services, principal: Principal, id: string): Promise<number> =>
  withDevice(services, principal, id, 'retry_queue', (tx) => retryTasks(tx, id));

function requireFits(device: typeof devices.$inferSelect, protocol: DeviceProtocol): void {
  if (protocol === 'mqtt' && !device.passwordCipher) throw invalidField(['password'], 'required');
  if (protocol === 'http' && !device.ipAddress) throw invalidField(['ip_address'], 'required');
}

/**
 * Changes a device's protocol. The device is told by the old way to change over, and spoken to by the new one when it has
 * answered; where there is no way to it, or none is wanted any more, the change is made at once.
 */
export const setProtocol = (services: Services, principal: Principal, id: string, protocol: DeviceProtocol): Promise<string | null> =>
  withDevice(services, principal, id, 'set_protocol', async (tx, device) => {
    requireFits(device, protocol);
    if (protocol === device.protocol) return null;
    if (protocol !== 'none' && device.protocol !== 'none')
      return queueTask(tx, { projectId: principal.projectId, deviceId: id, kind: 'set_protocol', payload: { protocol }, createdBy: principal.id });
    await tx
      .update(devices)
      .set({ protocol, version: sql`${devices.version} + 1`, updatedAt: services.now() })
      .where(eq(devices.id, id));
    return null;
  });
