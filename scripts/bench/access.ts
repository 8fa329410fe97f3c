import { identifierTypes } from '#models/device-events.ts';
import { lengthOf } from '#models/time.ts';
import { repeatModes, weekdays } from '#models/schedule-times.ts';
import { dice } from '#server/db/demo/chance.ts';
import { decide } from '#server/access/decide.ts';
import { copyFor, worldOfCopy } from '#server/access/device-copy.ts';
import { type Credential, type Person, type Rule, type Schedule, type WorldData, worldOf } from '#server/access/world.ts';
import { type Figure, median, percentile, timesOf } from './figures.ts';

const identifiers = 10_000;
const people = 4_000;
const rules = 500;
const [schedules, doors, flats] = [60, 100, 1_000];
const rounds = 5_000;
const now = Date.parse('2026-06-17T10:00:00Z');
const { below, chance, pick } = dice(11);

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
const some = (count: number, name: string, of: number): Set<string> => new Set(many(count, () => `${name}${below(of)}`));

const schedule = (index: number): Schedule => ({
  id: `s${index}`,
  days: Object.fromEntries(weekdays.map((day) => [day, chance(0.7)])) as Schedule['days'],
  from: below(24) * 3_600,
  to: below(24) * 3_600,
  valid_from: '2025-01-31',
  valid_to: chance(0.2) ? '2026-05-31' : null,
  is_all_day: chance(0.1),
  repeat_mode: pick(repeatModes),
  holiday_mode: pick(['holds', 'rests', 'own_hours']),
  holiday_from: 36_000,
  holiday_to: 43_200,
});
/** Half of the rules are a building's: a group, a dozen doors; the others name people. */
const rule = (index: number): Rule => ({
  id: `r${index}`,
  isProhibition: chance(0.1),
  devices: some(12, 'd', doors),
  schedules: chance(0.2) ? [] : [...some(2, 's', schedules)],
  users: index % 2 === 0 ? new Set() : some(100, 'p', people),
  identifiers: some(5, 'c', identifiers),
  groups: index % 2 === 0 ? new Set([chance(0.3) ? 'top' : `house${below(20)}`]) : new Set(),
  floors: null,
});
const person = (index: number): Person => ({
  id: `p${index}`,
  isActive: true,
  isBarredFromLifts: false,
  groups: [`f${index % flats}`],
  licences: [],
});
const credential = (index: number): Credential => ({
  id: `c${index}`,
  type: pick(identifierTypes.filter((type) => type === 'card' || type === 'access_code')),
  value: `${index}`,
  ownerId: `p${index % people}`,
  isGuest: false,
  isActive: chance(0.98),
  isRevoked: chance(0.02),
  isLost: false,
  period: chance(0.1) ? { from: null, to: now + below(40) * lengthOf(1, 'day') } : null,
  passes: null,
  locks: [],
});

/** A town quarter: 20 houses below one group, 1,000 flats, 100 doors in two zones. */
const quarter = (): WorldData => ({
  credentials: many(identifiers, credential),
  people: many(people, person),
  parents: [
    { id: 'top', parentId: null },
    ...many(20, (index) => ({ id: `house${index}`, parentId: 'top' })),
    ...many(flats, (index) => ({ id: `f${index}`, parentId: `house${index % 20}` })),
  ],
  rules: many(rules, rule),
  schedules: many(schedules, schedule),
  doors: many(doors, (index) => ({
    id: `d${index}`,
    isLift: false,
    zone: { zoneHours: 0, zoneName: index % 2 === 0 ? 'Europe/Berlin' : 'America/St_Johns' },
    holidays: ['2026-12-25', '2026-12-26', '2027-01-01'],
    antiPassback: null,
  })),
  passages: [],
  licences: [],
});

/**
 * The evaluator among 10,000 identifiers and 500 rules: a decision with until when it stays or when it changes, at random doors and moments of a
 * year, once the process is warm; one door's copy, compiled and read.
 */
export async function benchAccess(): Promise<Figure[]> {
  const data = quarter();
  const built = await timesOf(3, async () => worldOf(data));
  const world = worldOf(data);
  let granted = 0;
  const ask = async () => {
    const question = {
      credential: { id: `c${below(identifiers)}` },
      deviceId: `d${below(doors)}`,
      at: now + below(365 * 24 * 60) * lengthOf(1, 'minute'),
    };
    if (decide(world, question).isGranted) granted += 1;
  };
  await timesOf(500, ask);
  granted = 0;
  const times = await timesOf(rounds, ask);
  const copies = await timesOf(10, async (round) => copyFor(world, `d${round}`));
  const copy = copyFor(world, 'd0');
  const read = await timesOf(3, async () => worldOfCopy(copy));
  return [
    { what: `decisions, ${Math.round((granted / rounds) * 100)} % granted: p50`, unit: 'ms', ours: median(times) },
    { what: 'decisions: p99', unit: 'ms', ours: percentile(times, 0.99), atMost: 2 },
    { what: 'the world made of its rows', unit: 'ms', ours: median(built) },
    { what: `the copy of a door, ${copy.credentials.length} identifiers: compiled`, unit: 'ms', ours: median(copies) },
    { what: 'the same, read by the device', unit: 'ms', ours: median(read) },
  ];
}
