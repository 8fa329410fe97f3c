import { sql } from 'drizzle-orm';
import { defineLogRepository } from '#server/crud/define-repository.ts';
import { isoTime } from '#server/crud/json.ts';
import { alarmCalls } from '#server/db/schema/index.ts';
import { shownPlace } from '../device-alarms/repository.ts';

/** SOS calls, as they are read. */
export const alarmCallsRepository = defineLogRepository({
  area: 'alarm-calls',
  table: alarmCalls,
  compared: {
    device: { column: alarmCalls.deviceId, area: 'devices' },
    group: { column: alarmCalls.domainId, area: 'groups' },
    device_name: { column: alarmCalls.deviceName },
    called_at: { column: alarmCalls.calledAt },
  },
  shown: (scope) => ({
    id: sql`${alarmCalls.id}`,
    version: sql`1`,
    created_at: isoTime(alarmCalls.createdAt),
    updated_at: isoTime(alarmCalls.createdAt),
    ...shownPlace(scope, alarmCalls),
    called_at: isoTime(alarmCalls.calledAt),
  }),
  dependants: [],
});
