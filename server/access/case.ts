import type { AccessFeature } from '#models/access-calls.ts';
import { holdsAt } from '#models/schedule-times.ts';
import type { IdentifierType } from '#models/device-events.ts';
import { type Credential, type Door, type Licensed, lineageOf, passageOf, type Person, type Rule, valueKey, type World } from './world.ts';

/** May this identifier open this device at this moment (ms since 1970)? `lock`, and `floor` at a lift: without one, any of the device. */
export interface Question {
  credential: { id: string } | { type: IdentifierType; value: string };
  deviceId: string;
  at: number;
  lock?: number;
  floor?: number;
}

/** A question with what the world holds for it. */
export interface Case {
  world: World;
  door: Door;
  at: number;
  credential: Credential | undefined;
  /** Undefined: the identifier is nobody's, or unknown. */
  owner: Person | undefined;
  /** Rules that name the device and reach the identifier, in the world's order. */
  permitting: readonly Rule[];
  prohibiting: readonly Rule[];
}

const found = ({ credentials, values }: World, { credential }: Question): Credential | undefined =>
  'id' in credential ? credentials.get(credential.id) : values.get(valueKey(credential.type, credential.value));

/** Whether a rule that names a device counts there: at a lift rules permit floors, and a prohibition of the lift itself counts too. */
export function concerns(rule: Rule, { isLift }: Door, floor: number | undefined): boolean {
  if (rule.floors === null) return !isLift || rule.isProhibition;
  return isLift && rule.floors.size > 0 && (floor === undefined || rule.floors.has(floor));
}

/** Puts a question to a world. @throws Error for a device that is not in it */
export function caseOf(world: World, question: Question): Case {
  const { deviceId, at, floor, lock } = question;
  const door = world.doors.get(deviceId);
  if (!door) throw new Error(`the device ${deviceId} is not in this world`);
  const credential = found(world, question);
  if (!credential) return { world, door, at, credential, owner: undefined, permitting: [], prohibiting: [] };
  const owner = credential.ownerId === null ? undefined : world.people.get(credential.ownerId);
  const groups = [...lineageOf(world, owner?.groups ?? [])];
  const reaches = ({ identifiers, users, groups: named }: Rule): boolean =>
    identifiers.has(credential.id) || (owner !== undefined && users.has(owner.id)) || groups.some((group) => named.has(group));
  const isForLock = lock === undefined || credential.locks.length === 0 || credential.locks.includes(lock);
  const reaching = (world.rules.get(deviceId) ?? []).filter((rule) => concerns(rule, door, floor) && reaches(rule));
  return {
    world,
    door,
    at,
    credential,
    owner,
    permitting: reaching.filter((rule) => isForLock && !rule.isProhibition),
    prohibiting: reaching.filter((rule) => rule.isProhibition),
  };
}

/** What must be licensed for an identifier to open anything. */
export function featuresNeeded({ type, isGuest }: Credential): AccessFeature[] {
  return [
    ...(type === 'license_plate' ? (['licensePlate'] as const) : []),
    ...(type === 'ukey2' ? (['ukey2'] as const) : []),
    ...(isGuest ? (['guests'] as const) : []),
    ...(isGuest && type === 'face' ? (['guestFaces'] as const) : []),
  ];
}
/** What is licensed where the identifier belongs. */
export const licencesOf = ({ world, owner }: Case): readonly Licensed[] => owner?.licences ?? world.licences;

/** Until when an entry stands against another; null: nothing stands against it, Infinity: it is never forgiven. */
export function barredUntil({ world, door, credential, at }: Case): number | null {
  const { antiPassback } = door;
  if (!credential || antiPassback?.way !== 'in') return null;
  const last = passageOf(world, credential.id, antiPassback.area);
  if (last?.way !== 'in' || last.at > at) return null;
  const until = antiPassback.forgivenAfter === null ? Infinity : last.at + antiPassback.forgivenAfter;
  return at < until ? until : null;
}

/** A rule with the schedule by which it holds; null where it holds at any time. */
export interface Holding {
  rule: Rule;
  schedule: string | null;
}

/** The rules that hold at the moment of the question, each by the first schedule that does. A schedule is read once, however many rules name it. */
export function holdingOf({ world, door, at }: Case, rules: readonly Rule[]): Holding[] {
  const known = new Map<string, boolean>();
  const holds = (id: string): boolean => {
    const schedule = world.schedules.get(id);
    const answer = known.get(id) ?? (schedule !== undefined && holdsAt(schedule, door.zone, door.holidays, at));
    known.set(id, answer);
    return answer;
  };
  return rules.flatMap((rule): Holding[] => {
    if (rule.schedules.length === 0) return [{ rule, schedule: null }];
    const schedule = rule.schedules.find(holds);
    return schedule === undefined ? [] : [{ rule, schedule }];
  });
}
