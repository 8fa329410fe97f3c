import { type SQL, sql } from 'drizzle-orm';
import type { Link } from '#server/crud/repository.ts';
import { defineRepository } from '#server/crud/define-repository.ts';
import { namesAlong } from '#server/crud/group-path.ts';
import { isoTime, linkedRows, stampsOf } from '#server/crud/json.ts';
import { emergencyAlertGroups, emergencyAlertRecipients, emergencyAlerts, groups } from '#server/db/schema/index.ts';
import { beforeAlertDelete, prepareAlert } from './rules.ts';

const { id, name, message, deviceType, playbackDuration, openLocks, filename, status, isDrill, startedAt, endedAt, createdAt, updatedAt, createdBy } =
  emergencyAlerts;

const toGroups: Link = { area: 'groups', table: emergencyAlertGroups, own: emergencyAlertGroups.alertId, other: emergencyAlertGroups.groupId };
const recipients = (which: SQL): SQL =>
  sql`(select count(*)::int from ${emergencyAlertRecipients} where ${emergencyAlertRecipients.alertId} = ${id} and ${which})`;

/** Emergency alerts in the database. */
export const emergencyAlertsRepository = defineRepository({
  area: 'emergency-alerts',
  table: emergencyAlerts,
  compared: {
    name: { column: name },
    message: { column: message },
    status: { column: status },
    device_type: { column: deviceType },
    domains: { link: toGroups },
    open_locks: { column: openLocks },
    started_at: { column: startedAt },
    created_at: { column: createdAt },
    updated_at: { column: updatedAt },
  },
  shown: (scope) => ({
    ...stampsOf(emergencyAlerts),
    name: sql`${name}`,
    message: sql`${message}`,
    domains: linkedRows(scope, toGroups, groups, id, { path: namesAlong(scope, groups.path) }),
    device_type: sql`${deviceType}`,
    playback_duration: sql`${playbackDuration}`,
    open_locks: sql`${openLocks}`,
    filename: sql`${filename}`,
    status: sql`${status}`,
    is_drill: sql`${isDrill}`,
    started_at: isoTime(startedAt),
    ended_at: isoTime(endedAt),
    recipients_count: recipients(sql`true`),
    seen_count: recipients(sql`${emergencyAlertRecipients.seenAt} is not null`),
    safe_count: recipients(sql`${emergencyAlertRecipients.safeAt} is not null`),
    created_by: sql`${createdBy}`,
  }),
  dependants: [],
  written: {
    name: 'name',
    message: 'message',
    domains: { link: toGroups },
    device_type: 'deviceType',
    playback_duration: 'playbackDuration',
    open_locks: 'openLocks',
  },
  prepare: prepareAlert,
  beforeDelete: beforeAlertDelete,
});
