import { eq, sql } from 'drizzle-orm';
import { allLicensed, flagsOf, type LicenceInfo } from '#models/licence-info.ts';
import { hasPermission, mayAct } from '#models/permissions.ts';
import { administratorRemains, isAdministrator } from '#server/access/administrators.ts';
import type { Change } from '#server/crud/repository.ts';
import { isSame } from '#server/crud/same.ts';
import { userDomains, users } from '#server/db/schema/index.ts';
import { removeFile } from '#server/files.ts';
import { featuresFor } from '#server/licences/features.ts';
import { newUserColumns } from '#server/settings/general.ts';
import { requireSeats } from '#server/licences/seats.ts';
import { HttpError } from '#server/http-error.ts';
import { type AssignableRole, isWithinOwn, mayAssign } from '#models/roles.ts';
import { requireMayGive } from '../access-rules/rules.ts';
import { mayManageHolders, readAssignable, refusedField } from '../roles/rules.ts';
import { giveIdentifiers } from '../identifiers/give.ts';
import { giveNumbers } from '../sip-numbers/give.ts';
import { invite } from './registration.ts';

/**
 * Who may change what of a user (spec A6, what it leaves open settled here):
 * - oneself, with can_edit_profile: name, e-mail, description, phone and address; with can_edit_all_users the other fields too, but never what
 *   would raise oneself: role (except one that one may give to others and that holds nothing more), domains (except for those who see all groups anyway),
 *   licences (except for those who manage them), access rules;
 * - others: needs can_edit_all_users, and a role that one could give or that may do no more than oneself; what one signs in
 *   with (login, e-mail, password) only of people who may do no more than oneself, else the account could be taken over;
 * - another role: needs can_edit_users_role, and a role one may give;
 * - markers: can_apply_markers_to_user; licences other than all: can_manage_user_licenses.
 */
const ownFields = new Set(['name', 'email', 'description', 'profile']);

async function roleOf({ tx, principal, id }: Pick<Change, 'tx' | 'principal' | 'id'>): Promise<AssignableRole> {
  const [user] = await tx.select({ roleId: users.roleId }).from(users).where(eq(users.id, id));
  if (!user) throw new HttpError('not_found');
  return readAssignable(tx, principal.projectId, user.roleId);
}

function requireOwnFields({ principal, fields }: Change): void {
  const all = hasPermission(principal, 'can_edit_all_users');
  for (const field of Object.keys(fields)) if (!all && !ownFields.has(field)) throw refusedField(field, 'own_record');
  if ('domains' in fields && !hasPermission(principal, 'can_view_all_groups')) throw refusedField('domains', 'own_record');
  if ('access_rules' in fields) throw refusedField('access_rules', 'own_record');
}

async function requireOwnRole(change: Change): Promise<void> {
  const role = await readAssignable(change.tx, change.principal.projectId, String(change.fields['role']));
  if (!isWithinOwn(change.principal, role) || !mayAssign(change.principal, role)) throw refusedField('role', 'own_record');
}

/** One's own record is for those who may edit it; others are managed by those who could have given them their role, or may do all that they may. */
export async function requireManageable(change: Pick<Change, 'tx' | 'principal' | 'id'>): Promise<AssignableRole> {
  const role = await roleOf(change);
  const isOpen = change.id === change.principal.id ? mayAct(change.principal, 'editOwnProfile') : mayManageHolders(change.principal, role);
  if (!isOpen) throw new HttpError('forbidden');
  return role;
}

/** What a person signs in with is changed only by those who may do all that this person may. */
export function requireMayTakeOver({ principal }: Pick<Change, 'principal'>, role: AssignableRole): void {
  if (!isWithinOwn(principal, role) && !hasPermission(principal, 'can_grant_more_than_own')) throw new HttpError('forbidden');
}

async function requireRole(change: Change): Promise<void> {
  const { tx, principal, verb, id, fields } = change;
  if (!('role' in fields)) return;
  if (verb === 'edit' && !hasPermission(principal, 'can_edit_users_role')) throw refusedField('role', 'not_allowed');
  if (id === principal.id) await requireOwnRole(change);
  else if (!mayAssign(principal, await readAssignable(tx, principal.projectId, String(fields['role']))))
    throw refusedField('role', 'role_not_available');
}

/** Flags are for those who manage them; one that a person's groups do not have cannot be switched on. */
async function requireLicences({ services, tx, principal, verb, id, at, fields, before }: Change): Promise<void> {
  if (!('license_info' in fields)) return;
  if (verb === 'create' && isSame(fields['license_info'], allLicensed)) return;
  if (!hasPermission(principal, 'can_manage_user_licenses')) throw refusedField('license_info', 'not_allowed');
  const { rows } = await tx.execute<{ id: string }>(sql`select ${userDomains.groupId} as id from ${userDomains} where ${userDomains.userId} = ${id}`);
  const domains = (fields['domains'] as string[] | undefined) ?? rows.map((row) => row.id);
  const given = flagsOf(await featuresFor({ ...services, db: tx }, { projectId: principal.projectId, domains }, at));
  const were = before ? flagsOf(before['license_info'] as LicenceInfo) : new Map<string, boolean>();
  const [missing] = [...flagsOf(fields['license_info'] as LicenceInfo)].filter(([flag, on]) => on && !were.get(flag) && !given.get(flag));
  if (missing) throw new HttpError('licence_restricted', { feature: missing[0] });
}

/** What is given to people is given by those who may change it. */
const given = { sip_numbers: 'can_edit_sip_numbers', identifiers: 'can_edit_identifiers', markers: 'can_apply_markers_to_user' } as const;
function requireGiven({ principal, verb, fields }: Change): void {
  for (const [field, code] of Object.entries(given)) {
    if (!(field in fields) || hasPermission(principal, code)) continue;
    if (verb === 'create' && (fields[field] as unknown[]).length === 0) continue;
    throw refusedField(field, 'not_allowed');
  }
}

/** Somebody who could put right anything must remain. */
async function requireAdministrator({ tx, principal, id, fields }: Change, role: AssignableRole): Promise<void> {
  if (!isAdministrator(role.permissions)) return;
  const next = 'role' in fields ? await readAssignable(tx, principal.projectId, String(fields['role'])) : null;
  if (next && isAdministrator(next.permissions)) return;
  if (!(await administratorRemains(tx, principal.projectId, { userId: id })))
    throw new HttpError(next ? 'editing_prohibited' : 'deleting_prohibited');
}

/** The rules of users before one is made or changed. */
export async function prepareUser(change: Change): Promise<Record<string, unknown>> {
  const { id, principal, verb, fields } = change;
  if (verb === 'edit') {
    const role = await requireManageable(change);
    if (id === principal.id) requireOwnFields(change);
    else if ('login' in fields || 'email' in fields) requireMayTakeOver(change, role);
    if ('role' in fields) await requireAdministrator(change, role);
  }
  await requireRole(change);
  await requireLicences(change);
  requireGiven(change);
  await requireMayGive(change);
  const isInvited = fields['send_registration_link'] === true && { isInvited: true };
  // What somebody decides takes the place of a period that nobody looked at.
  const isDecided = verb === 'edit' && 'license_info' in fields && { licenceEndsAt: null };
  return { ...(verb === 'create' && (await newUserColumns(change.tx, principal.projectId, change.at))), ...isInvited, ...isDecided };
}

/** Whoever changes groups takes their seats along; a new user who is to be invited gets their link within the same change. */
export async function settleUser(change: Change): Promise<void> {
  const { verb, fields, services, tx, id } = change;
  if (verb === 'edit' && 'domains' in fields) await requireSeats(tx, fields['domains'] as string[]);
  if ('sip_numbers' in fields) await giveNumbers(change, 'sip_numbers', 'userId');
  if ('identifiers' in fields) await giveIdentifiers(change);
  if (verb !== 'create' || fields['send_registration_link'] !== true) return;
  const [user] = await tx.select().from(users).where(eq(users.id, id));
  if (user) await invite(services, tx, user);
}

/** Nobody deletes themselves here, nobody whom they could not manage, and nobody the last one who may put right anything. */
export async function beforeUserDelete(change: Change): Promise<void> {
  const { id, principal, tx, services, later } = change;
  if (id === principal.id) throw new HttpError('deleting_prohibited');
  const role = await requireManageable(change);
  await requireAdministrator(change, role);
  const [user] = await tx.select({ avatar: users.avatarFile }).from(users).where(eq(users.id, id));
  const avatar = user?.avatar;
  if (avatar) later(() => removeFile(services, avatar));
}
