import { eq, sql } from 'drizzle-orm';
import type { DenialReason } from '#models/device-events.ts';
import { topics } from '#models/realtime.ts';
import { judge } from '#server/access/decide.ts';
import { worldForQuestion } from '#server/access/load.ts';
import type { Origin } from '#server/access/principal.ts';
import { audit } from '#server/audit.ts';
import type { Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { deviceEvents, deviceTasks, identifiers } from '#server/db/schema/index.ts';
import { devicesConcerned, queueSynchronise } from '#server/devices/copies.ts';
import { queueTask } from '#server/devices/queue.ts';
import { requireReachable, moveTasks, outcomeOf } from '#server/devices/tasks.ts';
import { namesOfDecision } from '#server/devices/presented.ts';
import { HttpError } from '#server/http-error.ts';
import { pathOfDevice, queueWebhook } from '#server/integrations/queue.ts';
import { publish } from '#server/realtime/publish.ts';
import { requireUsable, doorsOfKey, findKey, guestError, type Key, type KeyDoor, passesLeft } from './keys.ts';

/** So long a guest waits for the device's own word, ms. */
const confirmation = 5_000;
const maskLength = 4;

interface Passage {
  id: string;
  type: 'access_granted' | 'access_denied';
  reason: DenialReason | null;
  at: Date;
}
type Decided = Pick<ReturnType<typeof judge>, 'reason' | 'ruleId' | 'scheduleId'>;

/** Webhooks are told of guests as they are of cards. */
async function notifyWebhooks(tx: Db, key: Key, door: KeyDoor, { id, type, reason, at }: Passage): Promise<void> {
  const data = {
    id,
    occurred_at: at.toISOString(),
    device: { id: door.id, name: door.name },
    user: null,
    reason,
    identifier: { type: key.type, ends_with: key.value.slice(-maskLength) },
  };
  await queueWebhook(tx, { projectId: key.projectId, path: pathOfDevice(door.id), kind: 'access', event: type, at, data });
}

/** The access log tells of guests as it does of cards. */
async function log({ db, now }: Services, key: Key, door: KeyDoor, { reason, ruleId, scheduleId }: Decided): Promise<void> {
  const type = reason === null ? 'access_granted' : 'access_denied';
  const at = now();
  await db.transaction(async (tx) => {
    const [row] = await tx
      .insert(deviceEvents)
      .values({
        projectId: key.projectId,
        deviceId: door.id,
        deviceName: door.name,
        type,
        priority: 'low',
        identifierId: key.id,
        identifierType: key.type,
        identifierMask: key.value.slice(-maskLength),
        reason,
        data: { via: 'guest', guest: key.name, ...(await namesOfDecision(tx, key.projectId, { rule: ruleId, schedule: scheduleId })) },
        occurredAt: at,
        createdAt: at,
      })
      .returning({ id: deviceEvents.id });
    if (!row) return;
    for (const area of ['device-events', 'access-control-events'] as const)
      await publish(tx, key.projectId, topics.area(area), 'RowsChanged', { area, ids: [row.id] });
    await notifyWebhooks(tx, key, door, { id: row.id, type, reason, at });
  });
}

async function requireGranted(services: Services, key: Key, door: KeyDoor): Promise<Decided> {
  const at = services.now();
  const question = { projectId: key.projectId, deviceId: door.id, credential: { id: key.id }, at };
  const decided = judge(await worldForQuestion(services, question), { credential: { id: key.id }, deviceId: door.id, at: at.getTime() });
  if (decided.reason === null) return decided;
  await log(services, key, door, decided);
  throw guestError(decided.reason);
}

/** Lists show how many passes are left; a device that reads the code besides is told when the last is gone, or there again. */
async function notifyPasses(tx: Db, { projectId, id }: Key, isTurning: boolean): Promise<void> {
  await publish(tx, projectId, topics.area('guest-identifiers'), 'RowsChanged', { area: 'guest-identifiers', ids: [id] });
  if (isTurning) await queueSynchronise(tx, await devicesConcerned(tx, 'identifiers', [id]));
}

/** Takes a pass: of however many who want the last one, one gets it. Answers how many are left. @throws HttpError `guest_passes_used` */
async function takePass({ db, now }: Services, key: Key): Promise<number | null> {
  return db.transaction(async (tx) => {
    const [taken] = await tx
      .update(identifiers)
      .set({
        passesCount: sql`${identifiers.passesCount} + 1`,
        lastUsedAt: now(),
        firstUsedAt: sql`coalesce(${identifiers.firstUsedAt}, ${now().toISOString()}::timestamptz)`,
      })
      .where(
        sql`${eq(identifiers.id, key.id)} and ${identifiers.isActive} and ${identifiers.revokedAt} is null and ${identifiers.lostAt} is null
          and (not ${identifiers.passesRestrictActive} or ${identifiers.passesCount} < ${identifiers.passesMaxCount})`,
      )
      .returning();
    if (!taken) throw guestError('passes_used');
    await notifyPasses(tx, key, passesLeft(taken) === 0);
    return passesLeft(taken);
  });
}

/** A door that nobody opened takes no pass. `left`: how many there were then. */
const giveBack = ({ db }: Services, key: Key, left: number | null): Promise<void> =>
  db.transaction(async (tx) => {
    await tx
      .update(identifiers)
      .set({ passesCount: sql`greatest(0, ${identifiers.passesCount} - 1)` })
      .where(eq(identifiers.id, key.id));
    await notifyPasses(tx, key, left === 0);
  });

/** Asks the device; answers whether it said that the door is open. @throws HttpError where nothing was sent to it, or it says that it cannot */
async function askDevice(services: Services, key: Key, door: KeyDoor, origin: Origin): Promise<'confirmed' | 'unconfirmed'> {
  const { db, now } = services;
  const id = await db.transaction(async (tx) => {
    const device = await requireReachable(tx, door.id);
    const actor = { projectId: key.projectId, id: key.id, name: key.name, ...origin };
    const changes = { via: { before: null, after: 'guest' } };
    await audit(tx, actor, { area: 'devices', action: 'open_door', entityId: door.id, entityName: device.name, changes }, now());
    const payload = { relay: key.lockNumbers[0] ?? 1, via: 'guest', user: { id: key.id, name: key.name } };
    return queueTask(tx, { projectId: key.projectId, deviceId: door.id, kind: 'open_door', payload, createdBy: null });
  });
  const task = await outcomeOf(services, id, confirmation);
  if (task?.status === 'completed') return 'confirmed';
  await db.transaction((tx) => moveTasks(tx, eq(deviceTasks.id, id), 'task.stop', { finishedAt: now() }, now()));
  if (task?.status === 'started') return 'unconfirmed';
  throw new HttpError('device_unavailable');
}

/**
 * Opens a door for whoever has the key.
 * @throws HttpError `guest_invalid`, `guest_expired`, `guest_passes_used` with the reason; `guest_device_not_found` for a door the key does not
 * open; `guest_device_problem` where the device could not be asked, and no pass is taken then
 */
export async function openAsGuest(
  services: Services,
  token: string,
  deviceId: string,
  origin: Origin,
): Promise<{ outcome: 'confirmed' | 'unconfirmed'; passes_left: number | null }> {
  const key = await findKey(services, token, origin.ip);
  requireUsable(key, services.now());
  const door = (await doorsOfKey(services.db, key)).find(({ id }) => id === deviceId);
  if (!door) throw new HttpError('guest_device_not_found');
  const decided = await requireGranted(services, key, door);
  const left = await takePass(services, key);
  try {
    const outcome = await askDevice(services, key, door, origin);
    if (outcome === 'confirmed') await log(services, key, door, decided);
    return { outcome, passes_left: left };
  } catch (error) {
    await giveBack(services, key, left);
    throw error instanceof HttpError ? new HttpError('guest_device_problem') : error;
  }
}
