import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Services } from '../context.ts';
import type { Timer } from '../timers.ts';
import { devices } from '../db/schema/index.ts';
import { mayDial } from './addresses.ts';
import { askByHttp, infoByHttp } from './http-device.ts';
import type { Presence } from './presence.ts';
import type { StoredDevice } from './orders.ts';
import { deviceStatus, type DeviceStatus } from './protocol.ts';
import { unseal } from './secrets.ts';
import { spokenProtocol } from './tasks.ts';

const every = 5_000;
const atATime = 8;
const words = z.object({ words: z.array(deviceStatus).max(100), last: z.int() });

/**
 * Looks after devices that are spoken to by HTTP: they tell nobody when they come or go, and what they have to say waits
 * until they are asked (request `words`, answered in order with the number of the last one).
 */
export class HttpWatch {
  readonly #services: Services;
  readonly #presence: Presence;
  readonly #said: (device: StoredDevice, word: DeviceStatus) => Promise<void>;
  #timer: Timer | undefined;
  #looking: Promise<void> | null = null;
  #closed = false;

  constructor(services: Services, presence: Presence, said: (device: StoredDevice, word: DeviceStatus) => Promise<void>) {
    this.#services = services;
    this.#presence = presence;
    this.#said = said;
  }

  open(): void {
    this.#timer = this.#services.timers.every(every, () => void this.look());
  }
  async close(): Promise<void> {
    this.#closed = true;
    this.#timer?.cancel();
    await this.#looking;
  }

  /** Asks each of them once; while that goes on nobody is asked a second time. */
  look(): Promise<void> {
    this.#looking ??= this.#lookAtAll()
      .catch((error: unknown) => this.#services.log.warn({ err: error }, 'devices could not be looked after'))
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  async #lookAtAll(): Promise<void> {
    const { db, config } = this.#services;
    const all = await db.select().from(devices).where(eq(spokenProtocol, 'http'));
    const rest = all.filter(({ ipAddress }) => ipAddress !== null && mayDial(ipAddress, config));
    const hand = async (): Promise<void> => {
      for (let device = rest.pop(); device && !this.#closed; device = rest.pop()) await this.#lookAt(device);
    };
    await Promise.all(Array.from({ length: atATime }, hand));
  }

  async #lookAt(device: StoredDevice): Promise<void> {
    const info = await infoByHttp({ ip: device.ipAddress ?? '', port: device.port });
    if (info?.serial.toLowerCase() !== device.login.toLowerCase()) return this.#presence.gone(device.login, device);
    this.#presence.heard(device.login, device, info.firmware);
    await this.#listenTo(device).catch((error: unknown) =>
      this.#services.log.debug({ device: device.id, reason: String(error) }, 'a device was not heard out'),
    );
  }

  async #listenTo(device: StoredDevice): Promise<void> {
    const { id, ipAddress: ip, port, deviceLogin: login, devicePasswordCipher: cipher, heardUntil: after } = device;
    const { db, config } = this.#services;
    const address = { ip: ip ?? '', port, login, password: cipher === null ? null : unseal(this.#services, cipher) };
    const { body } = await askByHttp(config, address, { id: randomUUID(), kind: 'words', body: { after } });
    const heard = words.safeParse(body);
    if (!heard.success || heard.data.last === after) return;
    // A number that fell back: the device began anew, and so do we.
    const heardUntil = heard.data.last < after ? 0 : heard.data.last;
    // Of several server processes one takes the words in, and a restart takes none in twice.
    const taken = await db
      .update(devices)
      .set({ heardUntil })
      .where(and(eq(devices.id, id), eq(devices.heardUntil, after)))
      .returning({ id: devices.id });
    if (taken.length > 0) for (const word of heard.data.words) await this.#said(device, word);
  }
}
