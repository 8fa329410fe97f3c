import { z } from 'zod';
import { type Access, byId, call, type nothing } from './define-call.ts';
import { named } from './define-model.ts';
import { remoteSettings } from './device-settings.ts';
import { elevatorCalls } from './elevator-calls.ts';
import { anyDeviceProtocol, conciergeDevice, foundDevice, syncErrors } from './devices.ts';
import { longCalls } from './long-calls.ts';
import { acts } from './permissions.ts';
import { flag, ip, name, optionalText, ref, requiredText } from './rules.ts';

const editDevice = { area: 'devices', verb: 'edit' } as const;
/** Something a device is told to do: becomes a task, whose id is answered. */
const deviceTask = <B extends z.ZodType = typeof nothing>(path: string, summary: string, body?: B) =>
  call({ method: 'POST', path: `/devices/{id}/${path}`, access: editDevice, summary, params: byId, answer: z.uuid(), ...(body && { body }) });

/** A search of an address range: how far it has come and what answered. The client makes up the id. */
export const deviceSearch = z.strictObject({
  request_id: z.uuid(),
  state: z.enum(['running', 'completed', 'cancelled', 'failed']),
  done: z.int(),
  total: z.int(),
  found: z.array(foundDevice),
});
export type DeviceSearch = z.infer<typeof deviceSearch>;
const bySearch = z.strictObject({ request_id: z.uuid() });
const serial = requiredText(64);
/** What became of a found device that was to be put into the project. */
export const putOutcome = z.strictObject({
  serial: z.string(),
  id: z.uuid().nullable(),
  problem: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
});
export type PutOutcome = z.infer<typeof putOutcome>;

/** A remote-control session: the device as it stands this moment. */
export const remoteSession = z.strictObject({
  id: z.uuid(),
  device: named,
  serial_number: z.string(),
  expires_at: z.iso.datetime(),
  uptime: z.int().nullable(),
  firmware: z.string().nullable(),
  relays: z.array(z.strictObject({ number: z.int(), name: z.string(), is_open: z.boolean() })),
  settings: z.record(z.string(), z.unknown()),
});
export type RemoteSession = z.infer<typeof remoteSession>;
/** What is done with a device in a session. */
export const remoteAction = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('read') }),
  z.strictObject({ action: z.literal('relay'), number: z.int().min(1).max(64) }),
  z.strictObject({ action: z.literal('reboot') }),
  z.strictObject({ action: z.literal('write_settings'), settings: remoteSettings }),
  z.strictObject({ action: z.literal('end') }),
]);
export type RemoteAction = z.infer<typeof remoteAction>;

const hasDoors = { codes: acts.haveDoors, about: 'devices' } as const satisfies Access;

/** What people do with devices, their doors and their tasks, besides the plain calls. */
export const deviceCalls = {
  ...elevatorCalls,
  applyDeviceSettings: deviceTask('apply-settings', 'Send the settings to the device'),
  initDevice: deviceTask('init', 'Bring a device into service: credentials, settings, identifiers', z.strictObject({ erase: flag() })),
  synchroniseDevice: deviceTask('synchronise', 'Send identifiers and schedules again'),
  reinitDevice: deviceTask('reinit', 'Build everything anew after a factory reset'),
  restartDevice: deviceTask('restart', 'Restart the device'),
  setDeviceProtocol: call({
    method: 'POST',
    path: '/devices/{id}/protocol',
    access: editDevice,
    summary: 'Change the protocol; returns the task that tells the device, none when it cannot be reached',
    params: byId,
    body: z.strictObject({ protocol: z.enum(anyDeviceProtocol) }),
    answer: z.uuid().nullable(),
  }),
  retryDeviceTasks: call({
    method: 'POST',
    path: '/devices/{id}/retry',
    access: editDevice,
    summary: 'Retry the failed tasks of a device; returns how many',
    params: byId,
    answer: z.strictObject({ count: z.int() }),
  }),
  deviceSyncErrors: call({
    method: 'GET',
    path: '/devices/{id}/sync-errors',
    access: { area: 'devices', verb: 'view' },
    summary: 'Identifiers and schedules that could not be synchronised, and why',
    params: byId,
    answer: syncErrors,
  }),
  deviceRaw: call({
    method: 'GET',
    path: '/devices/{id}/raw',
    access: editDevice,
    summary: 'The settings as sent to the device, without secrets',
    params: byId,
    answer: z.record(z.string(), z.unknown()),
  }),
  conciergeDevices: call({
    method: 'GET',
    path: '/concierge-devices',
    access: hasDoors,
    summary: 'Doors the user can open, each with its token and number',
    answer: z.array(conciergeDevice),
  }),
  permittedDevices: call({
    method: 'GET',
    path: '/devices/permitted',
    access: { area: 'devices', verb: 'view' },
    summary: 'Devices whose doors the user can give others access to',
    answer: z.array(named),
  }),
  openDoor: call({
    method: 'POST',
    path: '/devices/open',
    access: hasDoors,
    urgent: true,
    summary: 'Open a door by its token; returns whether the device confirmed it within 5 s',
    /** `speech_id` names the call during which it is opened; `reason` is for the trail. */
    body: z.strictObject({ token: z.string().min(20).max(200), speech_id: z.uuid().nullish(), reason: optionalText(255).optional() }),
    answer: z.strictObject({ outcome: z.enum(['confirmed', 'unconfirmed']) }),
  }),
  searchDevices: call({
    method: 'POST',
    path: '/devices/search',
    access: { area: 'devices', verb: 'create' },
    summary: 'Search an address range for devices, at most 1,024 addresses',
    body: z.strictObject({ start_ip: ip(), end_ip: ip(), request_id: z.uuid() }),
    answer: deviceSearch,
  }),
  deviceSearch: call({
    method: 'GET',
    path: '/devices/search/{request_id}',
    access: { area: 'devices', verb: 'create' },
    summary: 'Progress and results of a search',
    params: bySearch,
    answer: deviceSearch,
  }),
  cancelDeviceSearch: call({
    method: 'DELETE',
    path: '/devices/search/{request_id}',
    access: { area: 'devices', verb: 'create' },
    summary: 'Stop a search; results are kept',
    params: bySearch,
  }),
  putFoundDevices: call({
    method: 'PUT',
    path: '/devices/found',
    access: { area: 'devices', verb: 'create' },
    summary: 'Add found devices to a group of the project, with a result for each',
    body: z.strictObject({
      request_id: z.uuid(),
      domain: ref('groups'),
      items: z
        .array(z.strictObject({ serial, name: name() }))
        .min(1)
        .max(256),
    }),
    answer: z.array(putOutcome),
  }),
  devicePool: call({
    method: 'GET',
    path: '/devices/pool',
    access: { area: 'devices', verb: 'create' },
    summary: 'Devices found by earlier searches that are in no project yet',
    answer: z.array(foundDevice.extend({ found_at: z.iso.datetime() })),
  }),
  deviceFromPool: call({
    method: 'POST',
    path: '/devices/from-pool',
    access: { area: 'devices', verb: 'create' },
    summary: 'Add a device from the pool to a group; returns its id',
    body: z.strictObject({ serial, name: name(), domain: ref('groups') }),
    answer: z.uuid(),
  }),
  beginRemoteSession: call({
    method: 'PUT',
    path: '/devices/remote-session',
    access: editDevice,
    summary: 'Start a remote-control session with an online MQTT device',
    body: z.strictObject({ serial_number: serial, login: z.string().max(64).nullable(), password: z.string().max(64).nullable() }),
    answer: remoteSession,
    timeout: longCalls.beginRemoteSession,
  }),
  remoteSession: call({
    method: 'PATCH',
    path: '/devices/remote-session/{id}',
    access: editDevice,
    summary: 'Perform an action in a remote-control session; returns the new state of the device',
    params: byId,
    body: remoteAction,
    answer: remoteSession,
    timeout: longCalls.remoteSession,
  }),
  stopDeviceTask: call({
    method: 'POST',
    path: '/device-tasks/{id}/stop',
    access: { area: 'device-tasks', verb: 'edit' },
    summary: 'Stop a task that has not finished',
    params: byId,
  }),
  retryDeviceTask: call({
    method: 'POST',
    path: '/device-tasks/{id}/retry',
    access: { area: 'device-tasks', verb: 'edit' },
    summary: 'Retry a failed task',
    params: byId,
  }),
} as const;
