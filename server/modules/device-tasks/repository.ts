import { inArray, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { ViewScope } from '#server/access/scope.ts';
import { onlySeen, oneNamed, isoTime } from '#server/crud/json.ts';
import { defineLogRepository } from '#server/crud/define-repository.ts';
import { devices, deviceTasks, users } from '#server/db/schema/index.ts';
import { keysSaying } from '#server/texts.ts';

const { kind, deviceId, status, attempts, error, createdBy, createdAt, updatedAt, queuedAt, startedAt, finishedAt, version } = deviceTasks;

/** Reasons that are said in words are found by these, in any language; the others by what the device said. */
const inWords = (_: ViewScope, holds: (column: PgColumn | SQL) => SQL, text: string): SQL =>
  sql`(${or(holds(error), inArray(error, keysSaying('areas.devices.reasons', text)))})`;

/** The tasks of devices, as they are read; they are made by what people do with devices. */
export const deviceTasksRepository = defineLogRepository({
  area: 'device-tasks',
  table: deviceTasks,
  compared: {
    kind: { column: kind },
    status: { column: status },
    device: { column: deviceId, area: 'devices', order: sql`(select lower(${devices.name}) from ${devices} where ${devices.id} = ${deviceId})` },
    user: { column: createdBy, area: 'users' },
    error: { column: error, containing: inWords },
    created_at: { column: createdAt },
    started_at: { column: startedAt },
    finished_at: { column: finishedAt },
  },
  shown: (scope) => ({
    id: sql`${deviceTasks.id}`,
    version: sql`${version}`,
    created_at: isoTime(createdAt),
    updated_at: isoTime(updatedAt),
    kind: sql`${kind}`,
    device: oneNamed(devices, deviceId),
    status: sql`${status}`,
    attempts: sql`${attempts}`,
    error: sql`${error}`,
    user: oneNamed(users, createdBy, onlySeen(scope, 'users', users.id)),
    queued_at: isoTime(queuedAt),
    started_at: isoTime(startedAt),
    finished_at: isoTime(finishedAt),
  }),
  dependants: [],
});
