import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { DeviceEventType } from '#models/device-events.ts';
import { accessEventTypes } from '#models/access-control-events.ts';
import { isNumbered, storedNumber } from '#models/identifier-value.ts';
import { topics } from '#models/realtime.ts';
import { lengthOf } from '#models/time.ts';
import type { Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { deviceEvents, devices, deviceTasks, users } from '../db/schema/index.ts';
import { pathOfDevice, queueWebhook } from '../integrations/queue.ts';
import { clearAlarm, raiseAlarm, recordSos } from '../modules/device-alarms/alarms.ts';
import { notify } from '../modules/notifications/notify.ts';
import { publish } from '../realtime/publish.ts';
import { doorOpenedAt } from '../telephony/calls/doors.ts';
import { repairCopy } from './copies.ts';
import { elevatorThen } from './elevator-said.ts';
import { storeCard } from './enrolments.ts';
import { savePicture } from './event-pictures.ts';
import { countUse, decidedBy, type Presented, presented } from './presented.ts';
import { silenceOf } from './presence.ts';
import type { Said, Reporter } from './said.ts';
import type { DeviceStatus } from './protocol.ts';
import { seal } from './secrets.ts';
import { spokenProtocol } from './tasks.ts';

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

/** Who asked a device for what it now tells of. */
async function requesterOf({ db }: Services, { id }: Reporter, request: string | undefined): Promise<{ id: string; name: string } | null> {
  if (!z.uuid().safeParse(request).success) return null;
  const [requester] = await db
    .select({ id: users.id, name: users.name })
    .from(deviceTasks)
    .innerJoin(users, eq(users.id, deviceTasks.createdBy))
    .where(and(eq(deviceTasks.id, String(request)), eq(deviceTasks.deviceId, id)));
  return requester ?? null;
}

/** The number of a card that nobody has, sealed: whoever may add identifiers can add it from the log. */
function unknownNumber(services: Services, { reason, identifier }: Said): string | undefined {
  if (reason !== 'unknown_identifier' || !identifier || !isNumbered(identifier.type)) return undefined;
  const number = storedNumber(identifier.value, 'hex');
  return number === null ? undefined : seal(services, number);
}

/** Whether the device asked for the pass before it opened: it was counted then. */
const hasPass = ({ data }: Said): boolean => typeof data?.['pass'] === 'string';

/** Keeps an event of a device, and what follows from it: a pass is counted, the owner of an identifier is told. */
export async function storeEvent(
  services: Services,
  device: Reporter,
  said: Said,
  user?: { id: string; name: string } | null,
): Promise<string | null> {
  return services.db.transaction(async (tx) => {
    const now = services.now();
    const at = momentOf(said.at, now);
    const known = await presented({ ...services, db: tx }, device, said, at);
    const reason = known?.reason ?? said.reason ?? null;
    const owner = user ?? known?.owner ?? null;
    const used = known && said.event === 'access_granted' ? await countUse(tx, known.id, { isTaken: hasPass(said), at }) : {};
    const ofElevator = await elevatorThen(tx, device, said);
    const [row] = await tx
      .insert(deviceEvents)
      .values({
        ...(await columnsOf(services, tx, device, said)),
        ...(owner && { userId: owner.id, userName: owner.name }),
        identifierId: known?.id ?? null,
        reason,
        data: {
          ...said.data,
          ...(await decidedBy(tx, device, said)),
          ...ofElevator,
          ...used,
          ...(said.request && { request: said.request }),
          guest: known?.guest ?? undefined,
          sealed: known ? undefined : unknownNumber(services, said),
        },
        occurredAt: at,
        createdAt: now,
      })
      .returning({ id: deviceEvents.id });
    if (row) await publishEvent(tx, device.projectId, said.event, row.id, 'elevator' in ofElevator);
    if (known) await notifyOwner(tx, device, said, { ...known, reason }, now);
    if (row) await notifyWebhooks(tx, device, said, { id: row.id, at, reason, user: owner });
    return row?.id ?? null;
  });
}

/** What an event says whoever it is about. */
async function columnsOf(services: Services, tx: Db, device: Reporter, { event, identifier, picture }: Said) {
  return {
    projectId: device.projectId,
    deviceId: device.id,
    deviceName: device.name,
    type: event,
    priority: priorities[event] ?? 'low',
    identifierType: identifier?.type ?? null,
    identifierMask: identifier ? maskOf(identifier.value) : null,
    imageFile: picture === undefined ? null : await savePicture(services, tx, device, picture),
  } as const;
}

/** An event stands in the log of devices; if it is about passing a door in the access log too, and in that of elevators if it is about one. */
async function publishEvent(tx: Db, projectId: string, type: DeviceEventType, id: string, isOfElevator: boolean): Promise<void> {
  const isPassage = (accessEventTypes as readonly DeviceEventType[]).includes(type);
  const others = [...(isPassage ? (['access-control-events'] as const) : []), ...(isOfElevator ? (['elevator-events'] as const) : [])];
  for (const area of ['device-events', ...others] as const) await publish(tx, projectId, topics.area(area), 'RowsChanged', { area, ids: [id] });
}

interface Stored {
  id: string;
  at: Date;
  reason: string | null;
  user: { id: string; name: string } | null;
}
/** What passes a door is told as access, all else as an event of the device. */
async function notifyWebhooks(tx: Db, device: Reporter, { event, identifier }: Said, { id, at, reason, user }: Stored): Promise<void> {
  const kind = (accessEventTypes as readonly DeviceEventType[]).includes(event) ? 'access' : 'device_events';
  const data = {
    id,
    occurred_at: at.toISOString(),
    device: { id: device.id, name: device.name },
    user,
    reason,
    identifier: identifier ? { type: identifier.type, ends_with: maskOf(identifier.value) } : null,
  };
  await queueWebhook(tx, { projectId: device.projectId, path: pathOfDevice(device.id), kind, event, at, data });
}

/** Whoever an identifier belongs to hears that it was used, and that somebody tried one which was revoked. */
async function notifyOwner(
  tx: Db,
  { id, name, projectId }: Reporter,
  { event, identifier }: Said,
  { owner, reason }: Presented,
  at: Date,
): Promise<void> {
  const used = event === 'access_granted';
  if (!owner || (!used && reason !== 'revoked')) return;
  const type = used ? 'user_used_identifier_on_device' : 'user_used_revoked_identifier';
  const data = { device: { id, name }, user: owner, ...(identifier && { identifier: maskOf(identifier.value) }) };
  await notify(tx, { projectId, type, data, at }, [owner.id]);
}

/** Takes in what a device says besides signs of life. */
export async function takeIn(services: Services, device: Reporter, said: DeviceStatus): Promise<void> {
  switch (said.type) {
    case 'event':
      await storeEvent(services, device, said, await requesterOf(services, device, said.request));
      // Nobody at a console asked for it: a key pressed in a call did.
      if (said.event === 'opened_remotely' && !said.request) await doorOpenedAt(services, device.id);
      return;
    case 'alarm': {
      const at = momentOf(said.at, services.now());
      const word = { deviceId: device.id, sensor: said.sensor, at };
      if (said.state === 'enabled') await raiseAlarm(services, word);
      else await clearAlarm(services, word);
      await storeEvent(services, device, { type: 'event', event: 'alarm', at: said.at, data: { sensor: said.sensor, state: said.state } });
      return;
    }
    case 'sos':
      await recordSos(services, { deviceId: device.id, at: momentOf(said.at, services.now()) });
      await storeEvent(services, device, { type: 'event', event: 'sos', at: said.at });
      return;
    case 'online':
      return said.copy === undefined ? undefined : repairCopy(services, device, said.copy);
    case 'presented':
      return storeCard(services, device, said);
    case 'offline':
    case 'heartbeat':
    case 'pass':
      return;
    default:
      throw new Error(`a device said something unknown: ${JSON.stringify(said satisfies never)}`);
  }
}

/** A device by its serial number, and how it is heard. */
export async function deviceBySerial({ db }: Services, serial: string): Promise<(Reporter & { protocol: string; silence: number }) | null> {
  const [device] = await db
    .select({ id: devices.id, projectId: devices.projectId, name: devices.name, protocol: spokenProtocol, silence: silenceOf.mapWith(Number) })
    .from(devices)
    .where(sql`lower(${devices.login}) = ${serial.toLowerCase()}`);
  return device ?? null;
}
