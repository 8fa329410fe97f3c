import { eq, sql } from 'drizzle-orm';
import { type AreaScope, everything, idArray } from '#server/access/measures.ts';
import { roles, users } from '#server/db/schema/index.ts';

export const rolesScope: AreaScope = {
  table: roles,
  measures: {
    all: () => everything,
    own: (principal) => eq(roles.createdBy, principal.id),
    available: (principal) => sql`${roles.id} = any(${idArray(principal.availableRoles)})`,
    held: (_principal, seen) => sql`${roles.id} in (select ${users.roleId} from ${users} where ${seen.where('users')})`,
  },
};
