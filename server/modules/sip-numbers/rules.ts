import { eq, inArray, sql } from 'drizzle-orm';
import { modelOf } from '#models/index.ts';
import { hasPermission } from '#models/permissions.ts';
import { audit } from '#server/audit.ts';
import type { Change } from '#server/crud/repository.ts';
import { sipNumberForwards, sipNumbers, users } from '#server/db/schema/index.ts';
import { seal } from '#server/devices/secrets.ts';
import { HttpError } from '#server/http-error.ts';
import { requireNumberSeat, requireTotalLimit } from '#server/telephony/number-seats.ts';
import { refusedField } from '../roles/rules.ts';
import { lockFree, notFree } from './free.ts';
import { notifyDevice } from './of-device.ts';

type Fields = Record<string, unknown>;
const owners = ['user', 'device', 'domain'] as const;
const ownerColumns = { user: 'userId', device: 'deviceId', domain: 'domainId' } as const;

/** The number as it will be: what was stored, and what the change puts in its place. */
function whole({ before, fields }: Change): Fields {
  const model = modelOf('sip-numbers');
  return { ...(before && model.toWire(model.fromRow(before))), ...fields };
}

function requireRights({ principal, verb, fields, before }: Change): void {
  const marks = hasPermission(principal, 'can_mark_sip_numbers_system');
  if (!marks && (fields['is_system'] === true || before?.['is_system'] === true)) throw refusedField('is_system', 'not_allowed');
  if (verb === 'edit' && 'is_active' in fields && !hasPermission(principal, 'can_activate_sip_numbers'))
    throw refusedField('is_active', 'not_allowed');
}

/** A device has one number, and so has a group; a number that another forwards to is not given to anybody. */
async function requireFreeOwner({ tx, id, fields }: Change): Promise<void> {
  const given = owners.filter((owner) => fields[owner]);
  if (given.length === 0) return;
  const [taken] = await tx.select({ by: sipNumberForwards.numberId }).from(sipNumberForwards).where(eq(sipNumberForwards.pickedId, id));
  if (taken) throw notFree([given[0] ?? 'user']);
}

/** Numbers that a number forwards to are free, or its own already, and never itself. */
async function requireFreePicked({ tx, id, principal, fields, before }: Change): Promise<void> {
  const picked = fields['picked_numbers'] as string[] | undefined;
  if (!picked) return;
  const had = new Set(((before?.['picked_numbers'] ?? []) as { id: string }[]).map((number) => number.id));
  if (picked.includes(id)) throw notFree(['picked_numbers']);
  await lockFree(
    tx,
    principal.projectId,
    picked.filter((number) => !had.has(number)),
    ['picked_numbers'],
  );
}

/** The rules of a number before it is made or changed; answers the columns that follow. */
export async function prepareNumber(change: Change): Promise<Fields> {
  const { services, fields } = change;
  requireRights(change);
  const issues = modelOf('sip-numbers').refine(whole(change));
  if (issues.length > 0) throw new HttpError('invalid_data', { issues });
  await requireFreeOwner(change);
  await requireFreePicked(change);
  const { password } = fields;
  return typeof password === 'string' ? { passwordCipher: seal(services, password) } : {};
}

async function writeForwards(change: Change): Promise<void> {
  const { tx, id } = change;
  const { forward_mode: mode, picked_numbers: picked, forward_numbers: typed } = whole(change);
  const rows =
    mode === 'picked'
      ? (picked as string[]).map((pickedId, position) => ({ numberId: id, position, pickedId, phone: null }))
      : mode === 'manual'
        ? (typed as string[]).map((phone, position) => ({ numberId: id, position, pickedId: null, phone }))
        : [];
  await tx.delete(sipNumberForwards).where(eq(sipNumberForwards.numberId, id));
  if (rows.length > 0) await tx.insert(sipNumberForwards).values(rows);
}

/** A person's profile shows their number: whoever is signed in reads it anew. */
async function touchPeople({ tx, fields, before }: Change): Promise<void> {
  if (!['user', 'number', 'name', 'is_active'].some((field) => field in fields)) return;
  const people = [(before?.['user'] as { id: string } | null | undefined)?.id, fields['user']].filter((person) => typeof person === 'string');
  if (people.length > 0)
    await tx
      .update(users)
      .set({ version: sql`${users.version} + 1` })
      .where(inArray(users.id, people));
}

/** What must hold and happen once the number is written: forwards, limits and licences, the device's own settings, the trail of passwords. */
export async function settleNumber(change: Change): Promise<void> {
  const { services, tx, principal, at, verb, id, fields, before } = change;
  if (['forward_mode', 'picked_numbers', 'forward_numbers'].some((field) => field in fields)) await writeForwards(change);
  if (verb === 'create') await requireTotalLimit(tx, principal.projectId);
  for (const owner of owners) {
    const given = fields[owner];
    if (typeof given === 'string') await requireNumberSeat(services, tx, principal.projectId, { [ownerColumns[owner]]: given }, at);
  }
  await touchPeople(change);
  const concernsPhones = ['device', 'number', 'password', 'is_active'].some((field) => field in fields);
  const devices = [before?.['device'], fields['device']].flatMap((device) => {
    const held = device !== null && typeof device === 'object' ? (device as { id: string }).id : device;
    return typeof held === 'string' ? [held] : [];
  });
  if (concernsPhones) for (const device of new Set(devices)) await notifyDevice(services, tx, device, principal.id);
  if (verb === 'edit' && typeof fields['password'] === 'string') {
    const number = String(fields['number'] ?? before?.['number']);
    await audit(tx, principal, { area: 'sip-numbers', action: 'password_change', entityId: id, entityName: number }, at);
  }
}

/** A group's general number stays as long as it is that; a number of the system is for those who may mark such. */
export async function beforeNumberDelete({ services, tx, principal, id, before }: Change): Promise<void> {
  if (before?.['is_system'] === true && !hasPermission(principal, 'can_mark_sip_numbers_system')) throw new HttpError('deleting_prohibited');
  const [number] = await tx
    .select({ domainId: sipNumbers.domainId, deviceId: sipNumbers.deviceId })
    .from(sipNumbers)
    .where(inArray(sipNumbers.id, [id]));
  if (number?.domainId) throw new HttpError('number_is_general');
  if (!number?.deviceId) return;
  await tx.update(sipNumbers).set({ deviceId: null }).where(eq(sipNumbers.id, id));
  await notifyDevice(services, tx, number.deviceId, principal.id);
}
