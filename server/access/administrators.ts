import { and, arrayContains, eq, ne, sql } from 'drizzle-orm';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import type { Db } from '../db/database.ts';
import { projects, roles, users } from '../db/schema/index.ts';

/** What it takes to put right anything in a project: to see and change every user and every role. */
const administratorRights: readonly PermissionCode[] = ['can_view_all_users', 'can_edit_all_users', 'can_edit_all_roles'];

/** Whether these rights suffice to put right anything in a project. */
export const isAdministrator = (permissions: readonly string[]): boolean => administratorRights.every((code) => permissions.includes(code));

/**
 * Would the project keep somebody with administrator rights without this user, or without the holders of this role?
 * Holds the project's row meanwhile, so that two last ones cannot go at the same moment.
 */
export async function administratorRemains(tx: Db, projectId: string, without: { userId?: string; roleId?: string }): Promise<boolean> {
  await tx.execute(sql`select ${projects.id} from ${projects} where ${projects.id} = ${projectId} for update`);
  const [other] = await tx
    .select({ id: users.id })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(
      and(
        eq(users.projectId, projectId),
        arrayContains(roles.permissions, [...administratorRights]),
        without.userId ? ne(users.id, without.userId) : undefined,
        without.roleId ? ne(roles.id, without.roleId) : undefined,
      ),
    )
    .limit(1);
  return other !== undefined;
}
