import { and, eq, sql } from 'drizzle-orm';
import type { RemoteAction, RemoteSession } from '#models/device-calls.ts';
import { deviceModel } from '#models/device-models.ts';
import type { Principal, Services } from '../context.ts';
import { devices, deviceTasks } from '../db/schema/index.ts';
import { audit } from '../audit.ts';
import { invalidField, HttpError } from '../http-error.ts';
import type { StoredDevice } from './orders.ts';
import { unseal } from './secrets.ts';
import { queueTask } from './queue.ts';
import { requireReachable, outcomeOf, type StoredTask } from './tasks.ts';

/** A session ends by itself when nothing was done in it for so long, ms. */
const sessionLife = 5 * 60_000;
/** So long a device may take to let itself be controlled (spec B9), a little less than the client waits. */
const timeout = 55_000;

type Answered = Pick<RemoteSession, 'uptime' | 'firmware' | 'relays' | 'settings'>;
const numberIn = (value: unknown): number | null => (typeof value === 'number' && Number.isInteger(value) ? value : null);

/** What a device said of itself, as far as it can be read. */
function answered({ result }: StoredTask): Answered {
  const { uptime, firmware, relays, settings } = result ?? {};
  const known = (Array.isArray(relays) ? relays : []).flatMap((relay: { number?: unknown; name?: unknown; is_open?: unknown }) => {
    const number = numberIn(relay.number);
    return number === null ? [] : [{ number, name: typeof relay.name === 'string' ? relay.name : '', is_open: relay.is_open === true }];
  });
  return {
    uptime: numberIn(uptime),
    firmware: typeof firmware === 'string' ? firmware : null,
    relays: known,
    settings: settings !== null && typeof settings === 'object' ? (settings as Record<string, unknown>) : {},
  };
}

const sessionOf = (services: Services, id: string, device: Pick<StoredDevice, 'id' | 'name' | 'login'>, task: StoredTask): RemoteSession => ({
  id,
  device: { id: device.id, name: device.name },
  serial_number: device.login,
  expires_at: new Date(services.now().getTime() + sessionLife).toISOString(),
  ...answered(task),
});

/** Asks a device and waits for it. @throws HttpError `device_offline`, `device_not_mqtt`, `device_unavailable` */
async function ask(services: Services, principal: Principal, device: StoredDevice, payload: Record<string, unknown>): Promise<StoredTask> {
  const id = await services.db.transaction(async (tx) => {
    if (device.protocol !== 'mqtt') throw new HttpError('device_not_mqtt');
    await requireReachable(tx, device.id);
    await audit(
      tx,
      principal,
      {
        area: 'devices',
        action: 'remote_control',
        entityId: device.id,
        entityName: device.name,
        changes: { action: { before: null, after: payload['action'] } },
      },
      services.now(),
    );
    return queueTask(tx, { projectId: device.projectId, deviceId: device.id, kind: 'remote_control', payload, createdBy: principal.id });
  });
  const task = await outcomeOf(services, id, timeout);
  if (task?.status !== 'completed') throw new HttpError('device_unavailable', task?.error ? { reason: task.error } : undefined);
  return task;
}

/** The device's own credentials, where somebody gives them, must be the ones that are stored. */
function requireCredentials(services: Services, device: StoredDevice, { login, password }: { login: string | null; password: string | null }): void {
  const stored = device.devicePasswordCipher === null ? null : unseal(services, device.devicePasswordCipher);
  if ((login !== null && login !== device.deviceLogin) || (password !== null && password !== stored)) throw new HttpError('invalid_credentials');
}

/**
 * Begins a remote-control session with an online MQTT device.
 * @throws HttpError `device_not_mqtt`, `device_offline`, `device_unavailable`, `invalid_credentials` for credentials that are not the device's
 */
export async function beginRemoteSession(
  services: Services,
  principal: Principal,
  device: StoredDevice,
  credentials: { login: string | null; password: string | null },
): Promise<RemoteSession> {
  requireCredentials(services, device, credentials);
  const task = await ask(services, principal, device, { action: 'begin' });
  return sessionOf(services, task.id, device, task);
}

/** Whose session it is, and with which device. @throws HttpError `not_found` when it has ended or is somebody else's */
async function openSession({ db, now }: Services, principal: Principal, id: string): Promise<StoredDevice> {
  const since = new Date(now().getTime() - sessionLife).toISOString();
  const [found] = await db
    .update(deviceTasks)
    .set({ updatedAt: now() })
    .where(
      and(
        eq(deviceTasks.id, id),
        eq(deviceTasks.kind, 'remote_control'),
        eq(deviceTasks.status, 'completed'),
        eq(deviceTasks.createdBy, principal.id),
        sql`${deviceTasks.payload} ->> 'action' = 'begin' and ${deviceTasks.updatedAt} >= ${since}::timestamptz`,
      ),
    )
    .returning({ deviceId: deviceTasks.deviceId });
  const [device] = found ? await db.select().from(devices).where(eq(devices.id, found.deviceId)) : [];
  if (!device) throw new HttpError('not_found');
  return device;
}

/** Does something in a session and answers the device as it stands then. @throws HttpError as beginning does, and `not_found` */
export async function actRemotely(services: Services, principal: Principal, id: string, action: RemoteAction): Promise<RemoteSession> {
  const device = await openSession(services, principal, id);
  // A password would stand in the queue for everybody who reads it: those go by the device's form.
  if (action.action === 'write_settings' && action.settings.sip?.password) throw invalidField(['settings', 'sip', 'password'], 'not_allowed');
  if (action.action === 'relay' && action.number > deviceModel(device.type, device.model).relays)
    throw invalidField(['number'], 'relays_out_of_range');
  const task = await ask(services, principal, device, { ...action });
  if (action.action === 'end')
    await services.db
      .update(deviceTasks)
      .set({ payload: { action: 'ended' } })
      .where(eq(deviceTasks.id, id));
  return sessionOf(services, id, device, task);
}
