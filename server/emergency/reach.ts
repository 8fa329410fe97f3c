import { type SQL, sql } from 'drizzle-orm';
import type { DeviceType } from '#models/device-models.ts';
import { hasDoor } from '#models/device-models.ts';
import type { Db } from '../db/database.ts';
import { devices, emergencyAlertGroups, groups, roles, userDomains, users } from '../db/schema/index.ts';

interface Alert {
  id: string;
  projectId: string;
  deviceType: DeviceType;
}

const chosen = (id: string): SQL =>
  sql`array(select ${emergencyAlertGroups.groupId} from ${emergencyAlertGroups} where ${emergencyAlertGroups.alertId} = ${id})`;
/** The chosen groups and all below them. */
const inside = (id: string): SQL => sql`select ${groups.id} from ${groups} where ${groups.path} && ${chosen(id)}`;

/**
 * The people of the groups and of all below, whoever starts it: who made the alert chose them. Besides them those who look after these groups from
 * above and may view alerts, and whoever starts it.
 */
export const peopleOfAlert = ({ id, projectId }: Pick<Alert, 'id' | 'projectId'>, starter: string): SQL => sql`
  select ${users.id} as id from ${users} left join ${roles} on ${roles.id} = ${users.roleId}
  where ${users.projectId} = ${projectId} and (${users.id} = ${starter}
    or ${users.id} in (select ${userDomains.userId} from ${userDomains} where ${userDomains.groupId} in (${inside(id)}))
    or ('can_view_emergency_alerts' = any(${roles.permissions}) and ${users.id} in (select ${userDomains.userId} from ${userDomains}
      where ${userDomains.groupId} in (select unnest(${groups.path}) from ${groups} where ${groups.id} = any(${chosen(id)})))))`;

interface Found extends Record<string, unknown> {
  id: string;
  name: string;
  type: string;
  model: string;
}

/** Devices of the groups that can be told something now: one that comes back later must not begin to shout. */
async function devicesOf(tx: Db, { id, projectId }: Alert, which: SQL): Promise<Found[]> {
  const { rows } = await tx.execute<Found>(sql`
    select ${devices.id} as id, ${devices.name} as name, ${devices.type} as type, ${devices.model} as model from ${devices}
    where ${devices.projectId} = ${projectId} and ${devices.domainId} in (${inside(id)}) and ${which}
      and (${devices.protocol} = 'http' or (${devices.protocol} = 'mqtt' and ${devices.online} is true))
    order by lower(${devices.name}), ${devices.id}`);
  return rows;
}

/** Where an alert is played. */
export const playersOfAlert = (tx: Db, alert: Alert): Promise<Found[]> => devicesOf(tx, alert, sql`${devices.type} = ${alert.deviceType}`);

/** The doors an alert opens. */
export const doorsOfAlert = async (tx: Db, alert: Alert): Promise<Found[]> =>
  (await devicesOf(tx, alert, sql`true`)).filter((device) => hasDoor(device));
