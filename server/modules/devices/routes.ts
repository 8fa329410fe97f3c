import { and, eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import { sightOf, viewable } from '#server/access/scope.ts';
import type { Asker, Services } from '#server/context.ts';
import { seenRow } from '#server/crud/routes.ts';
import { auditingRefusals } from '#server/crud/trail.ts';
import { holdRow } from '#server/crud/write.ts';
import { devices } from '#server/db/schema/index.ts';
import { shownSettingsFor } from '#server/devices/orders.ts';
import { actRemotely, beginRemoteSession } from '#server/devices/remote.ts';
import { Refusal } from '#server/refusal.ts';
import { serve } from '#server/serve.ts';
import { devicesBinding } from './binding.ts';
import { command, retryQueue, setProtocol } from './commands.ts';
import { doorsOf, openByToken, permittedDevices } from './doors.ts';
import { putFound, takeFound } from './put-found.ts';
import { beginSearch, cancelSearch, readPool, readSearch } from './search.ts';

/** A device that the asker may edit, as it is stored. */
async function edited(services: Services, asker: Asker, id: string): Promise<typeof devices.$inferSelect> {
  await auditingRefusals(services, asker, { area: 'devices', verb: 'edit', id }, () => holdRow(services.db, devicesBinding, asker, 'edit', id));
  const [device] = await services.db.select().from(devices).where(eq(devices.id, id));
  if (!device) throw new Refusal('not_found');
  return device;
}

async function bySerial(services: Services, asker: Asker, serial: string): Promise<typeof devices.$inferSelect> {
  const [device] = await services.db
    .select({ id: devices.id })
    .from(devices)
    .where(and(eq(devices.login, serial), viewable(sightOf(asker), 'devices')));
  if (!device) throw new Refusal('not_found');
  return edited(services, asker, device.id);
}

function serveCommands(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.applyDeviceSettings, ({ asker, params }) => command(services, asker, params.id, 'apply_settings'));
  serve(app, services, calls.initDevice, ({ asker, params, body }) => command(services, asker, params.id, 'init', { erase: body.erase }));
  serve(app, services, calls.synchroniseDevice, ({ asker, params }) => command(services, asker, params.id, 'synchronise'));
  serve(app, services, calls.reinitDevice, ({ asker, params }) => command(services, asker, params.id, 'reinit'));
  serve(app, services, calls.restartDevice, ({ asker, params }) => command(services, asker, params.id, 'restart'));
  serve(app, services, calls.setDeviceProtocol, ({ asker, params, body }) => setProtocol(services, asker, params.id, body.protocol));
  serve(app, services, calls.retryDeviceTasks, async ({ asker, params }) => ({ count: await retryQueue(services, asker, params.id) }));
}

function serveReading(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.deviceSyncErrors, async ({ asker, params }) => {
    await seenRow(services, devicesBinding, asker, params.id);
    const [device] = await services.db.select({ errors: devices.syncErrors }).from(devices).where(eq(devices.id, params.id));
    return device?.errors ?? { identifiers: [], schedules: [] };
  });
  serve(app, services, calls.deviceRaw, async ({ asker, params }) => shownSettingsFor(await edited(services, asker, params.id)));
  serve(app, services, calls.permittedDevices, ({ asker }) => permittedDevices(services, asker));
  serve(app, services, calls.conciergeDevices, ({ asker }) => doorsOf(services, asker));
  serve(app, services, calls.openDoor, async ({ asker, body }) => ({
    outcome: await openByToken(services, asker, body.token, { speechId: body.speech_id, reason: body.reason }),
  }));
}

function serveSearch(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.searchDevices, ({ asker, body }) => beginSearch(services, asker, body));
  serve(app, services, calls.deviceSearch, ({ asker, params }) => readSearch(services, asker, params.request_id));
  serve(app, services, calls.cancelDeviceSearch, ({ asker, params }) => cancelSearch(services, asker, params.request_id));
  serve(app, services, calls.putFoundDevices, ({ asker, body }) => putFound(services, asker, body));
  serve(app, services, calls.devicePool, ({ asker }) => readPool(services, asker));
  serve(app, services, calls.deviceFromPool, ({ asker, body }) => takeFound(services, asker, body));
}

/** What people do with devices besides the plain calls. */
export function serveDevices(app: FastifyInstance, services: Services): void {
  serveCommands(app, services);
  serveReading(app, services);
  serveSearch(app, services);
  serve(app, services, calls.beginRemoteSession, async ({ asker, body }) =>
    beginRemoteSession(services, asker, await bySerial(services, asker, body.serial_number), body),
  );
  serve(app, services, calls.remoteSession, ({ asker, params, body }) => actRemotely(services, asker, params.id, body));
}
