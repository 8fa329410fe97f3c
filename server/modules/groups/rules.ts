import { and, eq, inArray, isNull } from 'drizzle-orm';
import { type GroupLicence, initialGroupLicence } from '#models/licences.ts';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import { hasPermission } from '#models/permissions.ts';
import { inScope } from '#server/access/scope.ts';
import type { Principal } from '#server/context.ts';
import type { Change } from '#server/crud/repository.ts';
import { isSame } from '#server/crud/same.ts';
import type { Db } from '#server/db/database.ts';
import { groupHolidays, groupNotify, groups, userDomains, users } from '#server/db/schema/index.ts';
import { removeFile } from '#server/files.ts';
import { invalidField } from '#server/http-error.ts';
import { requireFeature } from '#server/licences/features.ts';
import { requireConsistent, managesLicence } from '#server/licences/group-change.ts';
import { startLicence } from '#server/licences/group-start.ts';
import { requireSeats } from '#server/licences/seats.ts';
import { notifyLicenceChange } from '#server/licences/store.ts';
import { clearFloors, takeElevators } from '../elevators/of-group.ts';
import { takeDevices } from '../devices/of-group.ts';
import { takeTemplates } from '../mail-templates/of-group.ts';
import { requireMayGive } from '../access-rules/rules.ts';
import { requireIntegrationsBelow, requireMayLinkIntegrations } from '../integrations/rules.ts';
import { refusedField } from '../roles/rules.ts';
import { giveNumbers } from '../sip-numbers/give.ts';
import { requireForwardable, writeQueues } from './forwarding.ts';
import { requirePlace, holdTree, isUnder, move } from './tree-moves.ts';

/** Which permission opens which part of one's own group; what stands here under none is for those who edit the whole group. */
const parts: Partial<Record<PermissionCode, readonly string[]>> = {
  can_manage_own_group_general: ['name', 'description', 'domain_type_id', 'logic_address'],
  can_manage_own_group_users: ['users'],
  can_manage_own_group_access_rules: ['access_rules', 'time_zone_name', 'holidays'],
  can_manage_own_group_devices: ['devices', 'elevators'],
  can_manage_own_group_forward_settings: ['forward_rules', 'sip_number', 'forward_settings'],
  can_manage_own_group_guest_access: ['guest_identifier_limits'],
  can_manage_own_group_notifications: ['device_status_notify'],
  can_manage_own_group_white_label: ['whitelabel', 'apple_wallet'],
  can_manage_own_group_mail_templates: ['mail_templates'],
  can_manage_own_group_integrations: ['integrations'],
};

/** May the principal change everything of this group: as one who edits all, or as one above it? */
async function editsWhole(tx: Db, principal: Principal, id: string): Promise<boolean> {
  if (hasPermission(principal, 'can_edit_all_groups')) return true;
  if (!hasPermission(principal, 'can_edit_descendant_groups')) return false;
  const [below] = await tx
    .select({ id: groups.id })
    .from(groups)
    .where(and(eq(groups.id, id), inScope(principal, 'below', 'groups')));
  return below !== undefined;
}

/** Of one's own group one changes the parts one was given; the licence of any group is for those who manage it. @throws HttpError `forbidden` naming the first field of another part */
export async function requireParts(tx: Db, principal: Principal, id: string, fields: readonly string[]): Promise<void> {
  const others = fields.filter((field) => field !== 'licenseInfo');
  if (others.length < fields.length && !(await managesLicence(tx, principal, id))) throw refusedField('licenseInfo', 'not_allowed');
  if (await editsWhole(tx, principal, id)) return;
  const own = principal.domains.includes(id);
  const open = Object.entries(parts).flatMap(([code, names]) => (own && principal.permissions.includes(code) ? names : []));
  const closed = others.find((field) => !open.includes(field));
  if (closed) throw refusedField(closed, 'not_allowed');
}

/** Holds the shape of the tree while it changes: for one who adds, so that nothing moves; for one who moves or deletes, alone. */
export async function holdGroup(tx: Db, { projectId }: Principal, verb: Change['verb'], fields: Record<string, unknown>): Promise<void> {
  if (verb === 'create') await holdTree(tx, projectId, 'share');
  else if (verb === 'delete' || 'parent_id' in fields) await holdTree(tx, projectId, 'update');
}

/** The rules of groups before one is made or changed; answers the place in the tree and what a new group starts with. */
export async function prepareGroup(change: Change): Promise<Record<string, unknown>> {
  const { services, tx, principal, verb, id, fields } = change;
  const parentId = (fields['parent_id'] ?? null) as string | null;
  // An empty address is none: only real ones are told apart among neighbours.
  await requireMayGive(change);
  await requireMayLinkIntegrations(change);
  const address = 'logic_address' in fields ? { logicAddress: fields['logic_address'] || null } : {};
  if (verb === 'create') {
    const above = await requirePlace(tx, principal, parentId, 1);
    if ('licenseInfo' in fields && !isSame(fields['licenseInfo'], initialGroupLicence)) throw refusedField('licenseInfo', 'not_allowed');
    return { ...address, licence: await startLicence(services, tx, principal.projectId, parentId), path: [...above, id] };
  }
  await requireParts(tx, principal, id, Object.keys(fields));
  if ('whitelabel' in fields || 'apple_wallet' in fields) await requireFeature({ ...services, db: tx }, principal, 'whiteLabel');
  if ('licenseInfo' in fields) await requireConsistent(services, tx, principal, id, fields['licenseInfo'] as GroupLicence);
  if ('parent_id' in fields && parentId && (await isUnder(tx, parentId, id))) throw invalidField(['parent_id'], 'own_child');
  return address;
}

/** What follows from a group that was written: the paths below it, who is told of devices, and that nobody is left without a group. */
export async function settleGroup(change: Change): Promise<void> {
  const { tx, principal, verb, id, fields, before } = change;
  if (verb === 'edit' && 'parent_id' in fields) {
    await move(tx, principal, id, fields['parent_id'] as string | null);
    await requireConsistent(change.services, tx, principal, id);
  }
  if ('device_status_notify' in fields) await writeNotify(change);
  if ('holidays' in fields) await writeHolidays(change);
  await requireIntegrationsBelow(change);
  if ('devices' in fields) await takeDevices(change);
  if ('elevators' in fields) await takeElevators(change);
  if ('mail_templates' in fields) await takeTemplates(change);
  if ('sip_number' in fields) await giveNumbers(change, 'sip_number', 'domainId');
  if ('forward_settings' in fields) await writeQueues(change);
  if ('forward_settings' in fields || 'users' in fields) await requireForwardable(change);
  const were = ((before?.['users'] ?? []) as { id: string }[]).map((user) => user.id);
  const are = fields['users'] as string[] | undefined;
  if (are?.some((user) => !were.includes(user))) await requireSeats(tx, [id]);
  if (are)
    await requireGrouped(
      tx,
      were.filter((user) => !are.includes(user)),
    );
  if (verb === 'edit' && ('licenseInfo' in fields || 'parent_id' in fields)) await notifyLicenceChange(tx, principal.projectId);
}

interface Notify {
  user: string;
  device_offline: boolean;
  device_task_failed: boolean;
}
async function writeNotify({ tx, id, fields, before }: Change): Promise<void> {
  const shown = ((before?.['device_status_notify'] ?? []) as { user: { id: string } }[]).map(({ user }) => user.id);
  if (shown.length > 0) await tx.delete(groupNotify).where(and(eq(groupNotify.groupId, id), inArray(groupNotify.userId, shown)));
  const wanted = new Map((fields['device_status_notify'] as Notify[]).map((item) => [item.user, item]));
  const rows = [...wanted.values()].map((item) => ({
    groupId: id,
    userId: item.user,
    deviceOffline: item.device_offline,
    deviceTaskFailed: item.device_task_failed,
  }));
  if (rows.length > 0) await tx.insert(groupNotify).values(rows).onConflictDoNothing();
}

async function writeHolidays({ tx, id, fields }: Change): Promise<void> {
  await tx.delete(groupHolidays).where(eq(groupHolidays.groupId, id));
  const rows = (fields['holidays'] as { date: string; name: string }[]).map((day) => ({ groupId: id, ...day }));
  if (rows.length > 0) await tx.insert(groupHolidays).values(rows);
}

/** A user must belong to at least one group, also when a group lets them go. */
async function requireGrouped(tx: Db, removed: readonly string[]): Promise<void> {
  if (removed.length === 0) return;
  const [left] = await tx
    .select({ name: users.name })
    .from(users)
    .leftJoin(userDomains, eq(userDomains.userId, users.id))
    .where(and(inArray(users.id, [...removed]), isNull(userDomains.userId)))
    .limit(1);
  if (left) throw invalidField(['users'], 'user_needs_group', { name: left.name });
}

/** A group that goes takes its logo along, and lies on no floor of an elevator any more; children and people stand in the way before that. */
export async function beforeGroupDelete({ tx, id, services, later }: Change): Promise<void> {
  const [group] = await tx.select({ logo: groups.logoFile }).from(groups).where(eq(groups.id, id));
  const logo = group?.logo;
  if (logo) later(() => removeFile(services, logo));
  await clearFloors(tx, id);
}
