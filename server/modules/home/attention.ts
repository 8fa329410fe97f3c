import { and, eq, ne, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { stagesDevices } from '#models/demo-calls.ts';
import type { Attention } from '#models/home.ts';
import { hasPermission, scopesOf } from '#models/permissions.ts';
import { scopeOf, viewable } from '#server/access/scope.ts';
import type { Principal, Services } from '#server/context.ts';
import { deviceAlarms, devices, deviceTasks } from '#server/db/schema/index.ts';

type Watched = 'device-alarms' | 'device-tasks';
/** Whether somebody may see an area at all, in whatever scope. */
export const mayView = (principal: Principal, area: Watched | 'device-events'): boolean => scopesOf(principal, 'view', area).length > 0;
/** Devices of one's own making count as seen by anybody; whether they answer is for holders of a code. */
export const hearsDevices = (principal: Principal): boolean => hasPermission(principal, 'can_view_device_heartbeat');

async function openAlarms({ db }: Services, principal: Principal): Promise<Attention['alarms']> {
  if (!mayView(principal, 'device-alarms')) return null;
  const [counted] = await db
    .select({ open: sql`count(*)`.mapWith(Number), unclaimed: sql`count(*) filter (where ${deviceAlarms.claimedBy} is null)`.mapWith(Number) })
    .from(deviceAlarms)
    .where(and(viewable(scopeOf(principal), 'device-alarms'), ne(deviceAlarms.state, 'processed')));
  return counted ?? { open: 0, unclaimed: 0 };
}
const failedTasks = (services: Services, principal: Principal): Promise<number | null> =>
  mayView(principal, 'device-tasks')
    ? count(services, deviceTasks, and(viewable(scopeOf(principal), 'device-tasks'), eq(deviceTasks.status, 'error')))
    : Promise.resolve(null);
const silentDevices = (services: Services, principal: Principal): Promise<number | null> =>
  hearsDevices(principal) ? count(services, devices, and(viewable(scopeOf(principal), 'devices'), eq(devices.online, false))) : Promise.resolve(null);

const count = ({ db }: Services, table: PgTable, where: ReturnType<typeof and>): Promise<number> => db.$count(table, where);

/** What waits for a person, as the lists behind it count it. */
export async function readAttention(services: Services, principal: Principal): Promise<Attention> {
  const [alarms, devicesOffline, tasksFailed] = await Promise.all([
    openAlarms(services, principal),
    silentDevices(services, principal),
    failedTasks(services, principal),
  ]);
  return {
    alarms,
    devices_offline: devicesOffline,
    tasks_failed: tasksFailed,
    has_simulator: services.simulator !== undefined && hasPermission(principal, ...stagesDevices.codes),
  };
}
