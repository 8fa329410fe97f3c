import { and, eq, ne, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { stagesDevices } from '#models/demo-calls.ts';
import type { Attention } from '#models/home.ts';
import { holds, scopesOf } from '#models/permissions.ts';
import { sightOf, viewable } from '#server/access/scope.ts';
import type { Asker, Services } from '#server/context.ts';
import { deviceAlarms, devices, deviceTasks } from '#server/db/schema/index.ts';

type Watched = 'device-alarms' | 'device-tasks';
/** Whether somebody may see an area at all, in whatever scope. */
export const mayView = (asker: Asker, area: Watched | 'device-events'): boolean => scopesOf(asker, 'view', area).length > 0;
/** Devices of one's own making count as seen by anybody; whether they answer is for holders of a code. */
export const hearsDevices = (asker: Asker): boolean => holds(asker, 'can_view_device_heartbeat');

async function openAlarms({ db }: Services, asker: Asker): Promise<Attention['alarms']> {
  if (!mayView(asker, 'device-alarms')) return null;
  const [counted] = await db
    .select({ open: sql`count(*)`.mapWith(Number), unclaimed: sql`count(*) filter (where ${deviceAlarms.claimedBy} is null)`.mapWith(Number) })
    .from(deviceAlarms)
    .where(and(viewable(sightOf(asker), 'device-alarms'), ne(deviceAlarms.state, 'processed')));
  return counted ?? { open: 0, unclaimed: 0 };
}
const failedTasks = (services: Services, asker: Asker): Promise<number | null> =>
  mayView(asker, 'device-tasks')
    ? count(services, deviceTasks, and(viewable(sightOf(asker), 'device-tasks'), eq(deviceTasks.status, 'error')))
    : Promise.resolve(null);
const silentDevices = (services: Services, asker: Asker): Promise<number | null> =>
  hearsDevices(asker) ? count(services, devices, and(viewable(sightOf(asker), 'devices'), eq(devices.online, false))) : Promise.resolve(null);

const count = ({ db }: Services, table: PgTable, where: ReturnType<typeof and>): Promise<number> => db.$count(table, where);

/** What waits for a person, as the lists behind it count it. */
export async function readAttention(services: Services, asker: Asker): Promise<Attention> {
  const [alarms, devicesOffline, tasksFailed] = await Promise.all([
    openAlarms(services, asker),
    silentDevices(services, asker),
    failedTasks(services, asker),
  ]);
  return {
    alarms,
    devices_offline: devicesOffline,
    tasks_failed: tasksFailed,
    has_simulator: services.simulator !== undefined && holds(asker, ...stagesDevices.codes),
  };
}
