import type { EffectKind } from '#models/access-effect.ts';
import type { Interval } from '#models/schedule-times.ts';
import { lengthOf } from '#models/time.ts';
import type { Case } from './case.ts';
import { grantedTimes } from './granted-times.ts';
import { type Credential, type Door, type Rule, type Schedule, type World, worldOf } from './world.ts';

/** The rules and schedules of some doors, as they are or as they would be. */
export interface Plan {
  rules: readonly Rule[];
  schedules: readonly Schedule[];
}

/** People whom the same rules reach, before and after a change. */
export interface PeopleClass {
  before: ReadonlySet<string>;
  after: ReadonlySet<string>;
}

/** What a change does at one door, by the place of the class in the list. */
export interface DoorEffect {
  deviceId: string;
  classes: readonly { at: number; kind: EffectKind }[];
}

/** How far ahead is looked: as far as for the next opening. */
const ahead = lengthOf(400, 'day');
/** An identifier that nothing stands against: what is left is the rules. */
const anyCard: Credential = {
  id: 'any',
  type: 'card',
  value: '',
  ownerId: null,
  isGuest: false,
  isActive: true,
  isRevoked: false,
  isLost: false,
  period: null,
  passes: null,
  locks: [],
};

const worldFor = ({ rules, schedules }: Plan, doors: readonly Door[]): World =>
  worldOf({ rules, schedules, doors, credentials: [], people: [], parents: [], passages: [], licences: [] });

/** When people whom these rules reach may pass a door, from a moment on. */
function timesAt(world: World, door: Door, reaching: ReadonlySet<string>, at: number): Interval[] {
  const rules = (world.rules.get(door.id) ?? []).filter(({ id }) => reaching.has(id));
  const asked: Case = {
    world,
    door,
    at,
    credential: anyCard,
    owner: undefined,
    permitting: rules.filter(({ isProhibition }) => !isProhibition),
    prohibiting: rules.filter(({ isProhibition }) => isProhibition),
  };
  return grantedTimes(asked, { from: at, to: at + ahead });
}

/** Remembers times by all that they follow from: doors of one clock under the same rules are reckoned once. */
function remembering(plan: Plan, doors: readonly Door[], at: number): (door: Door, reaching: ReadonlySet<string>) => Interval[] {
  const world = worldFor(plan, doors);
  const known = new Map<string, Interval[]>();
  return (door, reaching) => {
    const named = (world.rules.get(door.id) ?? []).filter(({ id }) => reaching.has(id)).map(({ id }) => id);
    const key = JSON.stringify([door.zone, door.holidays, named]);
    const times = known.get(key) ?? timesAt(world, door, reaching, at);
    known.set(key, times);
    return times;
  };
}

const areSame = (one: readonly Interval[], other: readonly Interval[]): boolean =>
  one.length === other.length && one.every(({ from, to }, at) => from === other[at]?.from && to === other[at].to);

function kindOf(before: readonly Interval[], after: readonly Interval[]): EffectKind | null {
  if (areSame(before, after)) return null;
  if (before.length === 0) return 'opens';
  return after.length === 0 ? 'closes' : 'hours';
}

/** What a change does at each door from a moment on (ms since 1970), for people of each class. Identifiers, periods and passes are not looked at. */
export function effectOf(before: Plan, after: Plan, doors: readonly Door[], classes: readonly PeopleClass[], at: number): DoorEffect[] {
  const [were, will] = [remembering(before, doors, at), remembering(after, doors, at)];
  return doors.map((door) => ({
    deviceId: door.id,
    classes: classes.flatMap((people, index) => {
      const kind = kindOf(were(door, people.before), will(door, people.after));
      return kind ? [{ at: index, kind }] : [];
    }),
  }));
}
