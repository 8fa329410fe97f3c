import type { Group } from '#models/groups.ts';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import { hasPermission } from '#models/permissions.ts';
import type { Profile } from '#models/profile.ts';
import type { Facts } from '#src/views/area/resource.ts';
import { actorOf } from '#src/views/profile-of.ts';

/**
 * Whether a part of the form is locked: of one's own group each part has its code; a group below needs the code for
 * groups below; all groups may be changed by those who may edit all. A part without a code is for those who edit the whole.
 */
export function mayManage(code: PermissionCode | null) {
  return ({ profile, row }: Pick<Facts<unknown, Group>, 'profile' | 'row'>): boolean => {
    if (row === null) return false;
    const actor = actorOf(profile);
    if (hasPermission(actor, 'can_edit_all_groups')) return false;
    const needed = actor.domains.includes(row.id) ? code : 'can_edit_descendant_groups';
    return needed === null || !hasPermission(actor, needed);
  };
}

/** Whether the licence is locked: one's own group's, those below and all others are each for holders of a code of their own. */
export function licenceLocked({ profile, row }: Pick<Facts<unknown, Group>, 'profile' | 'row'>): boolean {
  const actor = actorOf(profile);
  if (row === null || hasPermission(actor, 'can_manage_all_domain_licenses')) return row === null;
  return !hasPermission(actor, actor.domains.includes(row.id) ? 'can_manage_own_domain_licenses' : 'can_manage_descendant_licenses');
}

/** May the person put groups below this one. */
export const mayGenerate = (profile: Profile): boolean => hasPermission(actorOf(profile), 'can_create_descendant_group', 'can_create_root_group');
