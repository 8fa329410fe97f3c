import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { ViewScope } from '#server/access/scope.ts';
import { defineLogRepository } from '#server/crud/define-repository.ts';
import { fileUrl, isoTime, jsonObject, oneNamed, onlySeen } from '#server/crud/json.ts';
import { calls, devices, groups, users } from '#server/db/schema/index.ts';
import { callNames, transferee, transferrer } from '../calls/names.ts';
import { addressOf } from '#server/telephony/places.ts';

const seconds = (from: SQL, to: SQL): SQL => sql`greatest(0, round(extract(epoch from ${to} - ${from})))::int`;
const talk = sql`case when ${calls.answeredAt} is null then 0 else ${seconds(sql`${calls.answeredAt}`, sql`coalesce(${calls.endedAt}, ${calls.answeredAt})`)} end`;
const waited = seconds(sql`${calls.createdAt}`, sql`coalesce(${calls.answeredAt}, ${calls.endedAt}, ${calls.createdAt})`);
/** What comes from a panel, to a queue or from outside comes in; people's own calls go out. */
const direction = sql`case when ${calls.trunk} = 'incoming' or ${calls.type} = 'awaiting' or ${calls.callerDeviceId} is not null then 'incoming' else 'outgoing' end`;
const groupId = sql`coalesce(${calls.callerDomainId}, ${calls.calleeDomainId})`;
const deviceId = sql`coalesce(${calls.callerDeviceId}, ${calls.calleeDeviceId})`;

/** The last reason that somebody gave for opening the door in this call. */
const doorReason = sql`(select entry.changes->'reason'->>'after' from audit_events entry
  where entry.entity_id = coalesce(${calls.doorDeviceId}, ${deviceId}) and entry.action = 'open_door' and entry.created_at >= ${calls.createdAt}
    and entry.changes->'via'->>'after' = ${calls.id}::text and entry.changes ? 'reason' order by entry.created_at desc limit 1)`;

type Column = (typeof calls)['callerNumber'] | (typeof calls)['callerName'] | (typeof calls)['callerUserId'];
const person = (scope: ViewScope, id: Column) => oneNamed(users, id, onlySeen(scope, 'users', users.id));
const device = (scope: ViewScope, id: Column | SQL) => oneNamed(devices, id, onlySeen(scope, 'devices', devices.id));
const group = (scope: ViewScope, id: Column | SQL) => oneNamed(groups, id, onlySeen(scope, 'groups', groups.id));

/** One end of a call: its number, and who had it as far as that may be seen. */
const party = (scope: ViewScope, end: 'caller' | 'callee', name: SQL | PgColumn) =>
  jsonObject({
    number: calls[`${end}Number`],
    name,
    user: person(scope, calls[`${end}UserId`]),
    device: device(scope, calls[`${end}DeviceId`]),
    group: group(scope, calls[`${end}DomainId`]),
    address: addressOf(scope, calls[`${end}DomainId`]),
  });

const shownCall = (scope: ViewScope, names: ReturnType<typeof callNames>) => ({
  id: sql`${calls.id}`,
  version: sql`1`,
  created_at: isoTime(calls.createdAt),
  updated_at: isoTime(calls.updatedAt),
  type: sql`${direction} || '_' || ${calls.historyStatus}`,
  direction,
  status: sql`${calls.historyStatus}`,
  from: party(scope, 'caller', names.caller),
  to: party(scope, 'callee', names.callee),
  answered_by: sql`case when ${calls.answeredBy} is null then null else ${jsonObject({ number: sql`split_part(${calls.answeredBy}, '-', 1)`, name: names.taker })} end`,
  transferred_by: transferrer(scope),
  transferred_to: transferee(scope),
  group: group(scope, groupId),
  device: device(scope, deviceId),
  duration: talk,
  waited,
  ended_at: isoTime(calls.endedAt),
  end_reason: sql`${calls.endReason}`,
  refusal: sql`case when ${calls.trunkName} is null then null else ${jsonObject({ trunk: calls.trunkName, status: calls.trunkStatus, reason: calls.trunkReason })} end`,
  sos: sql`${calls.sos}`,
  video: sql`${calls.video}`,
  door_opened: sql`${calls.doorOpened}`,
  door_name: sql`${calls.doorDeviceName}`,
  door_opened_by: names.opener,
  door_reason: doorReason,
  note: sql`${calls.note}`,
  image_url: fileUrl(calls.imageFile),
});

/** Calls that are over, as they are read; numbers and names are those of the time. */
export const callHistoryRepository = defineLogRepository({
  area: 'call-history',
  table: calls,
  compared: {
    from: { columnFor: (scope) => sql`(${calls.callerNumber} || ' ' || coalesce(${callNames(scope).caller}, ''))` },
    to: { columnFor: (scope) => sql`(${calls.calleeNumber} || ' ' || coalesce(${callNames(scope).callee}, ''))` },
    status: { column: calls.historyStatus },
    direction: { column: direction },
    group: { column: groupId, area: 'groups' },
    device: { column: deviceId, area: 'devices' },
    door_opened: { column: calls.doorOpened },
    sos: { column: calls.sos },
    duration: { column: talk },
    waited: { column: waited },
    created_at: { column: calls.createdAt },
  },
  shown: (scope) => shownCall(scope, callNames(scope)),
  dependants: [],
});
