import { and, eq, sql } from 'drizzle-orm';
import type { DeviceSettings } from '#models/device-settings.ts';
import type { DevicePicture } from '#models/integration-calls.ts';
import type { Services } from '#server/context.ts';
import type { Change } from '#server/crud/repository.ts';
import type { Db } from '#server/db/database.ts';
import { devices, groups, integrations } from '#server/db/schema/index.ts';
import { HttpError, invalidField } from '#server/http-error.ts';
import { stillOf } from '#server/integrations/picture.ts';
import { serves } from './scope.ts';

type Chosen = DeviceSettings['integration_axxon'];
type Server = typeof integrations.$inferSelect;

/** The camera server a device in this group may use; undefined where it may not. */
async function serverFor(db: Db, id: string, domain: string): Promise<Server | undefined> {
  const path = sql`(select ${groups.path} from ${groups} where ${groups.id} = ${domain})`;
  const [server] = await db
    .select()
    .from(integrations)
    .where(and(eq(integrations.id, id), eq(integrations.type, 'camera'), eq(integrations.isActive, true), serves(path)));
  return server;
}

/** The camera that is put to a device is one there is, of a server that serves the device's group. @throws HttpError `integration_not_for_device` */
export async function requireCamera({ tx, before, fields }: Change, device: Record<string, unknown>): Promise<void> {
  const settings = fields['device_settings'] as DeviceSettings | undefined;
  const { enabled, integration, camera } = settings?.integration_axxon ?? { enabled: false, integration: null, camera: null };
  const had = (before?.['device_settings'] as DeviceSettings | undefined)?.integration_axxon;
  if (!enabled || integration === null || (had?.integration === integration && had.camera === camera)) return;
  const server = await serverFor(tx, integration, String(device['domain']));
  if (!server) throw new HttpError('integration_not_for_device');
  if (camera !== null && !server.cameras.some((one) => one.access_point === camera))
    throw invalidField(['device_settings', 'integration_axxon', 'camera'], 'one_of');
}

/** What the camera of a device shows now. @throws HttpError `not_found` where it has none, `integration_not_for_device`, `integration_unavailable` */
export async function pictureOfDevice(services: Services, deviceId: string): Promise<DevicePicture> {
  const [device] = await services.db.select().from(devices).where(eq(devices.id, deviceId));
  const chosen = device?.settings['integration_axxon'] as Chosen | undefined;
  if (!device || !chosen?.enabled || chosen.integration === null) throw new HttpError('not_found');
  const server = await serverFor(services.db, chosen.integration, device.domainId);
  const camera = server?.cameras.find((one) => one.access_point === chosen.camera) ?? server?.cameras[0];
  if (!server || !camera) throw new HttpError('integration_not_for_device');
  return { picture: await stillOf(services, server, camera.access_point), camera: camera.display_name, taken_at: services.now().toISOString() };
}
