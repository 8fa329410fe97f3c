import { eq, sql } from 'drizzle-orm';
import { defaultDeviceSettings } from '#models/device-settings.ts';
import { deviceCodes } from '#models/devices.ts';
import type { ViewScope } from '#server/access/scope.ts';
import { byRules } from '#server/crud/repository.ts';
import { defineRepository } from '#server/crud/define-repository.ts';
import { oneGroup, pathTo } from '#server/crud/group-path.ts';
import { inNameOrder, isoTime, jsonObject, linkedRows, noRow, noRows, stampsOf, isShown } from '#server/crud/json.ts';
import { accessRules, devices, deviceTasks, elevatorControllers, elevators, groups, sipNumbers } from '#server/db/schema/index.ts';
import { rulesOfDevice } from '../access-rules/links.ts';
import { numberWith } from '../sip-numbers/columns.ts';
import { prepareDevice, settleDevice } from './rules.ts';

const { status: heartbeat, tasks_count: tasks } = deviceCodes;
const status = sql`case when ${devices.online} then 'online' when not ${devices.online} then 'offline' end`;
const { password: _never, ...sip } = defaultDeviceSettings.sip;
const defaults = JSON.stringify({ ...defaultDeviceSettings, sip });
const settings = sql`jsonb_set(${defaults}::jsonb || ${devices.settings}, '{sip,has_password}', to_jsonb(${devices.sipPasswordCipher} is not null))`;
const syncErrors = sql`(jsonb_array_length(${devices.syncErrors} -> 'identifiers') + jsonb_array_length(${devices.syncErrors} -> 'schedules'))`;

/** How many tasks of a device stand in one of these statuses; null where tasks are not told. */
const tasksIn = (scope: ViewScope, ...statuses: string[]) =>
  isShown(scope, tasks)
    ? sql`(select count(*)::int from ${deviceTasks} where ${deviceTasks.deviceId} = ${devices.id} and ${deviceTasks.status} in (${sql.join(
        statuses.map((word) => sql`${word}`),
        sql`, `,
      )}))`
    : sql`0`;
const failed = sql`(select count(*) from ${deviceTasks} where ${deviceTasks.deviceId} = ${devices.id} and ${deviceTasks.status} = 'error')`;

const info = (scope: ViewScope) =>
  jsonObject({
    status: isShown(scope, heartbeat) ? status : sql`null::text`,
    firmware: devices.firmware,
    settings_applied_at: isoTime(devices.settingsAppliedAt),
    synced_at: isoTime(devices.syncedAt),
    sync_errors: syncErrors,
  });

/** Devices in the database. Secrets go in (rules.ts) and never come out here. */
export const devicesRepository = defineRepository({
  area: 'devices',
  table: devices,
  compared: {
    id: { column: devices.id },
    name: { column: devices.name },
    login: { column: devices.login },
    type: { column: devices.type },
    model: { column: devices.model },
    domain: {
      column: devices.domainId,
      area: 'groups',
      order: sql`(select ${inNameOrder(groups.name)} from ${groups} where ${groups.id} = ${devices.domainId})`,
    },
    protocol: { column: devices.protocol },
    ip_address: { column: devices.ipAddress },
    status: { column: status, code: heartbeat },
    status_at: { column: devices.statusAt, code: heartbeat },
    errors_count: { column: failed, code: tasks },
    created_at: { column: devices.createdAt },
    updated_at: { column: devices.updatedAt },
  },
  shown: (scope, deep) => ({
    ...stampsOf(devices),
    name: sql`${devices.name}`,
    description: sql`${devices.description}`,
    type: sql`${devices.type}`,
    model: sql`${devices.model}`,
    login: sql`${devices.login}`,
    domain: oneGroup(scope, devices.domainId),
    access_rules: !deep || deep.has('access_rules') ? linkedRows(scope, rulesOfDevice, accessRules, devices.id) : noRows,
    protocol: sql`${devices.protocol}`,
    ip_address: sql`${devices.ipAddress}`,
    port: sql`${devices.port}`,
    device_login: sql`${devices.deviceLogin}`,
    sip_number: numberWith(scope, eq(sipNumbers.deviceId, devices.id)),
    location: jsonObject({ latitude: devices.latitude, longitude: devices.longitude }),
    get_logs: sql`${devices.getLogs}`,
    management: sql`${devices.management}`,
    device_settings: settings,
    status: isShown(scope, heartbeat) ? status : noRow,
    status_at: isShown(scope, heartbeat) ? isoTime(devices.statusAt) : noRow,
    device_info: info(scope),
    has_password: sql`(${devices.passwordCipher} is not null)`,
    has_device_password: sql`(${devices.devicePasswordCipher} is not null)`,
    tasks_count: tasksIn(scope, 'new', 'queued', 'started', 'waiting'),
    errors_count: tasksIn(scope, 'error'),
    path: pathTo(scope, devices.domainId),
    created_by: sql`${devices.createdBy}`,
  }),
  dependants: [
    {
      area: 'elevators',
      where: (id) =>
        sql`${elevators.id} in (select ${elevatorControllers.elevatorId} from ${elevatorControllers} where ${elevatorControllers.deviceId} = ${id})`,
    },
  ],
  written: {
    name: 'name',
    description: 'description',
    type: 'type',
    model: 'model',
    login: 'login',
    domain: 'domainId',
    access_rules: { link: rulesOfDevice },
    protocol: 'protocol',
    ip_address: 'ipAddress',
    port: 'port',
    password: byRules,
    device_login: 'deviceLogin',
    device_password: byRules,
    sip_number: byRules,
    location: { parts: { latitude: 'latitude', longitude: 'longitude' } },
    get_logs: 'getLogs',
    management: 'management',
    device_settings: byRules,
  },
  prepare: prepareDevice,
  settle: settleDevice,
});
