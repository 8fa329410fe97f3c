import { asc, eq, gt } from 'drizzle-orm';
import { copyFor } from '../access/device-copy.ts';
import { worldForDevices } from '../access/load.ts';
import type { Services } from '../context.ts';
import type { Timer } from '../timers.ts';
import { deviceCopies, devices } from '../db/schema/index.ts';
import { queueSynchronise } from './copies.ts';

/** Before the id of every device. */
const beginning = '00000000-0000-0000-0000-000000000000';
/** One device after the other is looked at, one each so many ms. */
const every = 20_000;

/**
 * Sees devices that hold something else than they should without a change of theirs: a licence came or ended, or a word was lost on the way. They are
 * told like all others.
 */
export class CopyWatch {
  readonly #services: Services;
  #timer: Timer | undefined;
  #looking: Promise<void> = Promise.resolve();
  /** The device that was looked at last. */
  #last = beginning;

  constructor(services: Services) {
    this.#services = services;
  }

  open(): void {
    this.#timer = this.#services.timers.every(every, () => {
      this.#looking = this.look().catch((error: unknown) => this.#services.log.warn({ err: error }, 'what a device holds could not be looked at'));
    });
  }
  async close(): Promise<void> {
    this.#timer?.cancel();
    await this.#looking;
  }

  /** Looks at the next device of those that answered to hold something; after the last comes the first. */
  async look(): Promise<void> {
    const { db, now } = this.#services;
    const [next] = await db
      .select({ id: devices.id, projectId: devices.projectId, version: deviceCopies.version })
      .from(deviceCopies)
      .innerJoin(devices, eq(devices.id, deviceCopies.deviceId))
      .where(gt(deviceCopies.deviceId, this.#last))
      .orderBy(asc(deviceCopies.deviceId))
      .limit(1);
    this.#last = next?.id ?? beginning;
    if (!next) return;
    const { id, projectId, version } = next;
    const wanted = copyFor(await worldForDevices(this.#services, { projectId, ids: [id] }, now()), id);
    if (wanted.version !== version) await db.transaction((tx) => queueSynchronise(tx, [id]));
  }
}
