import { randomBytes } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { deviceIssues } from '#models/devices.ts';
import type { DeviceSettings } from '#models/device-settings.ts';
import { modelOf } from '#models/index.ts';
import { hasPermission } from '#models/permissions.ts';
import { inScope } from '#server/access/scope.ts';
import { audit } from '#server/audit.ts';
import type { Change } from '#server/crud/repository.ts';
import { groups } from '#server/db/schema/index.ts';
import { seal } from '#server/devices/secrets.ts';
import { mayDial } from '#server/devices/addresses.ts';
import { requireDeviceLicence } from '#server/licences/features.ts';
import { queueSynchronise } from '#server/devices/copies.ts';
import { queueTask } from '#server/devices/queue.ts';
import { invalidField, HttpError } from '#server/http-error.ts';
import { requireMayGive } from '../access-rules/rules.ts';
import { requireCamera } from '../integrations/devices.ts';
import { refusedField } from '../roles/rules.ts';
import { giveNumbers } from '../sip-numbers/give.ts';
import { hasNumber, writeNumber } from '../sip-numbers/of-device.ts';

type Fields = Record<string, unknown>;
/** What the device itself must hear of when it changes. */
const sentToDevice: ReadonlySet<string> = new Set([
  'name',
  'password',
  'port',
  'get_logs',
  'management',
  'device_settings',
  'device_login',
  'device_password',
]);

/** The device as it will be: what was stored, and what the change puts in its place. */
function whole({ before, fields }: Change): Fields {
  const model = modelOf('devices');
  return { ...(before && model.toWire(model.fromRow(before))), ...fields };
}

function requireWhole(change: Change): Fields {
  const device = whole(change);
  const issues = deviceIssues(device);
  if (issues.length > 0) throw new HttpError('invalid_data', { issues });
  const stored = change.before?.['has_password'] === true;
  // The broker lets nobody in without a password.
  if (device['protocol'] === 'mqtt' && !stored && !device['password']) throw invalidField(['password'], 'required');
  const address = change.fields['ip_address'];
  if (typeof address === 'string' && !mayDial(address, change.services.config)) throw invalidField(['ip_address'], 'address_not_allowed');
  return device;
}

/** A device is put where the person's own rights reach: a group that they merely see is not enough. */
async function requirePlace({ tx, principal, fields }: Change): Promise<void> {
  if (!('domain' in fields) || hasPermission(principal, 'can_view_all_devices')) return;
  const [group] = await tx
    .select({ id: groups.id })
    .from(groups)
    .where(and(eq(groups.id, String(fields['domain'])), inScope(principal, 'descendants', 'groups')));
  if (!group) throw refusedField('domain', 'not_allowed');
}

/** The columns of secrets that were sent, sealed; a secret that was not sent stays. */
function sealed({ services, fields }: Change): Fields {
  const { password, device_password: devicePassword, device_settings: settings } = fields;
  const sip = (settings as DeviceSettings | undefined)?.sip.password;
  return {
    ...(typeof password === 'string' && { passwordCipher: seal(services, password) }),
    ...(typeof devicePassword === 'string' && { devicePasswordCipher: seal(services, devicePassword) }),
    ...(sip && { sipPasswordCipher: seal(services, sip) }),
  };
}

/** device_settings as they are stored: without the password. */
function withoutPassword({ sip: { password: _sealed, ...sip }, ...settings }: DeviceSettings): Fields {
  return { ...settings, sip };
}

/** Numbers are given out by those who may change them. */
function requireNumber({ principal, verb, fields }: Change): void {
  if (!('sip_number' in fields) || hasPermission(principal, 'can_edit_sip_numbers')) return;
  if (verb === 'edit' || fields['sip_number']) throw refusedField('sip_number', 'not_allowed');
}

/** The rules of a device before it is made or changed; answers the columns that follow. */
export async function prepareDevice(change: Change): Promise<Fields> {
  const { verb, fields } = change;
  await requireCamera(change, requireWhole(change));
  await requirePlace(change);
  requireNumber(change);
  await requireMayGive(change);
  if ('domain' in fields) await requireDeviceLicence(change.services, change.tx, change.principal.projectId, String(fields['domain']));
  const settings = fields['device_settings'] as DeviceSettings | undefined;
  return {
    ...sealed(change),
    ...(settings && { settings: withoutPassword(settings) }),
    ...(verb === 'create' && { token: randomBytes(24).toString('base64url') }),
  };
}

const nameOf = ({ fields, before }: Change): string | null => {
  const name = fields['name'] ?? before?.['name'];
  return typeof name === 'string' ? name : null;
};

/** How it keeps people from going in twice: part of what it decides by. */
const passbackOf = (row: Fields | null): string =>
  JSON.stringify((row?.['device_settings'] as DeviceSettings | undefined)?.additional.anti_passback ?? null);

/** A change that the device must hear of is sent to it by itself; a changed secret is on record, never which. */
export async function settleDevice(change: Change): Promise<void> {
  const { tx, principal, id, verb, fields, at } = change;
  const protocol = whole(change)['protocol'];
  if (Object.keys(sealed(change)).length > 0 && verb === 'edit')
    await audit(tx, principal, { area: 'devices', action: 'password_change', entityId: id, entityName: nameOf(change) }, at);
  if (verb === 'edit' && 'device_settings' in fields && passbackOf(change.before) !== passbackOf(fields)) await queueSynchronise(tx, [id]);
  const given = 'sip_number' in fields && (await giveNumbers(change, 'sip_number', 'deviceId'));
  if (given || ('device_settings' in fields && (await hasNumber(tx, id)))) await writeNumber(change.services, tx, id);
  const isSent = given || Object.keys(fields).some((field) => sentToDevice.has(field));
  if (verb === 'edit' && isSent && protocol !== 'none')
    await queueTask(tx, { projectId: principal.projectId, deviceId: id, kind: 'apply_settings', createdBy: principal.id });
}
