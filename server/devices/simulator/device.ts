import { z } from 'zod';
import type { AlarmSensor } from '#models/device-alarms.ts';
import type { DenialReason, IdentifierType } from '#models/device-events.ts';
import type { SimulatedElevator } from '#models/simulator.ts';
import type { Random } from '#server/random.ts';
import { clockOf, type Timers } from '#server/timers.ts';
import { CopyMemory, type Passages, type Presented } from './copy-memory.ts';
import { Door } from './door.ts';
import { Elevator } from './elevator.ts';
import { PassDesk } from './pass-desk.ts';
import type { EventName, Plan, Said } from './plan.ts';
import { Requests } from './requests.ts';
import { Screen } from './screen.ts';
import type { DeviceRequest, DeviceResponse } from '../protocol.ts';

/** What it knows of its phone: how it registers, what the button rings, what may open the door. */
const phoneSettings = z.object({
  sip: z.object({ enabled: z.boolean(), login: z.string().nullable(), password: z.string().nullable(), talk_timeout: z.number() }),
  additional: z.object({ button_numbers: z.array(z.string().nullable()), remote_lock_opening: z.boolean() }),
});
export type PhoneSettings = z.infer<typeof phoneSettings>;

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
 * A device of the demo without its connection: what people do at it, and what it says of that. It decides by what it was sent and by
 * nothing else, as a real one does.
 */
export class SimulatedDevice {
  readonly plan: Plan;
  readonly tripped = new Set<AlarmSensor>();
  readonly screen = new Screen();
  readonly door: Door;
  /** What the server asks of it. */
  readonly requests: Requests;
  readonly timers: Timers;
  readonly #memory: CopyMemory;
  readonly #passes: PassDesk;
  readonly #elevator: Elevator;
  readonly #say: (said: Said) => void;
  readonly #random: Random;
  #restart: () => void = () => undefined;
  #settled: () => void = () => undefined;

  constructor(
    plan: Plan,
    password: string | null,
    { say, random, timers, canAsk = () => false, passages, changeProtocol = () => undefined }: DeviceDeps,
  ) {
    this.plan = plan;
    this.timers = timers;
    this.#say = say;
    this.#random = random;
    this.#memory = new CopyMemory(plan.copy, passages);
    this.#passes = new PassDesk({ say, canAsk, timers });
    const notify = this.#event.bind(this);
    this.door = new Door(notify, timers);
    this.#elevator = new Elevator((floor) => notify('elevator_arrived', { floor }), clockOf(timers));
    this.#elevator.take(plan.settings);
    const parts = { plan, memory: this.#memory, elevator: this.#elevator, screen: this.screen, door: this.door };
    const hears = { restart: () => this.#restart(), settled: () => this.#settled(), changeProtocol };
    this.requests = new Requests({ ...parts, ...hears, timers, say, notify }, password);
  }
  close(): void {
    this.#elevator.close();
  }
  onRestart(restart: () => void): void {
    this.#restart = restart;
  }
  /** Told when it has taken new settings. */
  onSettings(settled: () => void): void {
    this.#settled = settled;
  }

  /** Its elevator, where it controls one. */
  get elevator(): SimulatedElevator | null {
    return this.#elevator.shown;
  }
  get identifiers(): number {
    return this.#memory.count;
  }
  /** The version of what it decides by. */
  get copyVersion(): string | null {
    return this.#memory.version;
  }
  /** Null while it was sent none that could be used. */
  get phoneSettings(): PhoneSettings | null {
    const read = phoneSettings.safeParse(this.requests.settings);
    return read.success ? read.data : null;
  }

  /** Answers the server; the answer to a question of its own goes to who waits for it. */
  async handle(request: DeviceRequest): Promise<DeviceResponse> {
    return request.kind === 'pass' ? this.#passes.answered(request) : this.requests.handle(request);
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
  #event(event: EventName, data?: Record<string, unknown>): void {
    this.#say({ type: 'event', event, at: this.#now(), ...(data && { data }) });
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
    else if (reason === null) this.door.open();
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
    this.door.open();
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
    this.door.open();
  }
  rebooted(): void {
    this.#event('rebooted');
  }
}
