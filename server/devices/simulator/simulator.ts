import { eq } from 'drizzle-orm';
import type { IdentifierType } from '#models/device-events.ts';
import type { ChannelState, DeviceAct, LastAct, SimulatedDevice as Shown } from '#models/simulator.ts';
import type { Services } from '#server/context.ts';
import { devices, groups, identifiers } from '#server/db/schema/index.ts';
import type { SimulatorPort } from '#server/ports.ts';
import { HttpError } from '#server/http-error.ts';
import type { SimulatedDevice } from './device.ts';
import type { Face } from './face.ts';
import { Fleet, type Stage } from './fleet.ts';
import { isPhoneAct } from './phones.ts';

/** What is done at the device itself and needs nothing else. */
type HandAct = 'trip' | 'clear' | 'open_by_hand' | 'force_door' | 'hold_door' | 'close_door' | 'choose_floor';

const defaultFailure = 'flash memory is full';

/** Waits a moment for the connection. */
async function connected(face: Face): Promise<void> {
  for (let look = 0; look < 20 && !face.isOnline(); look += 1) await new Promise((done) => setTimeout(done, 50));
}

/**
 * The devices of the demo: every device the database knows is played by a client of the broker, or a server on an address
 * of its own, that knows nothing but what the server has sent it. Demo only.
 */
export class Simulator implements SimulatorPort {
  readonly #services: Services;
  readonly #fleet: Fleet;
  readonly #channels = new Map<string, ChannelState>();
  readonly #channelWatchers = new Set<(projectId: string, state: ChannelState) => void>();

  constructor(services: Services) {
    this.#services = services;
    this.#fleet = new Fleet(services);
  }

  /** Reads which devices there are, once; to be asked before devices are listened to. */
  async read(): Promise<void> {
    await this.#fleet.read();
  }
  /** Brings all devices to life. `broker`: its URL. */
  open(broker: string): Promise<void> {
    return this.#fleet.open(broker);
  }
  get isClosed(): boolean {
    return this.#fleet.isClosed;
  }
  close(): Promise<void> {
    return this.#fleet.close();
  }

  /** Does something at a device, as a person standing before it would. @throws HttpError `not_found`, `device_offline` */
  async act(deviceId: string, act: DeviceAct): Promise<LastAct> {
    const stage = this.#fleet.at(deviceId);
    const enrolled = act.act === 'present' && stage.face.isOnline() && stage.device.requests.takesCard(act.type, await this.#valueOf(act));
    const reason = enrolled ? null : await this.#do(stage, act);
    return (stage.last = {
      act: act.act,
      identifier_type: act.act === 'present' ? act.type : null,
      sensor: act.act === 'trip' || act.act === 'clear' ? act.sensor : null,
      reason,
      enrolled,
      at: this.#services.now().toISOString(),
    });
  }

  /** Answers why the device refused what it was presented; null in all other cases. */
  async #do(stage: Stage, act: DeviceAct): Promise<LastAct['reason']> {
    const { device, face } = stage;
    if (act.act === 'go_online') {
      this.#fleet.plug(stage, true);
      await connected(face);
    } else if (act.act === 'go_offline') this.#fleet.plug(stage, false);
    else if (act.act === 'fail_next_task') device.requests.failing = act.reason ?? defaultFailure;
    // Without its connection a device tells nobody anything.
    else if (!face.isOnline()) throw new HttpError('device_offline');
    else if (act.act === 'present') return device.present(act.type, await this.#valueOf(act));
    else if (isPhoneAct(act)) await this.#fleet.phones?.act(device, act);
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
        return device.door.force();
      case 'hold_door':
        return device.door.hold();
      case 'close_door':
        return device.door.close();
      case 'choose_floor':
        return device.chooseFloor(act.floor);
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
    if (!found) throw new HttpError('identifier_not_found');
    return found.value;
  }

  /** Whether the call of a device still waits to be taken. */
  isCalling(id: string): boolean {
    return this.#fleet.phones?.shown(id)?.state === 'calling';
  }

  /** The devices of a project as they stand, by name. */
  async shown(projectId: string): Promise<Shown[]> {
    this.#fleet.phones?.awake();
    const rows = await this.#services.db
      .select({ id: devices.id, name: devices.name, group: groups.name, protocol: devices.protocol })
      .from(devices)
      .innerJoin(groups, eq(groups.id, devices.domainId))
      .where(eq(devices.projectId, projectId))
      .orderBy(devices.name);
    return rows.flatMap(({ id, name, group, protocol }) => {
      const stage = this.#fleet.find(id);
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
          door_open: device.door.isOpen,
          identifiers: device.identifiers,
          failing: device.requests.failing !== null,
          phone: this.#fleet.phones?.shown(id) ?? null,
          elevator: device.elevator,
          alert: device.screen.alert,
          messages: device.screen.messages,
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
