import { eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type ViewScope, viewable } from '#server/access/scope.ts';
import type { Link } from '#server/crud/repository.ts';
import { defineRepository } from '#server/crud/define-repository.ts';
import { declared, linkedRows, oneNamed, onlySeen, stampsOf } from '#server/crud/json.ts';
import { availableRoles, roles, users } from '#server/db/schema/index.ts';
import { prepareRole } from './rules.ts';

const available: Link = { area: 'roles', table: availableRoles, own: availableRoles.roleId, other: availableRoles.availableId };
const other = alias(roles, 'other');
const holders = (scope: ViewScope) => sql`(select count(*)::int from ${users} where ${users.roleId} = ${roles.id} and ${viewable(scope, 'users')})`;

/** Roles in the database. */
export const rolesRepository = defineRepository({
  area: 'roles',
  table: roles,
  compared: {
    name: { column: roles.name },
    description: { column: roles.description },
    created_by_user: { column: roles.createdBy, area: 'users' },
    created_at: { column: roles.createdAt },
    updated_at: { column: roles.updatedAt },
  },
  shown: (scope) => ({
    ...stampsOf(roles),
    name: sql`${roles.name}`,
    description: sql`${roles.description}`,
    permissions: sql`to_json(${roles.permissions})`,
    available_roles: linkedRows(scope, available, other, roles.id, {}, declared(roles, 'other')),
    created_by_user: oneNamed(users, roles.createdBy, onlySeen(scope, 'users', users.id)),
    requires_second_factor: sql`${roles.requiresSecondFactor}`,
    users_count: holders(scope),
  }),
  dependants: [{ area: 'users', where: (id) => eq(users.roleId, id) }],
  written: {
    name: 'name',
    description: 'description',
    permissions: 'permissions',
    available_roles: { link: available },
    requires_second_factor: 'requiresSecondFactor',
  },
  prepare: prepareRole,
});
