import type { EffectKind } from '#models/access-effect.ts';
import type { Interval } from '#models/schedule-times.ts';
import { lengthOf } from '#models/time.ts';
import { type Case, concerns } from './case.ts';
import { grantedTimes } from './granted-times.ts';
import { type Credential, type Door, type Rule, type Schedule, type World, worldOf } from './world.ts';

/** The rules and schedules of some doors, as they are or as they would be. */
export interface Plan {
  rules: readonly Rule[];
  schedules: readonly Schedule[];
  /** Ids of rules that stand for what people may do by their role: no prohibition counts against those. */
  rights: ReadonlySet<string>;
}

/** Where somebody is let in: a door, or at a lift one floor, by its number. */
export interface Place {
  id: string;
  door: Door;
  floor: number | null;
}

/** People whom the same rules reach, before and after a change. */
export interface PeopleClass {
  before: ReadonlySet<string>;
  after: ReadonlySet<string>;
}

/** What a change does at one place, by the position of the class in the list. */
export interface PlaceEffect {
  placeId: string;
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

/** When somebody may pass a door, from a moment on, by nothing but these rules. */
function timesAt(world: World, door: Door, { permitting, prohibiting }: Pick<Case, 'permitting' | 'prohibiting'>, at: number): Interval[] {
  const asked: Case = { world, door, at, credential: anyCard, owner: undefined, permitting, prohibiting };
  return grantedTimes(asked, { from: at, to: at + ahead });
}

/** The schedules on which some of these rules holds, as text. */
function hoursOf(rules: readonly Rule[]): string {
  if (rules.length === 0) return 'never';
  if (rules.some(({ schedules }) => schedules.length === 0)) return 'always';
  return [...new Set(rules.flatMap(({ schedules }) => schedules))].toSorted().join();
}

/** Times with a number of their own: the same number, the same times. */
interface Numbered {
  number: number;
  times: Interval[];
}

/** Adds to the list under a key. */
function addTo<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** The places at which rules count, by the ids of the rules; of a rule for lifts there is one rule an elevator. */
function placedRules({ rules }: Plan, places: readonly Place[]): Map<string, { rule: Rule; placeId: string }[]> {
  const byDevice = new Map<string, Place[]>();
  for (const place of places) addTo(byDevice, place.door.id, place);
  const found = new Map<string, { rule: Rule; placeId: string }[]>();
  for (const rule of rules)
    for (const { id, door, floor } of [...rule.devices].flatMap((device) => byDevice.get(device) ?? []))
      if (concerns(rule, door, floor ?? undefined)) addTo(found, rule.id, { rule, placeId: id });
  return found;
}

/** The times that a plan gives, each reckoned once for all that it follows from: the clock of the door, and the schedules of what permits and prohibits. */
class PlannedTimes {
  readonly #world: World;
  readonly #rights: ReadonlySet<string>;
  readonly #placed: ReturnType<typeof placedRules>;
  readonly #clocks: ReadonlyMap<string, string>;
  readonly #known = new Map<string, Numbered>();
  readonly #at: number;

  constructor(plan: Plan, places: readonly Place[], at: number) {
    this.#world = worldFor(
      plan,
      places.map(({ door }) => door),
    );
    this.#rights = plan.rights;
    this.#placed = placedRules(plan, places);
    this.#clocks = new Map(places.map(({ door: { id, zone, holidays } }) => [id, JSON.stringify([zone, holidays])]));
    this.#at = at;
  }
  /** The rules of these ids by the places at which they count. */
  rulesByPlace(reaching: ReadonlySet<string>): Map<string, Rule[]> {
    const found = new Map<string, Rule[]>();
    for (const id of reaching) for (const { rule, placeId } of this.#placed.get(id) ?? []) addTo(found, placeId, rule);
    return found;
  }
  timesFor(door: Door, rules: readonly Rule[]): Numbered {
    const isByRight = rules.some(({ id }) => this.#rights.has(id));
    const permitting = rules.filter(({ isProhibition }) => !isProhibition);
    const prohibiting = isByRight ? [] : rules.filter(({ isProhibition }) => isProhibition);
    const key = `${this.#clocks.get(door.id)} ${hoursOf(permitting)} ${hoursOf(prohibiting)}`;
    const known = this.#known.get(key);
    if (known) return known;
    const found = { number: this.#known.size, times: timesAt(this.#world, door, { permitting, prohibiting }, this.#at) };
    this.#known.set(key, found);
    return found;
  }
}

const areSame = (one: readonly Interval[], other: readonly Interval[]): boolean =>
  one.length === other.length && one.every(({ from, to }, at) => from === other[at]?.from && to === other[at].to);

function kindOf(before: readonly Interval[], after: readonly Interval[]): EffectKind | null {
  if (areSame(before, after)) return null;
  if (before.length === 0) return 'opens';
  return after.length === 0 ? 'closes' : 'hours';
}

/** Compares times, each pair once. */
function comparing(): (before: Numbered, after: Numbered) => EffectKind | null {
  const known = new Map<string, EffectKind | null>();
  return (before, after) => {
    const pair = `${before.number} ${after.number}`;
    const found = known.get(pair);
    if (found !== undefined) return found;
    const kind = kindOf(before.times, after.times);
    known.set(pair, kind);
    return kind;
  };
}

/** What a change does at each place from a moment on (ms since 1970), for people of each class. Identifiers, periods and passes are not looked at. */
export function effectOf(before: Plan, after: Plan, places: readonly Place[], classes: readonly PeopleClass[], at: number): PlaceEffect[] {
  const [were, will] = [new PlannedTimes(before, places, at), new PlannedTimes(after, places, at)];
  const compare = comparing();
  const doorAt = new Map(places.map(({ id, door }) => [id, door]));
  const effects = new Map(places.map(({ id }): [string, PlaceEffect['classes'][number][]] => [id, []]));
  for (const [index, people] of classes.entries()) {
    const [old, next] = [were.rulesByPlace(people.before), will.rulesByPlace(people.after)];
    for (const id of new Set([...old.keys(), ...next.keys()])) {
      const door = doorAt.get(id);
      const kind = door && compare(were.timesFor(door, old.get(id) ?? []), will.timesFor(door, next.get(id) ?? []));
      if (kind) effects.get(id)?.push({ at: index, kind });
    }
  }
  return places.map(({ id }) => ({ placeId: id, classes: effects.get(id) ?? [] }));
}
