import { z } from 'zod';
import type { AlarmSensor } from '#models/device-alarms.ts';
import type { DenialReason, IdentifierType } from '#models/device-events.ts';
import type { SimulatedElevator } from '#models/simulator.ts';
import type { Random } from '#server/random.ts';
import { clockOf, type Timers } from '#server/timers.ts';
import type { DeviceCopy } from '#server/access/device-copy.ts';
import { Elevator } from './elevator.ts';
import { CopyMemory, type Passages, type Presented } from './copy-memory.ts';
import { PassDesk } from './pass-desk.ts';
import { Screen } from './screen.ts';
import type { DeviceInfo, DeviceRequest, DeviceResponse, DeviceStatus } from '../protocol.ts';

const relayOf = z.object({ number: z.number(), name: z.string(), switch_time: z.number() });

/** What a simulated device is, and what it was sent before the server began. */
export interface Plan extends DeviceInfo {
  id: string;
  name: string;
  settings: Record<string, unknown>;
  /** What it decides by; null: it lets nobody in. */
  copy: DeviceCopy | null;
  /** What its camera sees, now this and now that: pictures in base64; none where it has no camera. */
  pictures: readonly string[];
}
type Said = Exclude<DeviceStatus, { type: 'online' | 'offline' | 'heartbeat' }>;
type Body = Record<string, unknown>;
type Done = Omit<DeviceResponse, 'id'>;

/** What it knows of its phone: how it registers, what the button rings, what may open the door. */
const phoneSettings = z.object({
  sip: z.object({ enabled: z.boolean(), login: z.string().nullable(), password: z.string().nullable(), talk_timeout: z.number() }),
  additional: z.object({ button_numbers: z.array(z.string().nullable()), remote_lock_opening: z.boolean() }),
});
export type PhoneSettings = z.infer<typeof phoneSettings>;

const doorTime = 3_000;
const rememberedAnswers = 500;
/** Two devices never take the same time, one device always about its own. */
const paceOf = (serial: string): number => 60 + (Buffer.from(serial).reduce((sum, byte) => sum + byte, 0) % 9) * 25;

/** What a simulated device is given by whoever plays it. */
interface DeviceDeps {
  /** Takes what the device tells the server. */
  say: (said: Said) => void;
  random: Random;
  /** What it waits by. */
  timers: Timers;
  /** Whether the server hears at once what it is asked. */
  canAsk?: () => boolean;
  /** Who went where last, as the readers of the building know it together. */
  passages?: Passages;
  /** The device was told to speak another protocol, and has had time to say so. */
  changeProtocol?: (protocol: string) => void;
}

/**
 * A device of the demo without its connection: what it remembers, how it answers requests, what it says when somebody
 * presses or presents something. It decides by what it was sent and by nothing else, as a real one does.
 */
export class SimulatedDevice {
  readonly plan: Plan;
  readonly tripped = new Set<AlarmSensor>();
  readonly screen = new Screen();
  doorOpen = false;
  failing: string | null = null;
  /** What it presents to the server when it signs in; changed by the settings it is sent. */
  password: string | null;
  #settings: Body;
  readonly #memory: CopyMemory;
  readonly #passes: PassDesk;
  readonly #answers = new Map<string, DeviceResponse>();
  readonly #elevator: Elevator;
  readonly #say: (said: Said) => void;
  readonly #begun = Date.now();
  #restart: () => void = () => undefined;
  /** The request by which it waits for a card, and until when. */
  #cardFor: { ask: string; until: number } | null = null;
  readonly #changeProtocol: (protocol: string) => void;
  readonly #random: Random;
  readonly timers: Timers;
  #settled: () => void = () => undefined;

  constructor(
    plan: Plan,
    password: string | null,
    { say, random, timers, canAsk = () => false, passages, changeProtocol = () => undefined }: DeviceDeps,
  ) {
    this.plan = plan;
    this.password = password;
    this.#settings = plan.settings;
    this.#memory = new CopyMemory(plan.copy, passages);
    this.#passes = new PassDesk({ say, canAsk, timers });
    this.#say = say;
    this.#changeProtocol = changeProtocol;
    this.#random = random;
    this.timers = timers;
    this.#elevator = new Elevator((floor) => this.#event('elevator_arrived', { floor }), clockOf(timers));
    this.#elevator.take(plan.settings);
  }
  /** Its elevator, where it controls one. */
  get elevator(): SimulatedElevator | null {
    return this.#elevator.shown;
  }
  close(): void {
    this.#elevator.close();
  }

  get identifiers(): number {
    return this.#memory.count;
  }
  /** The version of what it decides by. */
  get copyVersion(): string | null {
    return this.#memory.version;
  }
  onRestart(restart: () => void): void {
    this.#restart = restart;
  }

  /** Told when it has taken new settings. */
  onSettings(settled: () => void): void {
    this.#settled = settled;
  }
  /** Null while it was sent none that could be used. */
  get phoneSettings(): PhoneSettings | null {
    const read = phoneSettings.safeParse(this.#settings);
    return read.success ? read.data : null;
  }

  /** Does what is asked, once for each id: told again what it has done it answers the same; what it refused it tries anew. */
  async handle(request: DeviceRequest): Promise<DeviceResponse> {
    const known = this.#answers.get(request.id);
    if (known) return known;
    if (request.kind === 'pass') return this.#passes.answered(request);
    await this.timers.pause(paceOf(this.plan.serial));
    const answered: DeviceResponse = this.#answers.get(request.id) ?? { id: request.id, ...this.#do(request) };
    if (answered.ok) this.#answers.set(request.id, answered);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > rememberedAnswers && oldest !== undefined) this.#answers.delete(oldest);
    return answered;
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
        this.timers.after(400, () => this.#restart());
        return { ok: true };
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
        return this.screen.tell(kind, body) ? { ok: true } : { ok: false, error: 'unknown_request' };
    }
  }

  #apply(body: Body): Done {
    this.#settings = (body['device_settings'] as Body | undefined) ?? this.#settings;
    if (typeof body['password'] === 'string') this.password = body['password'];
    this.#elevator.take(this.#settings);
    this.#event('settings_applied');
    this.#settled();
    return { ok: true, body: { firmware: this.plan.firmware } };
  }
  #changeOver({ protocol, ...settings }: Body): Done {
    if (typeof protocol !== 'string') return { ok: false, error: 'unknown_protocol' };
    this.#apply(settings);
    this.timers.after(700, () => this.#changeProtocol(protocol));
    return { ok: true };
  }
  #synchronise(body: Body): Done {
    const error = this.#memory.take(body);
    if (error !== null) return { ok: false, error, body: { version: this.#memory.version } };
    this.#event('synchronised', { count: this.#memory.count });
    return { ok: true, body: { version: this.#memory.version, sync_errors: { identifiers: [], schedules: [] } } };
  }
  #relays(): z.infer<typeof relayOf>[] {
    const relays = z.array(relayOf).safeParse(this.#settings['relays']);
    return relays.success ? relays.data : [];
  }
  #open(request: string, body: Body): Done {
    const user = body['user'] as { name?: unknown } | undefined;
    this.#say({ type: 'event', event: 'opened_remotely', at: this.#now(), request, data: { via: body['via'], by: user?.name } });
    this.#openDoor();
    return { ok: true };
  }
  #callElevator(request: string, { floor, direction, apartment }: Body): Done {
    if (typeof floor !== 'number' || !this.#elevator.floors.includes(floor)) return { ok: false, error: 'unknown_floor' };
    this.#say({ type: 'event', event: 'elevator_called', at: this.#now(), request, data: { floor, direction, apartment } });
    this.#elevator.call(floor);
    return { ok: true };
  }
  /** From now on the next card is told to the server instead of being decided on; or none any more. */
  #waitForCard(ask: string, { seconds, stop }: Body): Done {
    if (typeof seconds === 'number') this.#cardFor = { ask, until: Date.now() + seconds * 1_000 };
    else if (this.#cardFor?.ask === stop) this.#cardFor = null;
    return { ok: true };
  }
  /** Somebody presents a card for which it was told to wait: it is told, and opens nothing. @returns whether it waited for one */
  takesCard(type: IdentifierType, value: string): boolean {
    const waiting = this.#cardFor;
    if (!waiting || waiting.until < Date.now() || (type !== 'card' && type !== 'ukey')) return false;
    this.#cardFor = null;
    this.#say({ type: 'presented', ask: waiting.ask, identifier: { type, value } });
    return true;
  }
  #obey(id: string, { action, number, settings }: Body): Done {
    if (action === 'relay' && number === 1) this.#open(id, { via: 'remote_control' });
    if (action === 'reboot') this.timers.after(400, () => this.#restart());
    if (action === 'write_settings') this.#settings = { ...this.#settings, ...(settings as Body) };
    const relays = this.#relays().map((relay) => ({ number: relay.number, name: relay.name, is_open: relay.number === 1 && this.doorOpen }));
    const { sip, ...shown } = this.#settings as Body & { sip?: Body };
    const { password: _hidden, ...openSip } = sip ?? {};
    const uptime = Math.round((Date.now() - this.#begun) / 1_000);
    return { ok: true, body: { uptime, firmware: this.plan.firmware, relays, settings: { ...shown, ...(sip && { sip: openSip }) } } };
  }

  #now(): string {
    return new Date().toISOString();
  }
  /** What the camera sees goes with events that are about people. */
  #picture(): { picture?: string } {
    const { pictures } = this.plan;
    const picture = pictures[Math.floor(this.#random() * pictures.length)];
    return picture === undefined ? {} : { picture };
  }
  #event(event: Extract<Said, { type: 'event' }>['event'], data?: Body): void {
    this.#say({ type: 'event', event, at: this.#now(), ...(data && { data }) });
  }
  #openDoor(): void {
    if (this.doorOpen) return;
    this.doorOpen = true;
    this.#event('door_opened');
    this.timers.after(doorTime, () => this.closeDoor());
  }
  closeDoor(): void {
    if (!this.doorOpen) return;
    this.doorOpen = false;
    this.#event('door_closed');
  }

  /** Somebody presents an identifier; answers why it was refused, or null. */
  async present(type: IdentifierType, value: string): Promise<DenialReason | null> {
    const first = this.#memory.present(type, value, Date.now());
    if (first.reason !== null || !first.isCounted || first.id === null) return this.#notifyPresented(type, value, first);
    const asked = await this.#passes.ask(first.id);
    if (asked) return this.#notifyPresented(type, value, asked.granted ? first : { ...first, reason: 'passes_used' }, asked.id);
    // Nobody answers: it decides alone, by what is left now.
    const alone = this.#memory.present(type, value, Date.now());
    if (alone.reason === null && alone.id !== null) this.#memory.countPass(alone.id);
    return this.#notifyPresented(type, value, alone);
  }
  #notifyPresented(type: IdentifierType, value: string, { id, reason, rule, schedule, floors }: Presented, pass?: string): DenialReason | null {
    const freed = reason === null && floors.length > 0 && { floors };
    const data = { ...(rule && { rule_id: rule }), ...(schedule && { schedule_id: schedule }), ...(pass && { pass }), ...freed };
    this.#say({
      type: 'event',
      event: reason ? 'access_denied' : 'access_granted',
      at: this.#now(),
      identifier: { id, type, value },
      ...this.#picture(),
      ...(reason && { reason }),
      ...(Object.keys(data).length > 0 && { data }),
    });
    if (reason === null && id !== null) this.#memory.passed(id, Date.now());
    if (reason === null && this.plan.type === 'lift_controller') this.#elevator.free(floors);
    else if (reason === null) this.#openDoor();
    return reason;
  }
  /** Somebody presses the call button of a device that reaches nobody: in the end the call was missed. */
  pressCall(): void {
    this.notifyCall('call_started');
    this.timers.after(20_000, () => this.notifyCall('call_missed'));
  }
  /** Tells what becomes of a call: `with` whom, for how many `seconds`. */
  notifyCall(event: 'call_started' | 'call_answered' | 'call_missed' | 'call_ended', data?: { with: string; seconds?: number }): void {
    this.#say({ type: 'event', event, at: this.#now(), ...this.#picture(), ...(data && { data }) });
  }
  /** Whoever talks with it presses the key that opens, if it obeys such keys. */
  openByKey(by: string): void {
    if (!this.phoneSettings?.additional.remote_lock_opening) return;
    this.#event('opened_remotely', { via: 'dtmf', by });
    this.#openDoor();
  }
  /** Somebody presses a floor inside the elevator. */
  chooseFloor(floor: number): void {
    this.#elevator.choose(floor);
  }
  pressSos(): void {
    this.#say({ type: 'sos', at: this.#now() });
  }
  trip(sensor: AlarmSensor): void {
    this.tripped.add(sensor);
    this.#say({ type: 'alarm', sensor, state: 'enabled', at: this.#now() });
  }
  clear(sensor: AlarmSensor): void {
    this.tripped.delete(sensor);
    this.#say({ type: 'alarm', sensor, state: 'disabled', at: this.#now() });
  }
  /** From inside, by the exit button. */
  openByHand(): void {
    this.#event('exit_button');
    this.#openDoor();
  }
  forceDoor(): void {
    this.doorOpen = true;
    this.#event('door_forced');
  }
  holdDoor(): void {
    this.doorOpen = true;
    this.#event('door_held');
  }
  rebooted(): void {
    this.#event('rebooted');
  }
}
