import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { AccessExplanation } from '#models/access-calls.ts';
import type { Named } from '#models/define-model.ts';
import type { IdentifierType } from '#models/device-events.ts';
import { storedValue } from '#models/identifier-value.ts';
import type { Principal, Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { accessRules, deviceCopies, devices, elevatorAccessRules, identifiers, schedules, users } from '../db/schema/index.ts';
import { acknowledgedCopy } from '../devices/copies.ts';
import { HttpError } from '../http-error.ts';
import type { Question } from './case.ts';
import { type Decision, decide, judge } from './decide.ts';
import { worldOfCopy } from './device-copy.ts';
import { worldForPage, worldForQuestion } from './load.ts';
import { idArray } from './measures.ts';
import { scopeOf, viewable } from './scope.ts';
import type { World } from './world.ts';

/** Whose access is asked about: one identifier, all of a person, or whatever has this value. */
export type About = { identifier: string } | { user: string } | { type: IdentifierType; value: string };
/** Where and when; `at` in ms since 1970. */
export interface Place {
  device: string;
  at: number;
  lock?: number | undefined;
  floor?: number | undefined;
}

interface Shown {
  id: string;
  name: string;
  type: IdentifierType;
  mask: string;
  owner: Named | null;
}

/** The identifiers that a condition names, those that the principal may see. */
async function seenIdentifiers({ db }: Services, principal: Principal, which: SQL): Promise<Shown[]> {
  const scope = scopeOf(principal);
  const rows = await db
    .select({
      id: identifiers.id,
      name: identifiers.name,
      type: identifiers.type,
      mask: sql<string>`right(${identifiers.value}, 4)`,
      ownerId: users.id,
      ownerName: users.name,
    })
    .from(identifiers)
    .leftJoin(users, and(eq(users.id, identifiers.userId), viewable(scope, 'users')))
    .where(and(which, viewable(scope, 'identifiers')))
    .orderBy(sql`lower(${identifiers.name})`, identifiers.id);
  return rows.map(({ ownerId, ownerName, ...row }) => ({
    ...row,
    owner: ownerId !== null && ownerName !== null ? { id: ownerId, name: ownerName } : null,
  }));
}

/** What rules and schedules are called, those that the principal may see. */
async function namesSeen(db: Db, principal: Principal, ids: readonly string[]): Promise<Map<string, string>> {
  const [scope, wanted] = [scopeOf(principal), idArray(ids)];
  const { rows } = await db.execute<{ id: string; name: string }>(sql`
    select id, name from ${accessRules} where id = any(${wanted}) and ${viewable(scope, 'access-rules')}
    union all select id, name from ${schedules} where id = any(${wanted}) and ${viewable(scope, 'schedules')}
    union all select id, name from ${elevatorAccessRules} where id = any(${wanted}) and ${viewable(scope, 'elevator-access-rules')}`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const iso = (moment: number | null): string | null => (moment === null ? null : new Date(moment).toISOString());

/** A decision in the asker's words: what is out of their sight has no name. */
function explanationOf(decision: Decision, names: ReadonlyMap<string, string>): Omit<AccessExplanation, 'identifier' | 'owner' | 'device'> {
  const ruleOf = (id: string) => ({ id: names.has(id) ? id : null, name: names.get(id) ?? null });
  const scheduleOf = (id: string): Named[] => {
    const name = names.get(id);
    return name === undefined ? [] : [{ id, name }];
  };
  return {
    is_granted: decision.isGranted,
    reason: decision.reason,
    steps: decision.steps.map(({ name, outcome, reason, rules, schedules: named, feature }) => ({
      step: name,
      outcome,
      reason,
      rules: rules.map(ruleOf),
      schedules: named.flatMap(scheduleOf),
      feature,
    })),
    rule: decision.ruleId === null ? null : ruleOf(decision.ruleId),
    schedule: decision.scheduleId === null ? null : (scheduleOf(decision.scheduleId)[0] ?? null),
    until: iso(decision.until),
    next: iso(decision.next),
  };
}

/** What a device holds, and since when; null where nothing is known of it. */
interface Held {
  world: World;
  syncedAt: Date;
  isWaiting: boolean;
}

async function heldBy({ db }: Services, deviceId: string): Promise<Held | null> {
  const copy = await acknowledgedCopy(db, deviceId);
  const [stored] = await db
    .select({
      at: deviceCopies.acknowledgedAt,
      isWaiting: sql<boolean>`exists (select from device_tasks where device_id = ${deviceId} and kind in ('synchronise', 'reinit')
        and status in ('new', 'queued', 'started', 'waiting', 'error') and created_at > ${deviceCopies.acknowledgedAt})`,
    })
    .from(deviceCopies)
    .where(eq(deviceCopies.deviceId, deviceId));
  return copy && stored ? { world: worldOfCopy(copy), syncedAt: stored.at, isWaiting: stored.isWaiting } : null;
}

function saysItself(held: Held | null, question: Question): AccessExplanation['device'] {
  if (!held?.world.doors.has(question.deviceId)) return null;
  const { isGranted, reason } = judge(held.world, question);
  return { is_granted: isGranted, reason, synced_at: held.syncedAt.toISOString(), is_waiting: held.isWaiting };
}

/** A question of each identifier that is asked about, and what is known of it; of a value that nobody has, or nobody in sight, one without. */
async function questionsOf(services: Services, principal: Principal, about: About, place: Place) {
  const { device: deviceId, at, lock, floor } = place;
  const where = { deviceId, at, ...(lock !== undefined && { lock }), ...(floor !== undefined && { floor }) };
  const ofIdentifier = (shown: Shown) => ({ shown, question: { ...where, credential: { id: shown.id } } });
  if ('user' in about) return (await seenIdentifiers(services, principal, eq(identifiers.userId, about.user))).map(ofIdentifier);
  if ('identifier' in about) {
    const [found] = await seenIdentifiers(services, principal, eq(identifiers.id, about.identifier));
    if (!found) throw new HttpError('identifier_not_found');
    return [ofIdentifier(found)];
  }
  const { type } = about;
  const value = storedValue(type, about.value);
  const [found] = await seenIdentifiers(services, principal, sql`${eq(identifiers.type, type)} and ${eq(identifiers.value, value)}`);
  return [found ? ofIdentifier(found) : { shown: null, question: { ...where, credential: { type, value: '' } } }];
}

async function seenDevice({ db }: Services, principal: Principal, id: string): Promise<Named> {
  const [device] = await db
    .select({ id: devices.id, name: devices.name })
    .from(devices)
    .where(and(eq(devices.id, id), viewable(scopeOf(principal), 'devices')));
  if (!device) throw new HttpError('not_found');
  return device;
}

async function requireSeenUser({ db }: Services, principal: Principal, id: string): Promise<void> {
  const [user] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), viewable(scopeOf(principal), 'users')));
  if (!user) throw new HttpError('not_found');
}

/**
 * Why identifiers open a device at a moment, or do not, as far as the principal may see: each with the whole chain, and with what the device itself
 * would do. @throws HttpError `not_found`, `identifier_not_found` for what they may not see
 */
export async function explainAccess(
  services: Services,
  principal: Principal,
  about: About,
  place: Place,
): Promise<{ device: Named; explanations: AccessExplanation[] }> {
  const { projectId } = principal;
  const device = await seenDevice(services, principal, place.device);
  if ('user' in about) await requireSeenUser(services, principal, about.user);
  const asked = await questionsOf(services, principal, about, place);
  const [first] = asked;
  if (!first) return { device, explanations: [] };
  const around = { projectId, at: new Date(place.at) };
  const world = await ('user' in about
    ? worldForPage(services, { ...around, people: [about.user], devices: [device.id] })
    : worldForQuestion(services, { ...around, deviceId: device.id, credential: first.question.credential }));
  const decided = asked.map(({ shown, question }) => ({ shown, question, decision: decide(world, question) }));
  const deciding = decided.flatMap(({ decision }) => decision.steps.flatMap(({ rules, schedules: named }) => [...rules, ...named]));
  const names = await namesSeen(services.db, principal, [...new Set(deciding)]);
  const held = await heldBy(services, device.id);
  const explanations = decided.map(({ shown, question, decision }) => ({
    identifier: shown && { id: shown.id, name: shown.name, type: shown.type, mask: shown.mask },
    owner: shown?.owner ?? null,
    ...explanationOf(decision, names),
    device: saysItself(held, question),
  }));
  return { device, explanations };
}
