import { identifierTypes } from '#models/device-events.ts';
import { holidayModes, repeatModes, weekdays } from '#models/schedule-times.ts';
import type { Question } from '#server/access/case.ts';
import type { Credential, Door, Licensed, Person, Rule, Schedule, WorldData } from '#server/access/world.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Days on which something is special: clocks move, months end, years leap; the zones beside them move theirs on some. */
const days = [
  '2026-03-29',
  '2026-10-25',
  '2026-03-08',
  '2026-11-01',
  '2026-04-05',
  '2026-10-04',
  '2026-01-31',
  '2026-02-28',
  '2026-04-30',
  '2026-12-31',
  '2027-01-01',
  '2028-02-29',
  '2028-12-31',
  '2024-02-29',
  '2026-06-17',
  '2025-08-31',
];
const zones = ['Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'UTC', 'Asia/Kolkata', null];
const times = ['09:00', '18:00', '00:00', '02:00', '02:30', '03:00', '01:30', '22:00', '06:00', '23:59', '00:01', '24:00', '12:15'].map((time) => {
  const [hours, minutes] = time.split(':').map(Number);
  return ((hours ?? 0) * 60 + (minutes ?? 0)) * 60;
});

/** Makes choices of bytes, one after another; where they end, the first choice. */
class Choices {
  readonly #bytes: Uint8Array;
  #at = 0;
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }
  below(limit: number): number {
    const byte = this.#bytes[this.#at] ?? 0;
    this.#at += 1;
    return byte % limit;
  }
  /** True once in so many. */
  once(inAll: number): boolean {
    return this.below(inAll) === inAll - 1;
  }
  of<T>(all: readonly T[]): T {
    const [first] = all;
    const found = all[this.below(all.length)] ?? first;
    if (found === undefined) throw new Error('nothing to choose of');
    return found;
  }
  some<T>(all: readonly T[]): T[] {
    const bits = this.below(2 ** all.length);
    return all.filter((_, index) => (bits >> index) & 1);
  }
}

const dateFrom = (day: string, shift: number): string => new Date(Date.parse(day) + shift * DAY).toISOString().slice(0, 10);
/** How far from the day in question a schedule may begin or end. */
const shifts = [0, -1, 1, -7, -14, -30, -31, -365, -366, -1_461, 7, -3];

function scheduleFrom(choices: Choices, id: string, day: string): Schedule {
  const chosen = choices.below(128);
  const date = (): string | null => (choices.once(2) ? dateFrom(day, choices.of(shifts)) : null);
  return {
    id,
    days: Object.fromEntries(weekdays.map((name, index) => [name, !((chosen >> index) & 1)])) as Schedule['days'],
    from: choices.of(times),
    to: choices.of(times),
    valid_from: date(),
    valid_to: date(),
    is_all_day: choices.once(5),
    repeat_mode: choices.of(repeatModes),
    holiday_mode: choices.of(holidayModes),
    holiday_from: choices.of(times),
    holiday_to: choices.of(times),
  };
}

function doorFrom(choices: Choices, id: string, day: string): Door {
  const zoneName = choices.of(zones);
  return {
    id,
    isLift: choices.once(8),
    zone: { zoneHours: zoneName === null ? choices.below(27) - 12 : 0, zoneName },
    holidays: choices.some([0, -1, 1]).map((shift) => dateFrom(day, shift)),
    antiPassback: choices.once(6)
      ? { area: 'hall', way: choices.of(['in', 'out'] as const), forgivenAfter: choices.once(2) ? 90 * MINUTE : null }
      : null,
  };
}

function credentialFrom(choices: Choices, id: string, at: number): Credential {
  const near = (): number | null => choices.of([null, at - 30 * MINUTE, at, at + 1, at + 30 * MINUTE, at - 1]);
  return {
    id,
    type: choices.of(identifierTypes),
    value: id,
    ownerId: choices.of(['p1', 'p2', null, 'p1']),
    isGuest: choices.once(4),
    isRevoked: choices.once(16),
    isActive: !choices.once(16),
    isLost: choices.once(16),
    period: choices.once(4) ? { from: near(), to: near() } : null,
    passes: choices.once(6) ? { count: choices.below(3), max: choices.below(3) } : null,
    locks: choices.once(8) ? [2] : [],
  };
}

function licencesFrom(choices: Choices, at: number): Licensed[] {
  const all = (['licensePlate', 'ukey2', 'guests', 'guestFaces'] as const).map((feature) => ({ feature, from: null, until: null }));
  if (!choices.once(4)) return all;
  return choices.some(all).map((one) => ({ ...one, from: choices.of([null, at, at + 1]), until: choices.of([null, at, at + 60 * MINUTE]) }));
}

function ruleFrom(choices: Choices, id: string): Rule {
  return {
    id,
    isProhibition: choices.once(5),
    devices: new Set(choices.once(4) ? choices.some(['d1', 'd2']) : ['d1']),
    schedules: choices.some(['s1', 's2']),
    users: new Set(choices.some(['p1', 'p2'])),
    identifiers: new Set(choices.some(['c1', 'c2'])),
    groups: new Set(choices.some(['top', 'house', 'flat', 'other'])),
    floors: choices.once(6) ? new Set(choices.some([1, 2])) : null,
  };
}

const personFrom = (choices: Choices, id: string, at: number): Person => ({
  id,
  isActive: !choices.once(12),
  isBarredFromLifts: choices.once(6),
  groups: choices.some(['flat', 'house', 'other']),
  licences: licencesFrom(choices, at),
});

/** A small world about a special day, and a question to it. */
export interface SmallWorld {
  data: WorldData;
  question: Question & { credential: { id: string } };
  day: string;
}

/** A world of bytes: like bytes make like worlds, so that one in which something fails can be made smaller. */
export function worldFrom(bytes: Uint8Array): SmallWorld {
  const choices = new Choices(bytes);
  const day = choices.of(days);
  const minutes = (choices.below(72) - 24) * 60 + choices.of([0, 1, 15, 29, 30, 31, 45, 59]);
  const at = Date.parse(day) + minutes * MINUTE + choices.of([0, 0, 0, -1, 1]);
  const data: WorldData = {
    schedules: ['s1', 's2'].map((id) => scheduleFrom(choices, id, day)),
    rules: ['r1', 'r2', 'r3'].slice(0, 3 - choices.below(3)).map((id) => ruleFrom(choices, id)),
    doors: ['d1', 'd2'].map((id) => doorFrom(choices, id, day)),
    credentials: ['c1', 'c2'].map((id) => credentialFrom(choices, id, at)),
    people: ['p1', 'p2'].map((id) => personFrom(choices, id, at)),
    parents: [
      { id: 'top', parentId: null },
      { id: 'house', parentId: 'top' },
      { id: 'flat', parentId: 'house' },
      { id: 'other', parentId: null },
    ],
    passages: choices.some([0, 60, 120]).map((ago) => ({
      credentialId: choices.of(['c1', 'c2']),
      area: choices.of(['hall', 'yard']),
      way: choices.of(['in', 'out'] as const),
      at: at - ago * MINUTE,
    })),
    licences: licencesFrom(choices, at),
  };
  const [floor, lock] = [choices.below(3), Math.max(0, choices.below(4) - 1)];
  const credential = { id: choices.once(30) ? 'nobody' : choices.of(['c1', 'c2']) };
  const deviceId = choices.of(['d1', 'd1', 'd2']);
  return { data, day, question: { credential, deviceId, at, ...(floor > 0 && { floor }), ...(lock > 0 && { lock }) } };
}
