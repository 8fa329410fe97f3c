import { z } from 'zod';
import { defineModel, named, type RowOf } from './define-model.ts';
import { permissionCodes } from './permissions.ts';
import { name, optionalText, refs } from './rules.ts';

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
  },
  shown: {
    permissions: z.array(z.string()),
    available_roles: z.array(named),
    created_by_user: named.nullable(),
    users_count: z.int(),
  },
  label: 'name',
  initial: { name: '', description: '', permissions: [], available_roles: [] },
  filters: { name: 'text', description: 'text', created_by_user: 'ref', created_at: 'time' },
  sorts: ['name', 'created_at', 'updated_at'],
  defaultSort: ['name'],
  search: ['name'],
});
export type Role = RowOf<typeof roles>;
