import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { caseOf, featuresNeeded } from './case.ts';
import type { Credential, Door, Licensed, Passage, Rule, Schedule, World } from './world.ts';
import { worldOf } from './world.ts';

/** An identifier as a device keeps it: with what is known of its owner, and the rules of the device that reach it. */
export interface CopiedCredential extends Omit<Credential, 'ownerId'> {
  /** Null: nobody's. */
  ownerIsActive: boolean | null;
  isBarredFromLifts: boolean;
  licences: readonly Licensed[];
  rules: readonly string[];
}
/** A rule as a device keeps it: whom it reaches stands at the identifiers. */
export interface CopiedRule {
  id: string;
  isProhibition: boolean;
  schedules: readonly string[];
  floors: readonly number[] | null;
}

/** All that a device knows to decide alone; the version stands for the whole of it. */
export interface DeviceCopy {
  version: string;
  door: Door;
  /** In the order in which they are named where several decide. */
  rules: readonly CopiedRule[];
  schedules: readonly Schedule[];
  credentials: readonly CopiedCredential[];
}

/** Text that is the same for the same things, whatever the order of their keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );

/** An identifier as its version is reckoned: how many of its passes are used changes at every door, that all are changes what it opens. */
const withoutCount = ({ passes, ...rest }: CopiedCredential) => ({
  ...rest,
  passes: passes && { max: passes.max, isSpent: passes.count >= passes.max },
});

function versionOf({ credentials, ...rest }: Omit<DeviceCopy, 'version'>): string {
  const hash = createHash('sha256').update(canonical({ ...rest, credentials: credentials.map(withoutCount) }));
  return hash.digest('base64url').slice(0, 22);
}

const inOrder = <Item extends { id: string }>(items: readonly Item[]): Item[] => items.toSorted((one, other) => (one.id < other.id ? -1 : 1));

function copiedCredential(world: World, credential: Credential, deviceId: string): CopiedCredential | null {
  const { owner, permitting, prohibiting } = caseOf(world, { credential: { id: credential.id }, deviceId, at: 0 });
  if (permitting.length === 0) return null;
  const { ownerId, ...own } = credential;
  const needed = featuresNeeded(credential);
  return {
    ...own,
    ownerIsActive: ownerId === null ? null : (owner?.isActive ?? false),
    isBarredFromLifts: owner?.isBarredFromLifts ?? false,
    licences: (owner?.licences ?? world.licences).filter(({ feature }) => needed.includes(feature)),
    rules: [...permitting, ...prohibiting].map(({ id }) => id).toSorted(),
  };
}

/**
 * What a device is told: the identifiers that some rule lets in there, at whatever time, those too that are revoked, lost or used up, so that the
 * device can say why it refuses. @throws Error for a device that is not in the world
 */
export function copyFor(world: World, deviceId: string): DeviceCopy {
  const door = world.doors.get(deviceId);
  if (!door) throw new Error(`the device ${deviceId} is not in this world`);
  const credentials = inOrder([...world.credentials.values()].flatMap((credential) => copiedCredential(world, credential, deviceId) ?? []));
  const reaching = new Set(credentials.flatMap(({ rules }) => rules));
  const rules = (world.rules.get(deviceId) ?? [])
    .filter(({ id }) => reaching.has(id))
    .map(({ id, isProhibition, schedules, floors }) => ({ id, isProhibition, schedules, floors: floors && [...floors].toSorted((a, b) => a - b) }));
  const named = [...new Set(rules.flatMap(({ schedules }) => schedules))];
  const schedules = inOrder(named.flatMap((id) => world.schedules.get(id) ?? []));
  const copy = { door, rules, schedules, credentials };
  return { version: versionOf(copy), ...copy };
}

/** The world as a device sees it: every identifier has an owner of its own, of whom nothing more is known. `passages`: those the device remembers. */
export function worldOfCopy({ door, rules, schedules, credentials }: DeviceCopy, passages: readonly Passage[] = []): World {
  const reached = new Map(rules.map(({ id }) => [id, new Set<string>()]));
  for (const credential of credentials) for (const id of credential.rules) reached.get(id)?.add(credential.id);
  return worldOf({
    doors: [door],
    schedules,
    passages,
    parents: [],
    licences: [],
    people: credentials.map(({ id, ownerIsActive, isBarredFromLifts, licences }) => ({
      id,
      isActive: ownerIsActive ?? true,
      isBarredFromLifts,
      groups: [],
      licences,
    })),
    credentials: credentials.map(({ ownerIsActive: _active, isBarredFromLifts: _barred, licences: _licences, rules: _rules, ...own }) => ({
      ...own,
      ownerId: own.id,
    })),
    rules: rules.map(({ id, isProhibition, schedules: named, floors }): Rule => ({
      id,
      isProhibition,
      devices: new Set([door.id]),
      schedules: named,
      users: new Set(),
      identifiers: reached.get(id) ?? new Set(),
      groups: new Set(),
      floors: floors && new Set(floors),
    })),
  });
}

/** What leads from one copy to another: what is gone, and what is new or otherwise, by id. */
export interface CopyChange {
  from: string;
  to: string;
  /** Done first: a door must not stay open for somebody because there was no time for the rest. */
  removed: { credentials: readonly string[]; rules: readonly string[]; schedules: readonly string[] };
  put: { credentials: readonly CopiedCredential[]; rules: readonly CopiedRule[]; schedules: readonly Schedule[] };
  /** Ids of all rules in their order. */
  order: readonly string[];
  door: Door;
}

type Items = readonly { id: string }[];
const goneFrom = (before: Items, after: Items): string[] => {
  const left = new Set(after.map(({ id }) => id));
  return before.flatMap(({ id }) => (left.has(id) ? [] : [id]));
};
function changedIn<Item extends { id: string }>(before: readonly Item[], after: readonly Item[]): Item[] {
  const known = new Map(before.map((item) => [item.id, item]));
  // A tenth of the time that comparing their texts takes.
  return after.filter((item) => !isDeepStrictEqual(known.get(item.id), item));
}

/** The difference between what a device has and what it shall have. */
export function changeBetween(before: DeviceCopy, after: DeviceCopy): CopyChange {
  return {
    from: before.version,
    to: after.version,
    removed: {
      credentials: goneFrom(before.credentials, after.credentials),
      rules: goneFrom(before.rules, after.rules),
      schedules: goneFrom(before.schedules, after.schedules),
    },
    put: {
      credentials: changedIn(before.credentials, after.credentials),
      rules: changedIn(before.rules, after.rules),
      schedules: changedIn(before.schedules, after.schedules),
    },
    order: after.rules.map(({ id }) => id),
    door: after.door,
  };
}

function applied<Item extends { id: string }>(have: readonly Item[], removed: readonly string[], put: readonly Item[]): Map<string, Item> {
  const items = new Map(have.map((item) => [item.id, item]));
  for (const id of removed) items.delete(id);
  for (const item of put) items.set(item.id, item);
  return items;
}

/** Takes a change in; null where it does not begin with what is had. */
export function withChange(have: DeviceCopy, change: CopyChange): DeviceCopy | null {
  if (have.version !== change.from) return null;
  const { removed, put, order, door, to } = change;
  const rules = applied(have.rules, removed.rules, put.rules);
  return {
    version: to,
    door,
    rules: order.flatMap((id) => rules.get(id) ?? []),
    schedules: inOrder([...applied(have.schedules, removed.schedules, put.schedules).values()]),
    credentials: inOrder([...applied(have.credentials, removed.credentials, put.credentials).values()]),
  };
}
