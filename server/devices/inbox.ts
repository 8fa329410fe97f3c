import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { DeviceEventType } from '#models/device-events.ts';
import { accessEventTypes } from '#models/access-control-events.ts';
import { topics } from '#models/realtime.ts';
import { lengthOf } from '#models/time.ts';
import type { Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { deviceEvents, devices, deviceTasks, groups, identifiers, userDomains, users } from '../db/schema/index.ts';
import { clearAlarm, raiseAlarm, recordSos } from '../modules/device-alarms/alarms.ts';
import { notify } from '../modules/notifications/notify.ts';
import { publish } from '../realtime/publish.ts';
import { doorOpenedAt } from '../telephony/calls/doors.ts';
import { keepPicture } from './event-pictures.ts';
import { silenceOf } from './presence.ts';
import type { DeviceStatus } from './protocol.ts';
import { spokenProtocol } from './tasks.ts';

/** A device as events are kept of it. */
export interface Teller {
  id: string;
  projectId: string;
  name: string;
}
type Said = Extract<DeviceStatus, { type: 'event' }>;
type Priority = typeof deviceEvents.$inferInsert.priority;

const priorities: Partial<Record<DeviceEventType, Priority>> = {
  door_forced: 'critical',
  sos: 'critical',
  alarm: 'critical',
  tampered: 'high',
  door_held: 'high',
  access_denied: 'medium',
  offline: 'medium',
  call_missed: 'medium',
  rebooted: 'medium',
};
const maskOf = (value: string): string => value.slice(-4);
/** A device whose clock is far off would put its events where nobody looks. */
const skew = lengthOf(1, 'day');
const momentOf = (said: string, now: Date): Date => {
  const at = new Date(said);
  return Math.abs(at.getTime() - now.getTime()) > skew ? now : at;
};

/** An identifier as the server knows it, and whose it is. */
interface Presented {
  id: string;
  owner: { id: string; name: string };
  /** Why it does not open, as far as the server knows better than the device; null where it does not. */
  reason: Said['reason'] | null;
}

/**
 * What was presented, and who stands behind it. A device knows only what it was sent: of an identifier that it calls
 * unknown the server may know that it was revoked or blocked, or belongs to somebody who has no business there.
 */
async function presented(tx: Db, { id: deviceId, projectId }: Teller, { identifier, reason }: Said): Promise<Presented | null> {
  if (!identifier) return null;
  const which = identifier.id
    ? eq(identifiers.id, identifier.id)
    : and(eq(identifiers.type, identifier.type), eq(identifiers.value, identifier.value), sql`${reason} = 'unknown_identifier'`);
  const livesThere = sql<boolean>`exists (select from ${userDomains} join ${groups} on ${groups.id} = ${userDomains.groupId}
    where ${userDomains.userId} = ${users.id} and (select ${devices.domainId} from ${devices} where ${devices.id} = ${deviceId}) = any(${groups.path}))`;
  const [found] = await tx
    .select({
      id: identifiers.id,
      owner: { id: users.id, name: users.name },
      isActive: identifiers.isActive,
      revokedAt: identifiers.revokedAt,
      livesThere,
    })
    .from(identifiers)
    .innerJoin(users, eq(users.id, identifiers.userId))
    .where(and(which, eq(identifiers.projectId, projectId)));
  if (!found) return null;
  const { id, owner, isActive, revokedAt } = found;
  const known = revokedAt ? 'revoked' : isActive ? null : 'blocked';
  return { id, owner, reason: identifier.id ? null : (known ?? (found.livesThere ? null : 'no_rule')) };
}

/** Who asked a device for what it now tells of. */
async function requesterOf({ db }: Services, { id }: Teller, request: string | undefined): Promise<{ id: string; name: string } | null> {
  if (!z.uuid().safeParse(request).success) return null;
  const [requester] = await db
    .select({ id: users.id, name: users.name })
    .from(deviceTasks)
    .innerJoin(users, eq(users.id, deviceTasks.createdBy))
    .where(and(eq(deviceTasks.id, String(request)), eq(deviceTasks.deviceId, id)));
  return requester ?? null;
}

/** Keeps an event of a device, and what follows from it: a pass is counted, the owner of an identifier is told. */
export async function keepEvent(services: Services, device: Teller, said: Said, user?: { id: string; name: string } | null): Promise<string | null> {
  return services.db.transaction(async (tx) => {
    const now = services.now();
    const known = await presented(tx, device, said);
    const person = user ?? known?.owner;
    const reason = known?.reason ?? said.reason ?? null;
    const imageFile = said.picture === undefined ? null : await keepPicture(services, tx, device, said.picture);
    const [row] = await tx
      .insert(deviceEvents)
      .values({
        projectId: device.projectId,
        deviceId: device.id,
        deviceName: device.name,
        type: said.event,
        priority: priorities[said.event] ?? 'low',
        userId: person?.id ?? null,
        userName: person?.name ?? null,
        identifierType: said.identifier?.type ?? null,
        identifierMask: said.identifier ? maskOf(said.identifier.value) : null,
        reason,
        data: { ...said.data, ...(said.request && { request: said.request }) },
        imageFile,
        occurredAt: momentOf(said.at, now),
        createdAt: now,
      })
      .returning({ id: deviceEvents.id });
    if (row) await publishEvent(tx, device.projectId, said.event, row.id);
    if (known) await tellOwner(tx, device, said, { ...known, reason }, now);
    return row?.id ?? null;
  });
}

/** An event stands in the log of devices, and if it is about passing a door in the access log too. */
async function publishEvent(tx: Db, projectId: string, type: DeviceEventType, id: string): Promise<void> {
  const isPassage = (accessEventTypes as readonly DeviceEventType[]).includes(type);
  for (const area of ['device-events', ...(isPassage ? (['access-control-events'] as const) : [])] as const)
    await publish(tx, projectId, topics.area(area), 'RowsChanged', { area, ids: [id] });
}

/** Whoever an identifier belongs to hears that it was used, and that somebody tried one which was revoked. */
async function tellOwner(
  tx: Db,
  { id, name, projectId }: Teller,
  { event, identifier }: Said,
  { id: identifierId, owner, reason }: Presented,
  at: Date,
): Promise<void> {
  const used = event === 'access_granted';
  if (used)
    await tx
      .update(identifiers)
      .set({ passesCount: sql`${identifiers.passesCount} + 1` })
      .where(eq(identifiers.id, identifierId));
  if (!used && reason !== 'revoked') return;
  const type = used ? 'user_used_identifier_on_device' : 'user_used_revoked_identifier';
  const data = { device: { id, name }, user: owner, ...(identifier && { identifier: maskOf(identifier.value) }) };
  await notify(tx, { projectId, type, data, at }, [owner.id]);
}

/** Takes in what a device says besides signs of life. */
export async function takeIn(services: Services, device: Teller, said: DeviceStatus): Promise<void> {
  switch (said.type) {
    case 'event':
      await keepEvent(services, device, said, await requesterOf(services, device, said.request));
      // Nobody at a console asked for it: a key pressed in a call did.
      if (said.event === 'opened_remotely' && !said.request) await doorOpenedAt(services, device.id);
      return;
    case 'alarm': {
      const at = momentOf(said.at, services.now());
      const word = { deviceId: device.id, sensor: said.sensor, at };
      if (said.state === 'enabled') await raiseAlarm(services, word);
      else await clearAlarm(services, word);
      await keepEvent(services, device, { type: 'event', event: 'alarm', at: said.at, data: { sensor: said.sensor, state: said.state } });
      return;
    }
    case 'sos':
      await recordSos(services, { deviceId: device.id, at: momentOf(said.at, services.now()) });
      await keepEvent(services, device, { type: 'event', event: 'sos', at: said.at });
      return;
    case 'online':
    case 'offline':
    case 'heartbeat':
      return;
    default:
      throw new Error(`a device said something unknown: ${JSON.stringify(said satisfies never)}`);
  }
}

/** A device by its serial number, and how it is heard. */
export async function deviceBySerial({ db }: Services, serial: string): Promise<(Teller & { protocol: string; silence: number }) | null> {
  const [device] = await db
    .select({ id: devices.id, projectId: devices.projectId, name: devices.name, protocol: spokenProtocol, silence: silenceOf.mapWith(Number) })
    .from(devices)
    .where(sql`lower(${devices.login}) = ${serial.toLowerCase()}`);
  return device ?? null;
}
