import { and, asc, eq, sql } from 'drizzle-orm';
import { hasDoor } from '#models/device-models.ts';
import type { ConciergeDevice } from '#models/devices.ts';
import { holds } from '#models/permissions.ts';
import { reached, sightOf, viewable } from '#server/access/scope.ts';
import { audit } from '#server/audit.ts';
import type { Asker, Services } from '#server/context.ts';
import { devices } from '#server/db/schema/index.ts';
import { openDoor } from '#server/devices/doors.ts';
import { Refusal } from '#server/refusal.ts';

/** Doors are opened by those who sit at the desk, may call panels, or look after the devices. */
const mayOpen = (asker: Asker): boolean => holds(asker, 'can_receive_call_as_concierge', 'can_call_panel', 'can_edit_devices');

/** The doors one may open, by name, each with its token; none for those who may open none. */
export async function doorsOf({ db }: Services, asker: Asker): Promise<ConciergeDevice[]> {
  if (!mayOpen(asker)) return [];
  const rows = await db
    .select()
    .from(devices)
    .where(viewable(sightOf(asker), 'devices'))
    .orderBy(asc(sql`lower(${devices.name})`), devices.id);
  const told = holds(asker, 'can_view_device_heartbeat');
  return rows.filter(hasDoor).map(({ id, token, name, type, online, settings }) => {
    const sip = settings['sip'] as { enabled?: boolean; login?: string | null } | undefined;
    return {
      id,
      token,
      name,
      type: type as ConciergeDevice['type'],
      status: !told || online === null ? null : online ? 'online' : 'offline',
      sip_number: sip?.enabled && sip.login ? { number: sip.login } : null,
    };
  });
}

/** Devices one may give others access to: those one may edit, by name. */
export async function permittedDevices({ db }: Services, asker: Asker): Promise<{ id: string; name: string }[]> {
  const rows = await db
    .select({ id: devices.id, name: devices.name, type: devices.type, model: devices.model })
    .from(devices)
    .where(and(viewable(sightOf(asker), 'devices'), reached(asker, 'edit', 'devices')))
    .orderBy(asc(sql`lower(${devices.name})`), devices.id);
  return rows.filter(hasDoor).map(({ id, name }) => ({ id, name }));
}

/**
 * Opens the door whose token this is, for somebody who may see it and may open doors; whatever else is refused and on record.
 * @throws Refusal `not_found` for a token that opens nothing in sight, `forbidden`
 */
export async function openByToken(services: Services, asker: Asker, token: string): Promise<'confirmed' | 'unconfirmed'> {
  const { db } = services;
  const [device] = await db
    .select({ id: devices.id, name: devices.name, type: devices.type, model: devices.model, protocol: devices.protocol })
    .from(devices)
    .where(and(eq(devices.token, token), viewable(sightOf(asker), 'devices')));
  const refuse = async (code: 'not_found' | 'forbidden'): Promise<never> => {
    const changes = { verb: { before: null, after: 'open_door' } };
    await audit(
      db,
      asker,
      { area: 'devices', action: 'refused', entityId: device?.id ?? null, entityName: device?.name ?? null, changes },
      services.now(),
    );
    throw new Refusal(code);
  };
  if (!device) return refuse('not_found');
  if (!mayOpen(asker) || !hasDoor(device)) return refuse('forbidden');
  if (device.protocol === 'none') throw new Refusal('device_protocol_none');
  return openDoor(services, device.id, asker, 'console');
}
