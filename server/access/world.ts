import type { AccessFeature } from '#models/access-calls.ts';
import type { IdentifierType } from '#models/device-events.ts';
import type { ScheduleTimes } from '#models/schedule-times.ts';
import type { Zone } from '#models/zone.ts';

// What a decision is made of, as plain data: loaders fill it from the database, a device from what it was sent. Moments are ms since 1970.

/** A feature that is licensed from a moment until another, not included; null is without end. */
export interface Licensed {
  feature: AccessFeature;
  from: number | null;
  until: number | null;
}

/** An identifier: a card, a code, a plate. `value` as it is stored. */
export interface Credential {
  id: string;
  type: IdentifierType;
  value: string;
  /** Null: nobody's. */
  ownerId: string | null;
  isGuest: boolean;
  isActive: boolean;
  isRevoked: boolean;
  isLost: boolean;
  /** Null: at any time. `to` is not included. */
  period: { from: number | null; to: number | null } | null;
  /** Null: as often as one likes. */
  passes: { count: number; max: number } | null;
  /** The locks of a device that it opens; empty is all. */
  locks: readonly number[];
}

/** Somebody who has identifiers. */
export interface Person {
  id: string;
  isActive: boolean;
  /** May use no lift. */
  isBarredFromLifts: boolean;
  /** The groups the person is in; those above them follow from `World.parents`. */
  groups: readonly string[];
  licences: readonly Licensed[];
}

/** Who may open what at which times; a prohibition turns it round. */
export interface Rule {
  id: string;
  isProhibition: boolean;
  devices: ReadonlySet<string>;
  /** Empty: at any time. */
  schedules: readonly string[];
  users: ReadonlySet<string>;
  identifiers: ReadonlySet<string>;
  groups: ReadonlySet<string>;
  /** The floors of a rule for lifts; null: a rule for doors. */
  floors: ReadonlySet<number> | null;
}

export interface Schedule extends ScheduleTimes {
  readonly id: string;
}

/** What decides at a reader that lets nobody in twice: the area it leads into or out of, and after how long (ms) an entry is forgiven; null is never. */
export interface AntiPassback {
  area: string;
  way: 'in' | 'out';
  forgivenAfter: number | null;
}

/** A device with a lock. */
export interface Door {
  id: string;
  isLift: boolean;
  zone: Zone;
  /** Dates as YYYY-MM-DD. */
  holidays: readonly string[];
  antiPassback: AntiPassback | null;
}

/** The last time that an identifier went into or out of an area. */
export interface Passage {
  credentialId: string;
  area: string;
  way: 'in' | 'out';
  at: number;
}

/** The world as lists. */
export interface WorldData {
  credentials: readonly Credential[];
  people: readonly Person[];
  /** Every group with the one above it. */
  parents: readonly { id: string; parentId: string | null }[];
  rules: readonly Rule[];
  schedules: readonly Schedule[];
  doors: readonly Door[];
  passages: readonly Passage[];
  /** What is licensed for identifiers that are nobody's. */
  licences: readonly Licensed[];
}

/** The world as `decide` looks things up in it. */
export interface World {
  credentials: ReadonlyMap<string, Credential>;
  /** By type and value. */
  values: ReadonlyMap<string, Credential>;
  people: ReadonlyMap<string, Person>;
  parents: ReadonlyMap<string, string | null>;
  /** The rules that name a device, in the order in which they were given: where several decide, the first is named. */
  rules: ReadonlyMap<string, readonly Rule[]>;
  schedules: ReadonlyMap<string, Schedule>;
  doors: ReadonlyMap<string, Door>;
  passages: ReadonlyMap<string, Passage>;
  licences: readonly Licensed[];
}

const byId = <Row extends { id: string }>(rows: readonly Row[]): Map<string, Row> => new Map(rows.map((row) => [row.id, row]));
/** What a value is looked up by. */
export const valueKey = (type: IdentifierType, value: string): string => `${type} ${value}`;
/** Under what a passage is kept. */
export const passageKey = (credentialId: string, area: string): string => `${credentialId} ${area}`;
/** When an identifier last went into or out of an area. */
export const passageOf = (world: World, credentialId: string, area: string): Passage | undefined =>
  world.passages.get(passageKey(credentialId, area));

/** The rules that name a device, by its id. */
function rulesByDevice(rules: readonly Rule[]): Map<string, Rule[]> {
  const found = new Map<string, Rule[]>();
  for (const rule of rules)
    for (const device of rule.devices) {
      const named = found.get(device);
      if (named) named.push(rule);
      else found.set(device, [rule]);
    }
  return found;
}

/** Makes a world of lists. Of two passages through one area the later counts. */
export function worldOf(data: WorldData): World {
  const passages = data.passages.toSorted((one, other) => one.at - other.at);
  return {
    credentials: byId(data.credentials),
    values: new Map(data.credentials.map((credential) => [valueKey(credential.type, credential.value), credential])),
    people: byId(data.people),
    parents: new Map(data.parents.map(({ id, parentId }) => [id, parentId])),
    rules: rulesByDevice(data.rules),
    schedules: byId(data.schedules),
    doors: byId(data.doors),
    passages: new Map(passages.map((passage) => [passageKey(passage.credentialId, passage.area), passage])),
    licences: data.licences,
  };
}

/** The groups that a person is in or below. A tree that is a ring by mistake ends where it began. */
export function lineageOf(world: World, groups: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const group of groups) {
    let at: string | null | undefined = group;
    while (at && !found.has(at)) {
      found.add(at);
      at = world.parents.get(at);
    }
  }
  return found;
}
