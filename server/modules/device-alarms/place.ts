import { and, arrayContains, eq, or, type SQL, sql } from 'drizzle-orm';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import { scopesOf } from '#models/permissions.ts';
import type { Db } from '#server/db/database.ts';
import { devices, groups, roles, userDomains, users } from '#server/db/schema/index.ts';

/** A device as alarms remember it. */
export interface Place {
  projectId: string;
  deviceId: string;
  deviceName: string;
  domainId: string;
  createdBy: string | null;
  group: string;
}

/** Where a device is; null for one that is gone. */
export async function placeOf(tx: Db, deviceId: string): Promise<Place | null> {
  const [place] = await tx
    .select({
      projectId: devices.projectId,
      deviceId: devices.id,
      deviceName: devices.name,
      domainId: devices.domainId,
      createdBy: devices.createdBy,
      group: groups.name,
    })
    .from(devices)
    .innerJoin(groups, eq(groups.id, devices.domainId))
    .where(eq(devices.id, deviceId));
  return place ?? null;
}

const inGroups = (condition: SQL): SQL => sql`${users.id} in (select ${userDomains.userId} from ${userDomains} where ${condition})`;

/** The people whom a role's rights let see a device, as a condition on users. */
function reachedBy(permissions: readonly string[], { domainId, createdBy }: Place): SQL | undefined {
  const scopes = scopesOf({ permissions }, 'view', 'devices');
  if (scopes.includes('all')) return sql`true`;
  return or(
    scopes.includes('descendants')
      ? inGroups(sql`${userDomains.groupId} = any((select ${groups.path} from ${groups} where ${groups.id} = ${domainId})::uuid[])`)
      : undefined,
    scopes.includes('domain') ? inGroups(eq(userDomains.groupId, domainId)) : undefined,
    scopes.includes('own') && createdBy ? eq(users.id, createdBy) : undefined,
  );
}

/** The ids of all who hold a code and may see the device, as a query. */
export async function watchersOf(tx: Db, place: Place, code: PermissionCode): Promise<SQL> {
  const holders = await tx
    .select({ id: roles.id, permissions: roles.permissions })
    .from(roles)
    .where(and(eq(roles.projectId, place.projectId), arrayContains(roles.permissions, [code])));
  const each = holders.flatMap(({ id, permissions }) => {
    const reached = reachedBy(permissions, place);
    return reached ? [and(eq(users.roleId, id), reached)] : [];
  });
  return sql`select ${users.id} from ${users} where ${or(...each) ?? sql`false`}`;
}
