import { and, asc, eq, ne, sql } from 'drizzle-orm';
import { hasDoor } from '#models/device-models.ts';
import type { DeviceSettings } from '#models/device-settings.ts';
import { type ConciergeDevice, deviceCodes } from '#models/devices.ts';
import { holds, mayAct } from '#models/permissions.ts';
import { reached, sightOf, viewable } from '#server/access/scope.ts';
import { audit } from '#server/audit.ts';
import { pathTo } from '#server/crud/group-path.ts';
import type { Principal, Services } from '#server/context.ts';
import { calls, devices, sipNumbers } from '#server/db/schema/index.ts';
import { openDoor } from '#server/devices/doors.ts';
import { HttpError } from '#server/http-error.ts';
import { doorOpenedInCall } from '#server/telephony/calls/doors.ts';
import { ownNumbers, reachable } from '../calls/sight.ts';

/** Whether a camera was put to a device. */
function hasCamera(settings: Record<string, unknown>): boolean {
  const { enabled = false, integration = null } = (settings['integration_axxon'] ?? {}) as Partial<DeviceSettings['integration_axxon']>;
  return enabled && integration !== null;
}

/** The doors one may open, by name, each with its token; none for those who may open none. One without a protocol hears nobody. */
export async function doorsOf({ db }: Services, principal: Principal): Promise<ConciergeDevice[]> {
  if (!mayAct(principal, 'openDoors')) return [];
  const sight = sightOf(principal);
  const rows = await db
    .select({ device: devices, number: sipNumbers.number, path: sql<string[]>`${pathTo(sight, devices.domainId)}` })
    .from(devices)
    .leftJoin(sipNumbers, and(eq(sipNumbers.deviceId, devices.id), eq(sipNumbers.isActive, true)))
    .where(and(viewable(sight, 'devices'), ne(devices.protocol, 'none')))
    .orderBy(asc(sql`lower(${devices.name})`), devices.id);
  const told = holds(principal, deviceCodes.status);
  return rows
    .filter(({ device }) => hasDoor(device))
    .map(({ device: { id, token, name, type, online, settings }, number, path }) => ({
      id,
      token,
      name,
      type: type as ConciergeDevice['type'],
      status: !told || online === null ? null : online ? 'online' : 'offline',
      sip_number: number === null ? null : { number },
      path,
      has_camera: hasCamera(settings),
    }));
}

/** Devices one may give others access to: those one may edit, by name. */
export async function permittedDevices({ db }: Services, principal: Principal): Promise<{ id: string; name: string }[]> {
  const rows = await db
    .select({ id: devices.id, name: devices.name, type: devices.type, model: devices.model })
    .from(devices)
    .where(and(viewable(sightOf(principal), 'devices'), reached(principal, 'edit', 'devices')))
    .orderBy(asc(sql`lower(${devices.name})`), devices.id);
  return rows.filter(hasDoor).map(({ id, name }) => ({ id, name }));
}

/** During which call a door is opened, and why. */
interface During {
  speechId?: string | null | undefined;
  reason?: string | null | undefined;
}

/** The call a door is opened in, if the principal may act on it: nobody's act is put down to a call of others. */
async function callInReach(services: Services, principal: Principal, speechId: string): Promise<string | null> {
  const [call] = await services.db
    .select({ id: calls.id })
    .from(calls)
    .where(and(eq(calls.id, speechId), reachable(principal, await ownNumbers(services, principal))));
  return call?.id ?? null;
}

/**
 * Opens the door whose token this is, for somebody who may see it and may open doors; whatever else is refused and on record.
 * @throws HttpError `not_found` for a token that opens nothing in sight, `forbidden`
 */
export async function openByToken(
  services: Services,
  principal: Principal,
  token: string,
  { speechId, reason }: During = {},
): Promise<'confirmed' | 'unconfirmed'> {
  const { db } = services;
  const [device] = await db
    .select({ id: devices.id, name: devices.name, type: devices.type, model: devices.model, protocol: devices.protocol })
    .from(devices)
    .where(and(eq(devices.token, token), viewable(sightOf(principal), 'devices')));
  const refuse = async (code: 'not_found' | 'forbidden'): Promise<never> => {
    const changes = { verb: { before: null, after: 'open_door' } };
    await audit(
      db,
      principal,
      { area: 'devices', action: 'refused', entityId: device?.id ?? null, entityName: device?.name ?? null, changes },
      services.now(),
    );
    throw new HttpError(code);
  };
  if (!device) return refuse('not_found');
  if (!mayAct(principal, 'openDoors') || !hasDoor(device)) return refuse('forbidden');
  if (device.protocol === 'none') throw new HttpError('device_protocol_none');
  const callId = speechId ? await callInReach(services, principal, speechId) : null;
  const outcome = await openDoor(services, device.id, principal, callId ?? 'console', reason ?? null);
  if (callId !== null && outcome === 'confirmed') await doorOpenedInCall(services, callId, device.id, principal.name);
  return outcome;
}
