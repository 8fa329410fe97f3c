import { eq } from 'drizzle-orm';
import { isDeviceType } from '#models/device-models.ts';
import type { IdentifierType } from '#models/device-events.ts';
import type { ChannelState, DeviceAct, LastAct, SimulatedDevice as Shown } from '#models/simulator.ts';
import type { Services } from '#server/context.ts';
import { devices, groups, identifiers } from '#server/db/schema/index.ts';
import { Refusal } from '#server/refusal.ts';
import { dataFor, type StoredDevice } from '../orders.ts';
import { unseal } from '../secrets.ts';
import { SimulatedDevice } from './device.ts';
import type * as faces from './faces.ts';
import type { Face, HttpPlace } from './faces.ts';
import { isPhoneAct, type Phones } from './phones.ts';

/** The two ways of a device into the world; read when the server already listens. */
type Faces = Pick<typeof faces, 'httpFace' | 'mqttFace'>;

/** What is done at the device itself and needs nothing else. */
type HandAct = 'trip' | 'clear' | 'open_by_hand' | 'force_door' | 'hold_door' | 'close_door';

interface Stage {
  device: SimulatedDevice;
  face: Face;
  projectId: string;
  /** What was done last. */
  last: LastAct | null;
}

const stagger = 15;
const defaultFailure = 'flash memory is full';

/** Waits a moment for the connection. */
async function connected(face: Face): Promise<void> {
  for (let look = 0; look < 20 && !face.isOnline(); look += 1) await new Promise((done) => setTimeout(done, 50));
}

/**
 * The devices of the demo: every device the database knows is played by a client of the broker, or a server on an address
 * of its own, that knows nothing but what the server has sent it. Demo only.
 */
export class Simulator {
  readonly #services: Services;
  readonly #stages = new Map<string, Stage>();
  readonly #strays: Stage[] = [];
  readonly #channels = new Map<string, ChannelState>();
  readonly #channelWatchers = new Set<(projectId: string, state: ChannelState) => void>();
  #phones: Phones | null = null;
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

  /** Brings all devices to life, one after the other; those that were away when the server ended stay away. */
  async open(broker: string): Promise<void> {
    // The client of the broker is not needed to listen: it is read when the server already does.
    const [faces, { strayDevices }, { Phones: Plugged }] = await Promise.all([import('./faces.ts'), import('./strays.ts'), import('./phones.ts')]);
    this.#phones = new Plugged(this.#services);
    const all = await this.read();
    const restage = (id: string): void =>
      void this.#restage(id, broker, faces).catch((error: unknown) =>
        this.#services.log.error({ err: error }, 'a device of the demo could not change its protocol'),
      );
    for (const device of all) {
      if (this.#closed) return;
      if (device.protocol === 'none' || !isDeviceType(device.type)) continue;
      try {
        const stage = await this.#stage(device, broker, faces, () => restage(device.id));
        this.#stages.set(device.id, stage);
        if (device.online !== false) this.#plug(stage, true);
      } catch (error) {
        this.#services.log.error({ err: error, serial: device.login }, 'a device of the demo could not be brought to life');
      }
      await new Promise((done) => setTimeout(done, stagger));
    }
    for (const stray of strayDevices(this.#services.config)) this.#strays.push({ ...stray, projectId: '', last: null });
    for (const { face } of this.#strays) face.goOnline();
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  #plug({ device, face }: Stage, isPlugged: boolean): void {
    if (isPlugged) face.goOnline();
    else face.goOffline();
    this.#phones?.plug(device.plan.id, isPlugged);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#phones?.close();
    await Promise.allSettled([...this.#stages.values(), ...this.#strays].map(({ face }) => face.close()));
  }

  /** A device that was told to speak otherwise leaves and comes back by the other way. */
  async #restage(id: string, broker: string, faces: Faces): Promise<void> {
    const [row] = await this.#services.db.select().from(devices).where(eq(devices.id, id));
    await Promise.all([this.#stages.get(id)?.face.close(), this.#phones?.detach(id)]);
    this.#stages.delete(id);
    if (!row || row.protocol === 'none' || this.#closed) return;
    const again = (): void => void this.#restage(id, broker, faces).catch(() => undefined);
    const stage = await this.#stage(row, broker, faces, again);
    this.#stages.set(id, stage);
    this.#plug(stage, true);
  }

  async #stage(row: StoredDevice, broker: string, { httpFace, mqttFace }: Faces, changeProtocol: () => void): Promise<Stage> {
    const open = (cipher: string | null): string | null => (cipher === null ? null : unseal(this.#services, cipher));
    const { identifiers: known } = await dataFor(this.#services.db, row);
    const sip = (row.settings['sip'] ?? {}) as Record<string, unknown>;
    const plan = {
      id: row.id,
      serial: row.login,
      name: row.name,
      type: row.type as Shown['type'],
      model: row.model,
      firmware: row.firmware ?? '4.2.1',
      settings: { ...row.settings, sip: { ...sip, password: open(row.sipPasswordCipher) } },
      identifiers: known,
    };
    const device: SimulatedDevice = new SimulatedDevice(plan, open(row.passwordCipher), (said) => face.say(said), changeProtocol);
    const password = open(row.devicePasswordCipher);
    const credentials = row.deviceLogin !== null && password !== null ? { login: row.deviceLogin, password } : null;
    const face: Face =
      row.protocol === 'http'
        ? httpFace(
            () => device,
            { host: row.ipAddress ?? '127.0.0.1', port: row.port },
            credentials,
            (to) => this.#moved(row.id, to),
          )
        : mqttFace(() => device, broker);
    this.#phones?.attach(device);
    return { device, face, projectId: row.projectId, last: null };
  }

  /** The books follow where a device of the demo could be put up. */
  #moved(id: string, { host, port }: HttpPlace): void {
    this.#services.db
      .update(devices)
      .set({ ipAddress: host, port })
      .where(eq(devices.id, id))
      .catch((error: unknown) => this.#services.log.error({ err: error }, 'where a device of the demo is could not be written'));
  }

  /** @throws Refusal `not_found` for a device that nothing plays */
  #at(deviceId: string): Stage {
    const stage = this.#stages.get(deviceId);
    if (!stage) throw new Refusal('not_found');
    return stage;
  }

  /** Does something at a device, as a person standing before it would. @throws Refusal `not_found`, `device_offline` */
  async act(deviceId: string, act: DeviceAct): Promise<LastAct> {
    const stage = this.#at(deviceId);
    const reason = await this.#do(stage, act);
    return (stage.last = {
      act: act.act,
      identifier_type: act.act === 'present' ? act.type : null,
      sensor: act.act === 'trip' || act.act === 'clear' ? act.sensor : null,
      reason,
      at: this.#services.now().toISOString(),
    });
  }

  /** Answers why the device refused what it was presented; null in all other cases. */
  async #do(stage: Stage, act: DeviceAct): Promise<LastAct['reason']> {
    const { device, face } = stage;
    if (act.act === 'go_online') {
      this.#plug(stage, true);
      await connected(face);
    } else if (act.act === 'go_offline') this.#plug(stage, false);
    else if (act.act === 'fail_next_task') device.failing = act.reason ?? defaultFailure;
    // Without its connection a device tells nobody anything.
    else if (!face.isOnline()) throw new Refusal('device_offline');
    else if (act.act === 'present') return device.present(act.type, await this.#valueOf(act));
    else if (isPhoneAct(act)) await this.#phones?.act(device, act);
    else this.#touch(device, act);
    return null;
  }

  #touch(device: SimulatedDevice, act: Extract<DeviceAct, { act: HandAct }>): void {
    switch (act.act) {
      case 'trip':
        return device.trip(act.sensor);
      case 'clear':
        return device.clear(act.sensor);
      case 'open_by_hand':
        return device.openByHand();
      case 'force_door':
        return device.forceDoor();
      case 'hold_door':
        return device.holdDoor();
      case 'close_door':
        return device.closeDoor();
      default:
        throw new Error(`nothing is known of the act ${JSON.stringify(act satisfies never)}`);
    }
  }

  async #valueOf({
    identifier_id: id,
    value,
  }: {
    identifier_id?: string | undefined;
    value?: string | undefined;
    type: IdentifierType;
  }): Promise<string> {
    if (!id) return value ?? '';
    const [found] = await this.#services.db.select({ value: identifiers.value }).from(identifiers).where(eq(identifiers.id, id));
    if (!found) throw new Refusal('identifier_not_found');
    return found.value;
  }

  /** Whether the call of a device still waits to be taken. */
  isCalling(id: string): boolean {
    return this.#phones?.shown(id)?.state === 'calling';
  }

  /** The devices of a project as they stand, by name. */
  async shown(projectId: string): Promise<Shown[]> {
    const rows = await this.#services.db
      .select({ id: devices.id, name: devices.name, group: groups.name, protocol: devices.protocol })
      .from(devices)
      .innerJoin(groups, eq(groups.id, devices.domainId))
      .where(eq(devices.projectId, projectId))
      .orderBy(devices.name);
    return rows.flatMap(({ id, name, group, protocol }) => {
      const stage = this.#stages.get(id);
      if (!stage) return [];
      const { device, face, last } = stage;
      const { type, model, serial } = device.plan;
      return [
        {
          id,
          name,
          group,
          type,
          model,
          serial,
          protocol,
          online: face.isOnline(),
          tripped: [...device.tripped],
          door_open: device.doorOpen,
          identifiers: device.identifiers,
          failing: device.failing !== null,
          phone: this.#phones?.shown(id) ?? null,
          last,
        },
      ];
    });
  }

  channelOf(projectId: string): ChannelState {
    return this.#channels.get(projectId) ?? 'whole';
  }
  /** Cuts or delays the realtime channel of a project's consoles, or mends it. */
  stageChannel(projectId: string, state: ChannelState): void {
    this.#channels.set(projectId, state);
    for (const watcher of this.#channelWatchers) watcher(projectId, state);
  }
  onChannel(watcher: (projectId: string, state: ChannelState) => void): void {
    this.#channelWatchers.add(watcher);
  }
}
