import { and, eq, inArray, ne } from 'drizzle-orm';
import { deviceCan, isDeviceType } from '#models/device-models.ts';
import type { LastAct, SimulatedDevice as Shown } from '#models/simulator.ts';
import { messagesOn } from '#server/announces/screens.ts';
import type { DeviceCopy } from '#server/access/device-copy.ts';
import type { Services } from '#server/context.ts';
import { devices } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { acknowledgedCopies } from '../copies.ts';
import { messageBody, type StoredDevice } from '../orders.ts';
import { unseal } from '../secrets.ts';
import type { Passages } from './copy-memory.ts';
import { SimulatedDevice } from './device.ts';
import type { Face } from './face.ts';
import { giveFirstCopies } from './first-copies.ts';
import { HttpFace, type HttpPlace } from './http-face.ts';
import type * as mqtt from './mqtt-face.ts';
import type { Phones } from './phones.ts';
import type { Plan } from './plan.ts';

/** The way of a device to the broker; read when the server already listens. */
type Mqtt = Pick<typeof mqtt, 'MqttFace'>;

/** One device that is played: what it is, its way into the world, and what was done at it last. */
export interface Stage {
  device: SimulatedDevice;
  face: Face;
  projectId: string;
  last: LastAct | null;
}

/** What a device held and showed when the server ended. */
interface Held {
  copy: DeviceCopy | null;
  messages: Record<string, unknown>[];
}

const stagger = 15;

/** All devices that are played: every one the database knows that speaks, and a few that are in nobody's books. */
export class Fleet {
  readonly #services: Services;
  readonly #stages = new Map<string, Stage>();
  readonly #strays: Stage[] = [];
  readonly #passages: Passages = new Map();
  readonly #unplugged = new Set<string>();
  #phones: Phones | null = null;
  #pictures: readonly string[] = [];
  #books: Promise<StoredDevice[]> | null = null;
  #closed = false;

  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * Reads, once, which devices there are and which of them were away when the server ended. To be asked before devices are
   * listened to: from then on those that nobody has heard for a minute are written off as away, and none is heard before it lives.
   */
  read(): Promise<StoredDevice[]> {
    this.#books ??= (async () => this.#services.db.select().from(devices))();
    return this.#books;
  }

  /** Brings all devices to life, one after the other; those that were away when the server ended stay away. `broker`: its URL. */
  async open(broker: string): Promise<void> {
    // The client of the broker is not needed to listen: it is read when the server already does.
    const [mqtt, { strayDevices }, { Phones: Plugged }, { clipStills }] = await Promise.all([
      import('./mqtt-face.ts'),
      import('./strays.ts'),
      import('./phones.ts'),
      import('#server/telephony/media/recorded.ts'),
    ]);
    this.#pictures = clipStills().map((picture) => picture.toString('base64'));
    this.#phones = new Plugged(this.#services);
    const all = await this.read();
    await giveFirstCopies(this.#services, all).catch((error: unknown) =>
      this.#services.log.error({ err: error }, 'the devices of the demo were not given what they decide by'),
    );
    const played = all.filter(({ protocol, type }) => protocol !== 'none' && isDeviceType(type));
    // Read for all at once: the reads of one after the other would wait behind all that those before it have to say.
    const heldBy = await this.#heldBy(played);
    for (const device of played) {
      if (this.#closed) return;
      try {
        const stage = this.#stage(device, heldBy(device), broker, mqtt);
        if (device.online === false) this.#unplugged.add(device.id);
        else this.plug(stage, true);
      } catch (error) {
        this.#services.log.error({ err: error, serial: device.login }, 'a device of the demo could not be brought to life');
      }
      await new Promise((done) => setTimeout(done, stagger));
    }
    for (const stray of strayDevices(this.#services)) this.#strays.push({ ...stray, projectId: '', last: null });
    for (const { face } of this.#strays) face.goOnline();
  }

  get isClosed(): boolean {
    return this.#closed;
  }
  /** The phones in the devices; null until they are there. */
  get phones(): Phones | null {
    return this.#phones;
  }
  find(deviceId: string): Stage | undefined {
    return this.#stages.get(deviceId);
  }
  /** @throws HttpError `not_found` for a device that nothing plays */
  at(deviceId: string): Stage {
    const stage = this.#stages.get(deviceId);
    if (!stage) throw new HttpError('not_found');
    return stage;
  }
  /** The plug of a device and of its phone is put in or pulled. */
  plug({ device, face }: Stage, isPlugged: boolean): void {
    if (isPlugged) face.goOnline();
    else face.goOffline();
    if (isPlugged) this.#unplugged.delete(device.plan.id);
    else this.#unplugged.add(device.plan.id);
    this.#phones?.plug(device.plan.id, isPlugged);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#phones?.close();
    for (const { device } of this.#stages.values()) device.close();
    await Promise.allSettled([...this.#stages.values(), ...this.#strays].map(({ face }) => face.close()));
    await this.#storePlugged().catch((error: unknown) =>
      this.#services.log.error({ err: error }, 'which devices of the demo are plugged in could not be written'),
    );
  }

  /** One that had yet to come to life, or that nobody had heard again, was missed, but is not away: it stands at the next start as it stood. */
  async #storePlugged(): Promise<void> {
    const all = (await this.#books) ?? [];
    const plugged = all.filter(({ id, online }) => (this.#stages.has(id) ? !this.#unplugged.has(id) : online)).map(({ id }) => id);
    await this.#services.db
      .update(devices)
      .set({ online: true })
      .where(and(inArray(devices.id, plugged), ne(devices.protocol, 'none')));
  }

  /** A device that was told to speak otherwise leaves and comes back by the other way, whether its answer is in the books by then or not. */
  async #restage(id: string, protocol: string, broker: string, mqtt: Mqtt): Promise<void> {
    const [row] = await this.#services.db.select().from(devices).where(eq(devices.id, id));
    await Promise.all([this.#stages.get(id)?.face.close(), this.#phones?.detach(id)]);
    this.#stages.delete(id);
    if (!row || row.protocol === 'none' || this.#closed) return;
    const heldBy = await this.#heldBy([row]);
    if (this.#closed) return;
    this.plug(this.#stage({ ...row, protocol }, heldBy(row), broker, mqtt), true);
  }

  async #heldBy(rows: readonly StoredDevice[]): Promise<(row: StoredDevice) => Held> {
    const ids = rows.map(({ id }) => id);
    const [copies, shown] = await Promise.all([acknowledgedCopies(this.#services.db, ids), messagesOn(this.#services.db, ids)]);
    return ({ id }) => ({
      copy: copies.get(id) ?? null,
      messages: shown.filter(({ deviceId }) => deviceId === id).map(({ payload }) => payload),
    });
  }

  #stage(row: StoredDevice, { copy, messages }: Held, broker: string, mqtt: Mqtt): Stage {
    const changeProtocol = (protocol: string): void =>
      void this.#restage(row.id, protocol, broker, mqtt).catch((error: unknown) =>
        this.#services.log.error({ err: error }, 'a device of the demo could not change its protocol'),
      );
    const device: SimulatedDevice = new SimulatedDevice(this.#planOf(row, copy), this.#opened(row.passwordCipher), {
      say: (said) => face.say(said),
      random: this.#services.random,
      timers: this.#services.timers,
      passages: this.#passages,
      canAsk: () => face.isListenedTo(),
      changeProtocol,
    });
    for (const message of messages) device.screen.handle('show_message', messageBody(this.#services, message));
    const face: Face = row.protocol === 'http' ? this.#httpFace(row, device) : new mqtt.MqttFace(() => device, broker);
    this.#phones?.attach(device);
    const stage: Stage = { device, face, projectId: row.projectId, last: null };
    this.#stages.set(row.id, stage);
    return stage;
  }

  #opened(cipher: string | null): string | null {
    return cipher === null ? null : unseal(this.#services, cipher);
  }
  #planOf(row: StoredDevice, copy: DeviceCopy | null): Plan {
    const sip = (row.settings['sip'] ?? {}) as Record<string, unknown>;
    return {
      id: row.id,
      serial: row.login,
      name: row.name,
      type: row.type as Shown['type'],
      model: row.model,
      firmware: row.firmware ?? '4.2.1',
      settings: { ...row.settings, sip: { ...sip, password: this.#opened(row.sipPasswordCipher) } },
      copy,
      pictures: deviceCan(row, 'camera') ? this.#pictures : [],
    };
  }
  #httpFace(row: StoredDevice, device: SimulatedDevice): Face {
    const password = this.#opened(row.devicePasswordCipher);
    const credentials = row.deviceLogin !== null && password !== null ? { login: row.deviceLogin, password } : null;
    return new HttpFace(
      () => device,
      { host: row.ipAddress ?? '127.0.0.1', port: row.port },
      credentials,
      (to) => this.#moved(row.id, to),
    );
  }

  /** The books follow where a device of the demo could be put up. */
  #moved(id: string, { host, port }: HttpPlace): void {
    this.#services.db
      .update(devices)
      .set({ ipAddress: host, port })
      .where(eq(devices.id, id))
      .catch((error: unknown) => this.#services.log.error({ err: error }, 'where a device of the demo is could not be written'));
  }
}
