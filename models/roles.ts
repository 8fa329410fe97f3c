import { z } from 'zod';
import { defineModel, named, type RowOf } from './define-model.ts';
import { permissionCodes } from './permission-catalogue.ts';
import { hasPermission } from './permissions.ts';
import { flag, name, optionalText, refs } from './rules.ts';

/** Roles (the spec calls them profiles): a set of permissions, and the roles its holders may assign or edit. */
export const roles = defineModel({
  name: 'roles',
  fields: {
    name: name(),
    description: optionalText(),
    permissions: z
      .array(z.enum(permissionCodes as [string, ...string[]]))
      .max(1_000)
      .transform((codes) => [...new Set(codes)].toSorted())
      .meta({ kind: 'permissions' }),
    available_roles: refs('roles'),
    requires_second_factor: flag(),
  },
  shown: {
    permissions: z.array(z.string()),
    available_roles: z.array(named),
    created_by_user: named.nullable(),
    users_count: z.int(),
  },
  initial: { name: '', description: '', permissions: [], available_roles: [], requires_second_factor: false },
  filters: { name: 'text', description: 'text', created_by_user: 'ref', created_at: 'time' },
  sorts: ['name', 'created_at', 'updated_at'],
});
export type Role = RowOf<typeof roles>;

/** A role as far as giving it to somebody is concerned. */
export interface AssignableRole {
  id: string;
  permissions: readonly string[];
  createdBy: string | null;
}
/** Who would give it. */
export interface RoleGiver {
  id: string;
  permissions: readonly string[];
  availableRoles: readonly string[];
}

/** Does the role hold nothing that its giver lacks? */
export const isWithinOwn = (giver: Pick<RoleGiver, 'permissions'>, { permissions }: Pick<AssignableRole, 'permissions'>): boolean =>
  permissions.every((code) => giver.permissions.includes(code));

/**
 * May somebody give this role to others? One available to their own role is theirs to give: whoever made it available
 * was allowed to. One they made, or any when they may view all roles, only as far as it holds nothing they lack, or they
 * may grant more than their own.
 */
export function mayAssign(giver: RoleGiver, role: AssignableRole): boolean {
  if (giver.availableRoles.includes(role.id)) return true;
  const within = role.createdBy === giver.id || hasPermission(giver, 'can_view_all_roles');
  return within && (isWithinOwn(giver, role) || hasPermission(giver, 'can_grant_more_than_own'));
}
