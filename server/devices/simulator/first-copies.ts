import { setImmediate as turn } from 'node:timers/promises';
import type { Services } from '#server/context.ts';
import { copyFor } from '#server/access/device-copy.ts';
import { worldForDevices } from '#server/access/load.ts';
import { deviceCopies } from '#server/db/schema/index.ts';
import { storeCopy } from '../copies.ts';
import type { StoredDevice } from '../orders.ts';

/** The devices of the demo were sent what they decide by before the story begins: those of which nothing is kept get it as it stands now. */
export async function giveFirstCopies(services: Services, devices: readonly StoredDevice[]): Promise<void> {
  const { db, now } = services;
  const hasCopy = new Set((await db.select({ id: deviceCopies.deviceId }).from(deviceCopies)).map(({ id }) => id));
  const without = devices.filter(({ id, protocol }) => protocol !== 'none' && !hasCopy.has(id));
  for (const projectId of new Set(without.map((device) => device.projectId))) {
    const ids = without.filter((device) => device.projectId === projectId).map(({ id }) => id);
    const world = await worldForDevices(services, { projectId, ids }, now());
    for (const id of ids) {
      if (world.doors.has(id)) await storeCopy(db, copyFor(world, id), now());
      // Others are served in between.
      await turn();
    }
  }
}
