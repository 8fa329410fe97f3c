import { z } from 'zod';
import type { IdentifierType } from '#models/device-events.ts';
import type { Timers } from '#server/timers.ts';
import type { DeviceRequest, DeviceResponse } from '../protocol.ts';
import type { CopyMemory } from './copy-memory.ts';
import type { Door } from './door.ts';
import type { Elevator } from './elevator.ts';
import type { EventName, Plan, Said } from './plan.ts';
import type { Screen } from './screen.ts';

const relayOf = z.object({ number: z.number(), name: z.string(), switch_time: z.number() });

type Body = Record<string, unknown>;
type Done = Omit<DeviceResponse, 'id'>;

const rememberedAnswers = 500;
/** Two devices never take the same time, one device always about its own. */
const paceOf = (serial: string): number => 60 + (Buffer.from(serial).reduce((sum, byte) => sum + byte, 0) % 9) * 25;

/** The device that is asked. */
interface Asked {
  plan: Plan;
  memory: CopyMemory;
  elevator: Elevator;
  screen: Screen;
  door: Door;
  timers: Timers;
  say: (said: Said) => void;
  notify: (event: EventName, data?: Body) => void;
  restart: () => void;
  changeProtocol: (protocol: string) => void;
  /** It has taken new settings. */
  settled: () => void;
}

/** What the server asks of a device, and what the device has been told that way. */
export class Requests {
  /** Why it refuses the next request; null: it does not. */
  failing: string | null = null;
  /** What it presents to the server when it signs in. */
  password: string | null;
  #settings: Body;
  readonly #device: Asked;
  readonly #answers = new Map<string, DeviceResponse>();
  readonly #begun = Date.now();
  /** The request by which it waits for a card, and until when. */
  #cardFor: { ask: string; until: number } | null = null;

  constructor(device: Asked, password: string | null) {
    this.#device = device;
    this.#settings = device.plan.settings;
    this.password = password;
  }
  get settings(): Readonly<Body> {
    return this.#settings;
  }

  /** Does what is asked, once for each id: told again what it has done it answers the same; what it refused it tries anew. */
  async handle(request: DeviceRequest): Promise<DeviceResponse> {
    const known = this.#answers.get(request.id);
    if (known) return known;
    await this.#device.timers.pause(paceOf(this.#device.plan.serial));
    const answered: DeviceResponse = this.#answers.get(request.id) ?? { id: request.id, ...this.#do(request) };
    if (answered.ok) this.#answers.set(request.id, answered);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > rememberedAnswers && oldest !== undefined) this.#answers.delete(oldest);
    return answered;
  }
  /** Somebody presents a card for which it was told to wait: it is told, and opens nothing. @returns whether it waited for one */
  takesCard(type: IdentifierType, value: string): boolean {
    const waiting = this.#cardFor;
    if (!waiting || waiting.until < Date.now() || (type !== 'card' && type !== 'ukey')) return false;
    this.#cardFor = null;
    this.#device.say({ type: 'presented', ask: waiting.ask, identifier: { type, value } });
    return true;
  }

  #do({ id, kind, body }: DeviceRequest): Done {
    if (this.failing !== null) {
      const error = this.failing;
      this.failing = null;
      return { ok: false, error };
    }
    switch (kind) {
      case 'apply_settings':
      case 'init':
        return this.#apply(body);
      case 'synchronise':
        return this.#synchronise(body);
      case 'reinit':
        this.#apply(body);
        return this.#synchronise(body);
      case 'restart':
        return this.#restart();
      case 'open_door':
        return this.#open(id, body);
      case 'call_elevator':
        return this.#callElevator(id, body);
      case 'set_protocol':
        return this.#changeOver(body);
      case 'remote_control':
        return this.#obey(id, body);
      case 'enrol_card':
        return this.#waitForCard(id, body);
      default:
        return this.#device.screen.handle(kind, body) ? { ok: true } : { ok: false, error: 'unknown_request' };
    }
  }

  #apply(body: Body): Done {
    const { plan, elevator, notify, settled } = this.#device;
    this.#settings = (body['device_settings'] as Body | undefined) ?? this.#settings;
    if (typeof body['password'] === 'string') this.password = body['password'];
    elevator.take(this.#settings);
    notify('settings_applied');
    settled();
    return { ok: true, body: { firmware: plan.firmware } };
  }
  #changeOver({ protocol, ...settings }: Body): Done {
    if (typeof protocol !== 'string') return { ok: false, error: 'unknown_protocol' };
    this.#apply(settings);
    this.#device.timers.after(700, () => this.#device.changeProtocol(protocol));
    return { ok: true };
  }
  #synchronise(body: Body): Done {
    const { memory, notify } = this.#device;
    const error = memory.take(body);
    if (error !== null) return { ok: false, error, body: { version: memory.version } };
    notify('synchronised', { count: memory.count });
    return { ok: true, body: { version: memory.version, sync_errors: { identifiers: [], schedules: [] } } };
  }
  #restart(): Done {
    this.#device.timers.after(400, () => this.#device.restart());
    return { ok: true };
  }
  #open(request: string, body: Body): Done {
    const user = body['user'] as { name?: unknown } | undefined;
    const data = { via: body['via'], by: user?.name };
    this.#device.say({ type: 'event', event: 'opened_remotely', at: new Date().toISOString(), request, data });
    this.#device.door.open();
    return { ok: true };
  }
  #callElevator(request: string, { floor, direction, apartment }: Body): Done {
    const { elevator, say } = this.#device;
    if (typeof floor !== 'number' || !elevator.floors.includes(floor)) return { ok: false, error: 'unknown_floor' };
    say({ type: 'event', event: 'elevator_called', at: new Date().toISOString(), request, data: { floor, direction, apartment } });
    elevator.call(floor);
    return { ok: true };
  }
  /** From now on the next card is told to the server instead of being decided on; or none any more. */
  #waitForCard(ask: string, { seconds, stop }: Body): Done {
    if (typeof seconds === 'number') this.#cardFor = { ask, until: Date.now() + seconds * 1_000 };
    else if (this.#cardFor?.ask === stop) this.#cardFor = null;
    return { ok: true };
  }
  #obey(id: string, { action, number, settings }: Body): Done {
    const { plan, door } = this.#device;
    if (action === 'relay' && number === 1) this.#open(id, { via: 'remote_control' });
    if (action === 'reboot') this.#restart();
    if (action === 'write_settings') this.#settings = { ...this.#settings, ...(settings as Body) };
    const relays = this.#relays().map((relay) => ({ number: relay.number, name: relay.name, is_open: relay.number === 1 && door.isOpen }));
    const { sip, ...shown } = this.#settings as Body & { sip?: Body };
    const { password: _hidden, ...openSip } = sip ?? {};
    const uptime = Math.round((Date.now() - this.#begun) / 1_000);
    return { ok: true, body: { uptime, firmware: plan.firmware, relays, settings: { ...shown, ...(sip && { sip: openSip }) } } };
  }
  #relays(): z.infer<typeof relayOf>[] {
    const relays = z.array(relayOf).safeParse(this.#settings['relays']);
    return relays.success ? relays.data : [];
  }
}
