import { and, eq, inArray, or, sql } from 'drizzle-orm';
import { hasPermission } from '#models/permissions.ts';
import { type AssignableRole, isWithinOwn, mayAssign } from '#models/roles.ts';
import { administratorRemains, isAdministrator } from '#server/access/administrators.ts';
import { idArray } from '#server/access/measures.ts';
import type { Principal } from '#server/context.ts';
import type { Change } from '#server/crud/repository.ts';
import type { Db } from '#server/db/database.ts';
import { roles } from '#server/db/schema/index.ts';
import { HttpError, unknownRelated } from '#server/http-error.ts';

/** A field that may not be changed in this way: said at the field, and kept in the trail of refusals. */
export const refusedField = (field: string, rule: string, params: Record<string, string | number> = {}): HttpError =>
  new HttpError('forbidden', { issues: [{ path: [field], rule, params }] });

const grantsMore = (principal: Principal): boolean => hasPermission(principal, 'can_grant_more_than_own');
const codesOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const idsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map((item) => (typeof item === 'string' ? item : String((item as { id: unknown }).id))) : [];
const added = (now: readonly string[], before: readonly string[]): string[] => now.filter((item) => !before.includes(item));

/**
 * Nobody puts a permission into a role that they do not hold themselves, unless they may grant more than their own; what
 * the role had before may stay. Into one's own role nobody puts anything one lacks, whatever one may grant (no self-grant).
 */
function requireGrantable({ principal, id, before, fields }: Change): void {
  const missing = added(codesOf(fields['permissions']), codesOf(before?.['permissions'])).filter((code) => !principal.permissions.includes(code));
  if (missing.length > 0 && (id === principal.roleId || !grantsMore(principal))) throw refusedField('permissions', 'more_than_own');
}

/** Roles made available to holders of a role: those available to oneself and those one made, unless one may grant more. */
async function requireAvailable({ tx, principal, id, before, fields }: Change): Promise<void> {
  if (!('available_roles' in fields) || grantsMore(principal)) return;
  const fresh = added(idsOf(fields['available_roles']), idsOf(before?.['available_roles']));
  if (fresh.length === 0) return;
  if (id === principal.roleId) throw refusedField('available_roles', 'own_role');
  const allowed = await tx
    .select({ id: roles.id })
    .from(roles)
    .where(and(inArray(roles.id, fresh), or(eq(roles.createdBy, principal.id), sql`${roles.id} = any(${idArray(principal.availableRoles)})`)));
  if (allowed.length < fresh.length) throw refusedField('available_roles', 'role_beyond_own');
}

/** The rules of roles before one is made or changed. */
export async function prepareRole(change: Change): Promise<void> {
  const { tx, principal, id, before, fields } = change;
  requireGrantable(change);
  await requireAvailable(change);
  const loses =
    before && 'permissions' in fields && isAdministrator(codesOf(before['permissions'])) && !isAdministrator(codesOf(fields['permissions']));
  if (loses && !(await administratorRemains(tx, principal.projectId, { roleId: id }))) throw new HttpError('editing_prohibited');
}

/** Reads a role of the project. */
export async function readAssignable(tx: Db, projectId: string, id: string): Promise<AssignableRole> {
  const [role] = await tx
    .select({ id: roles.id, permissions: roles.permissions, createdBy: roles.createdBy })
    .from(roles)
    .where(and(eq(roles.id, id), eq(roles.projectId, projectId)));
  if (!role) throw unknownRelated([id]);
  return role;
}

/** May the principal manage holders of this role: those they could give it to, and those who may do no more than they. */
export const mayManageHolders = (principal: Principal, role: AssignableRole): boolean =>
  mayAssign(principal, role) || isWithinOwn(principal, role) || grantsMore(principal);
