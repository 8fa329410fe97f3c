import type { DenialReason, DeviceEventType } from '#models/device-events.ts';
import type { DeviceTaskKind } from '#models/device-tasks.ts';
import { lengthOf } from '#models/time.ts';
import type { deviceEvents, deviceTasks } from '../schema/index.ts';
import { demoId, dice } from './chance.ts';
import type { DemoDevice } from './devices.ts';
import type { DemoIdentifier } from './identifiers.ts';
import type { DemoPerson } from './people.ts';

type Event = typeof deviceEvents.$inferInsert;
type Task = typeof deviceTasks.$inferInsert;
const [hour, day] = [lengthOf(1, 'hour'), lengthOf(1, 'day')];

/** How busy each hour of a day is: people leave in the morning and come home in the evening. */
const rhythm = [1, 1, 0, 0, 1, 3, 9, 16, 14, 8, 6, 6, 7, 6, 6, 8, 11, 16, 18, 14, 10, 8, 5, 3];
const clock = rhythm.flatMap((weight, at) => Array.from({ length: weight }, () => at));
const denials: readonly DenialReason[] = [
  'unknown_identifier',
  'unknown_identifier',
  'unknown_identifier',
  'no_rule',
  'no_rule',
  'outside_schedule',
  'expired',
  'revoked',
  'blocked',
  'passes_used',
  'anti_passback',
];
/** Which readers stand where people pass most. */
const weightOf = ({ name, type }: DemoDevice): number => {
  if (/lobby|gate|entrance/.test(name) && type === 'panel') return 12;
  if (type === 'barrier') return 7;
  return type === 'panel' || type === 'access_controller' ? 3 : 0;
};

interface World {
  projectId: string;
  devices: readonly DemoDevice[];
  people: readonly DemoPerson[];
  identifiers: readonly DemoIdentifier[];
  at: Date;
}

/** What happens at the doors of one project, written down as it happens. */
class Doors {
  readonly events: Event[] = [];
  readonly #world: World;
  readonly #dice: ReturnType<typeof dice>;
  readonly #reporting: readonly DemoDevice[];
  readonly #readers: readonly DemoDevice[];
  readonly #panels: readonly DemoDevice[];
  readonly #names: ReadonlyMap<string, string>;
  /** What people open with who have guests, too. */
  readonly #cards: ReadonlyMap<string, DemoIdentifier>;

  constructor(world: World, thrown: ReturnType<typeof dice>) {
    this.#world = world;
    this.#dice = thrown;
    this.#reporting = world.devices.filter(({ online }) => online !== null);
    this.#readers = this.#reporting.flatMap((device) => Array.from({ length: weightOf(device) }, () => device));
    this.#panels = this.#readers.filter(({ type }) => type === 'panel');
    this.#cards = new Map(world.identifiers.flatMap((one) => (one.type === 'card' ? [[one.userId, one] as const] : [])));
    this.#names = new Map(world.people.map(({ user }) => [user.id, user.name]));
  }

  /** One thing, mostly somebody who comes or goes. */
  happen(time: number): void {
    const kind = this.#dice.below(100);
    if (kind < 84) this.#pass(time);
    else if (kind < 92) this.#add(this.#dice.pick(this.#readers), 'exit_button', time, { data: { relay: 1 } });
    else if (kind < 98) this.#call(time);
    else this.#trouble(time);
  }

  #add(device: DemoDevice, type: DeviceEventType, time: number, more: Partial<Event> = {}): void {
    const { projectId, at } = this.#world;
    if (time >= at.getTime()) return;
    const occurredAt = new Date(time);
    this.events.push({
      id: demoId(`${projectId} event ${this.events.length}`),
      projectId,
      deviceId: device.id,
      deviceName: device.name,
      type,
      priority: 'low',
      userId: null,
      userName: null,
      identifierId: null,
      identifierType: null,
      identifierMask: null,
      reason: null,
      data: {},
      occurredAt,
      createdAt: occurredAt,
      ...more,
    });
  }
  #presented({ id, userId, type, value }: DemoIdentifier): Partial<Event> {
    return { identifierId: id, userId, userName: this.#names.get(userId) ?? null, identifierType: type, identifierMask: value.slice(-4) };
  }
  #pass(time: number): void {
    const { below, pick, chance } = this.#dice;
    const device = pick(this.#readers);
    const drawnOne = pick(this.#world.identifiers);
    // Guests come on their own days, see `guestCame`.
    const identifier = drawnOne.ownerType === 'guest' ? (this.#cards.get(drawnOne.userId) ?? drawnOne) : drawnOne;
    const door = { relay: 1 };
    if (identifier.isActive && chance(0.93)) {
      this.#add(device, 'access_granted', time, { ...this.#presented(identifier), data: door });
      if (chance(0.012)) this.#add(device, 'door_held', time + 45_000, { priority: 'medium', data: { ...door, seconds: 30 + below(200) } });
      return;
    }
    const drawn = identifier.isActive ? pick(denials) : 'revoked';
    const reason = drawn === 'passes_used' && identifier.ownerType !== 'guest' ? 'no_rule' : drawn;
    const stranger = { identifierType: 'card' as const, identifierMask: String(1_000 + below(8_999)) };
    const who = reason === 'unknown_identifier' ? stranger : this.#presented(identifier);
    this.#add(device, 'access_denied', time, { ...who, reason, priority: 'medium' });
  }
  /** The visits that a guest's pass counts, each once in the log. */
  guestCame(pass: DemoIdentifier, thrown: ReturnType<typeof dice>): void {
    const from = Math.max(pass.periodRestrictFrom?.getTime() ?? 0, pass.createdAt?.getTime() ?? 0);
    const until = this.#world.at.getTime() - 60_000;
    for (let count = 0; count < (pass.passesCount ?? 0); count += 1)
      this.#add(thrown.pick(this.#panels), 'access_granted', from + thrown.below(Math.max(1, until - from)), {
        ...this.#presented(pass),
        data: { relay: 1 },
      });
  }
  #call(time: number): void {
    const { below, pick, chance } = this.#dice;
    const device = pick(this.#panels);
    const data = { number: String(100 + below(90)) };
    this.#add(device, 'call_started', time, { data });
    if (chance(0.28)) return this.#add(device, 'call_missed', time + 30_000, { data, priority: 'medium' });
    this.#add(device, 'call_answered', time + 8_000, { data });
    if (chance(0.8)) this.#add(device, 'opened_remotely', time + 15_000, { data: { relay: 1 } });
    this.#add(device, 'call_ended', time + 21_000, { data: { ...data, seconds: 13 } });
  }
  #trouble(time: number): void {
    const { below, pick } = this.#dice;
    const device = pick(this.#reporting);
    const kind = below(10);
    if (kind < 4) {
      this.#add(device, 'offline', time, { priority: 'high' });
      this.#add(device, 'online', time + (2 + below(50)) * 60_000);
    } else if (kind < 7) this.#add(device, 'rebooted', time, { data: { firmware: device.firmware } });
    else if (kind < 8) this.#add(device, 'tampered', time, { priority: 'high' });
    else if (kind < 9) this.#add(device, 'door_forced', time, { priority: 'critical', data: { relay: 1 } });
    else this.#add(device, 'settings_applied', time);
  }
}

/** Ninety days at the doors, newest last: comings and goings by the hour of the day, refusals with reasons, calls, and what devices do. */
export function demoDeviceEvents(world: World, perDay: number, seed: number): Event[] {
  const thrown = dice(seed);
  const { below, pick } = thrown;
  const doors = new Doors(world, thrown);
  for (let back = 90; back >= 0; back -= 1) {
    const midnight = Math.floor((world.at.getTime() - back * day) / day) * day;
    const moments = Array.from({ length: Math.round(perDay * (0.8 + below(40) / 100)) }, () => midnight + pick(clock) * hour + below(hour));
    for (const time of moments.toSorted((one, other) => one - other)) doors.happen(time);
  }
  const visits = dice(seed + 100);
  for (const pass of world.identifiers.filter(({ ownerType }) => ownerType === 'guest')) doors.guestCame(pass, visits);
  return doors.events.toSorted((one, other) => one.occurredAt.getTime() - other.occurredAt.getTime());
}

const kinds: readonly DeviceTaskKind[] = [
  'apply_settings',
  'apply_settings',
  'synchronise',
  'synchronise',
  'synchronise',
  'restart',
  'init',
  'reinit',
];
const failures = ['no_answer', 'unknown_setting', 'memory_full'];

/** What was asked of the devices lately: nearly all done, some failed, a few waiting for devices that are away. */
export function demoDeviceTasks({ projectId, devices, people, at }: World, count: number, seed: number): Task[] {
  const { below, pick, chance } = dice(seed);
  const reporting = devices.filter(({ online }) => online !== null);
  const staff = people.slice(0, 3);
  return Array.from({ length: count }, (_, index): Task => {
    const away = index < 3 ? reporting.find(({ online }, place) => online === false && place >= index) : undefined;
    const device = away ?? pick(reporting);
    const createdAt = new Date(at.getTime() - below(away ? hour * 6 : 60 * day));
    const status = away ? 'waiting' : chance(0.05) ? 'error' : chance(0.03) ? 'stopped' : 'completed';
    const startedAt = new Date(createdAt.getTime() + 400 + below(2_000));
    const over = status !== 'waiting';
    return {
      id: demoId(`${projectId} task ${index}`),
      projectId,
      deviceId: device.id,
      kind: away ? 'synchronise' : pick(kinds),
      status,
      attempts: status === 'error' ? 3 : over ? 1 : 0,
      payload: {},
      error: status === 'error' ? pick(failures) : null,
      createdBy: pick(staff)?.user.id ?? null,
      createdAt,
      updatedAt: over ? startedAt : createdAt,
      queuedAt: createdAt,
      startedAt: over ? startedAt : null,
      finishedAt: over ? new Date(startedAt.getTime() + 300 + below(9_000)) : null,
    };
  });
}
