import { and, eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import { scopeOf, viewable } from '#server/access/scope.ts';
import type { Principal, Services } from '#server/context.ts';
import { seenRow } from '#server/crud/routes.ts';
import { auditRefused } from '#server/crud/trail.ts';
import { holdRow } from '#server/crud/write.ts';
import { devices } from '#server/db/schema/index.ts';
import { shownSettingsFor } from '#server/devices/orders.ts';
import { actRemotely, beginRemoteSession } from '#server/devices/remote.ts';
import { HttpError } from '#server/http-error.ts';
import { serve } from '#server/serve.ts';
import { devicesRepository } from './repository.ts';
import { command, retryQueue, setProtocol } from './commands.ts';
import { doorsOf, openByToken, permittedDevices } from './doors.ts';
import { putFound, takeFound } from './put-found.ts';
import { beginSearch, cancelSearch, readPool, readSearch } from './search.ts';

/** A device that the principal may edit, as it is stored. */
async function edited(services: Services, principal: Principal, id: string): Promise<typeof devices.$inferSelect> {
  await auditRefused(services, principal, { area: 'devices', verb: 'edit', id }, () =>
    holdRow(services.db, devicesRepository, principal, 'edit', id),
  );
  const [device] = await services.db.select().from(devices).where(eq(devices.id, id));
  if (!device) throw new HttpError('not_found');
  return device;
}

async function bySerial(services: Services, principal: Principal, serial: string): Promise<typeof devices.$inferSelect> {
  const [device] = await services.db
    .select({ id: devices.id })
    .from(devices)
    .where(and(eq(devices.login, serial), viewable(scopeOf(principal), 'devices')));
  if (!device) throw new HttpError('not_found');
  return edited(services, principal, device.id);
}

function serveCommands(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.applyDeviceSettings, ({ principal, params }) => command(services, principal, params.id, 'apply_settings'));
  serve(app, services, calls.initDevice, ({ principal, params, body }) => command(services, principal, params.id, 'init', { erase: body.erase }));
  serve(app, services, calls.synchroniseDevice, ({ principal, params }) => command(services, principal, params.id, 'synchronise'));
  serve(app, services, calls.reinitDevice, ({ principal, params }) => command(services, principal, params.id, 'reinit'));
  serve(app, services, calls.restartDevice, ({ principal, params }) => command(services, principal, params.id, 'restart'));
  serve(app, services, calls.setDeviceProtocol, ({ principal, params, body }) => setProtocol(services, principal, params.id, body.protocol));
  serve(app, services, calls.retryDeviceTasks, async ({ principal, params }) => ({ count: await retryQueue(services, principal, params.id) }));
}

function serveReading(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.deviceSyncErrors, async ({ principal, params }) => {
    await seenRow(services, devicesRepository, principal, params.id);
    const [device] = await services.db.select({ errors: devices.syncErrors }).from(devices).where(eq(devices.id, params.id));
    return device?.errors ?? { identifiers: [], schedules: [] };
  });
  serve(app, services, calls.deviceRaw, async ({ principal, params }) => shownSettingsFor(await edited(services, principal, params.id)));
  serve(app, services, calls.permittedDevices, ({ principal }) => permittedDevices(services, principal));
  serve(app, services, calls.conciergeDevices, ({ principal }) => doorsOf(services, principal));
  serve(app, services, calls.openDoor, async ({ principal, body }) => ({
    outcome: await openByToken(services, principal, body.token, { speechId: body.speech_id, reason: body.reason }),
  }));
}

function serveSearch(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.searchDevices, ({ principal, body }) => beginSearch(services, principal, body));
  serve(app, services, calls.deviceSearch, ({ principal, params }) => readSearch(services, principal, params.request_id));
  serve(app, services, calls.cancelDeviceSearch, ({ principal, params }) => cancelSearch(services, principal, params.request_id));
  serve(app, services, calls.putFoundDevices, ({ principal, body }) => putFound(services, principal, body));
  serve(app, services, calls.devicePool, ({ principal }) => readPool(services, principal));
  serve(app, services, calls.deviceFromPool, ({ principal, body }) => takeFound(services, principal, body));
}

/** What people do with devices besides the plain calls. */
export function serveDevices(app: FastifyInstance, services: Services): void {
  serveCommands(app, services);
  serveReading(app, services);
  serveSearch(app, services);
  serve(app, services, calls.beginRemoteSession, async ({ principal, body }) =>
    beginRemoteSession(services, principal, await bySerial(services, principal, body.serial_number), body),
  );
  serve(app, services, calls.remoteSession, ({ principal, params, body }) => actRemotely(services, principal, params.id, body));
}
