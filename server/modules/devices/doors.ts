import { and, asc, eq, inArray, ne, or, type SQL, sql } from 'drizzle-orm';
import { hasDoor } from '#models/device-models.ts';
import type { DeviceSettings } from '#models/device-settings.ts';
import { type ConciergeDevice, deviceCodes } from '#models/devices.ts';
import { hasPermission, mayAct } from '#models/permissions.ts';
import { inVerbScope, type ViewScope, scopeOf, viewable } from '#server/access/scope.ts';
import { audit } from '#server/audit.ts';
import { pathTo } from '#server/crud/group-path.ts';
import type { Principal, Services } from '#server/context.ts';
import { calls, devices, sipNumbers } from '#server/db/schema/index.ts';
import { openDoor } from '#server/devices/doors.ts';
import { HttpError } from '#server/http-error.ts';
import { doorOpenedInCall } from '#server/telephony/calls/doors.ts';
import { ownNumbers, reachable } from '../calls/scope.ts';
import { ownDoors } from './own-doors.ts';

/** Whether a camera was put to a device. */
function hasCamera(settings: Record<string, unknown>): boolean {
  const { enabled = false, integration = null } = (settings['integration_axxon'] ?? {}) as Partial<DeviceSettings['integration_axxon']>;
  return enabled && integration !== null;
}

const seenBy = (scope: ViewScope) => sql<boolean>`coalesce(${viewable(scope, 'devices')}, false)`;
/** The doors that one may open by what one may do: those in sight. */
const openedByRight = (principal: Principal): SQL => (mayAct(principal, 'openDoors') ? seenBy(scopeOf(principal)) : sql`false`);

/** The doors one may open now, by name, each with its token: by right, or as one's own identifiers would. One without a protocol hears nobody. */
export async function doorsOf(services: Services, principal: Principal): Promise<ConciergeDevice[]> {
  const scope = scopeOf(principal);
  const own = await ownDoors(services, principal);
  const rows = await services.db
    .select({ device: devices, number: sipNumbers.number, path: sql<string[] | null>`${pathTo(scope, devices.domainId)}`, isSeen: seenBy(scope) })
    .from(devices)
    .leftJoin(sipNumbers, and(eq(sipNumbers.deviceId, devices.id), eq(sipNumbers.isActive, true)))
    .where(and(or(openedByRight(principal), inArray(devices.id, own)), ne(devices.protocol, 'none')))
    .orderBy(asc(sql`lower(${devices.name})`), devices.id);
  const seesStatus = hasPermission(principal, deviceCodes.status);
  return rows
    .filter(({ device }) => hasDoor(device))
    .map(({ device: { id, token, name, type, online, settings }, number, path, isSeen }) => ({
      id,
      token,
      name,
      type: type as ConciergeDevice['type'],
      status: !isSeen || !seesStatus || online === null ? null : online ? 'online' : 'offline',
      sip_number: !isSeen || number === null ? null : { number },
      path: path ?? [],
      has_camera: isSeen && hasCamera(settings),
    }));
}

/** Devices one may give others access to: those one may edit, by name. */
export async function permittedDevices({ db }: Services, principal: Principal): Promise<{ id: string; name: string }[]> {
  const rows = await db
    .select({ id: devices.id, name: devices.name, type: devices.type, model: devices.model })
    .from(devices)
    .where(and(viewable(scopeOf(principal), 'devices'), inVerbScope(principal, 'edit', 'devices')))
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
 * Opens the door whose token this is, for somebody who may see it and may open doors, or whose own identifier opens it now; whatever else is
 * refused and on record.
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
    .select({
      id: devices.id,
      name: devices.name,
      type: devices.type,
      model: devices.model,
      protocol: devices.protocol,
      isSeen: seenBy(scopeOf(principal)),
    })
    .from(devices)
    .where(and(eq(devices.token, token), eq(devices.projectId, principal.projectId)));
  const isByRight = device !== undefined && device.isSeen && mayAct(principal, 'openDoors');
  const isOwn = device !== undefined && !isByRight && (await ownDoors(services, principal, device.id)).length > 0;
  const seen = device && (device.isSeen || isOwn) ? device : undefined;
  const refuse = async (code: 'not_found' | 'forbidden'): Promise<never> => {
    const changes = { verb: { before: null, after: 'open_door' } };
    await audit(
      db,
      principal,
      { area: 'devices', action: 'refused', entityId: seen?.id ?? null, entityName: seen?.name ?? null, changes },
      services.now(),
    );
    throw new HttpError(code);
  };
  if (!seen) return refuse('not_found');
  if (!(isByRight || isOwn) || !hasDoor(seen)) return refuse('forbidden');
  if (seen.protocol === 'none') throw new HttpError('device_protocol_none');
  const callId = speechId ? await callInReach(services, principal, speechId) : null;
  const outcome = await openDoor(services, seen.id, principal, callId ?? 'console', reason ?? null);
  if (callId !== null && outcome === 'confirmed') await doorOpenedInCall(services, callId, seen.id, principal.name);
  return outcome;
}
