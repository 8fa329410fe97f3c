import { sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { mayHappen } from '#machines/lifecycles/alarm.machine.ts';
import type { DeviceAlarm } from '#models/device-alarms.ts';
import type { ViewScope } from '#server/access/scope.ts';
import type { Change } from '#server/crud/repository.ts';
import { defineRepository } from '#server/crud/define-repository.ts';
import { pathTo } from '#server/crud/group-path.ts';
import { isoTime, oneNamed, onlySeen, personThen, stampsOf } from '#server/crud/json.ts';
import { deviceAlarms, devices, groups } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';

const alarms = deviceAlarms;

/** Where something happened, as rows of alarms and of SOS calls show it. */
export const shownPlace = (scope: ViewScope, { deviceId, deviceName, domainId }: Record<'deviceId' | 'deviceName' | 'domainId', PgColumn>) => ({
  device: oneNamed(devices, deviceId, onlySeen(scope, 'devices', devices.id)),
  device_name: sql`${deviceName}`,
  group: oneNamed(groups, domainId, onlySeen(scope, 'groups', groups.id)),
  path: pathTo(scope, domainId),
});

/** The comment belongs to whoever processed the alarm (spec A4.6). @throws HttpError `editing_prohibited` for anybody else. */
async function prepareComment({ principal, before }: Change): Promise<void> {
  if (!before || !mayHappen(before as unknown as DeviceAlarm, { type: 'alarm.comment', by: principal.id })) throw new HttpError('editing_prohibited');
}

/** What nobody has seen to yet is not put away. */
async function beforeAlarmDelete({ before }: Change): Promise<void> {
  if (before?.['state'] !== 'processed') throw new HttpError('deleting_prohibited');
}

/** Alarms in the database. */
export const deviceAlarmsRepository = defineRepository({
  area: 'device-alarms',
  table: alarms,
  compared: {
    state: { column: alarms.state },
    sensor: { column: alarms.sensor },
    device: { column: alarms.deviceId, area: 'devices' },
    group: { column: alarms.domainId, area: 'groups' },
    device_name: { column: alarms.deviceName },
    enabled_at: { column: alarms.enabledAt },
    claimed_by: { column: alarms.claimedBy, area: 'users' },
    processed_by: { column: alarms.processedBy, area: 'users' },
    processed_at: { column: alarms.processedAt },
    comment: { column: alarms.comment },
  },
  shown: (scope) => ({
    ...stampsOf(alarms),
    alarm_id: sql`${alarms.id}`,
    ...shownPlace(scope, alarms),
    sensor: sql`${alarms.sensor}`,
    state: sql`${alarms.state}`,
    enabled_at: isoTime(alarms.enabledAt),
    disabled_at: isoTime(alarms.disabledAt),
    claimed_by: personThen(scope, alarms.claimedBy, alarms.claimedByName),
    claimed_at: isoTime(alarms.claimedAt),
    processed_by: personThen(scope, alarms.processedBy, alarms.processedByName),
    processed_at: isoTime(alarms.processedAt),
    comment: sql`${alarms.comment}`,
  }),
  dependants: [],
  written: { comment: 'comment' },
  prepare: prepareComment,
  beforeDelete: beforeAlarmDelete,
});
