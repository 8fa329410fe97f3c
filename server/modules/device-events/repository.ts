import { sql } from 'drizzle-orm';
import { fileUrl, isoTime, oneNamed, personThen, isShown } from '#server/crud/json.ts';
import { known, type ViewScope } from '#server/access/scope.ts';
import { defineLogRepository } from '#server/crud/define-repository.ts';
import { pathToDevice } from '#server/crud/group-path.ts';
import { deviceEvents, devices } from '#server/db/schema/index.ts';

const { type, priority, deviceId, deviceName, userId, userName, identifierType, identifierMask, reason, data, imageFile, occurredAt, createdAt } =
  deviceEvents;

/** What the device said besides: it may name whoever opened, a guest, and the rule and schedule that decided. */
const shownTo = (scope: ViewScope) => {
  const isKnown = known(scope, userId);
  const rule = isShown(scope, 'can_view_access_rules') ? sql`` : sql` - 'rule'`;
  const schedule = isShown(scope, 'can_view_time_rules') ? sql`` : sql` - 'schedule'`;
  const seesElevatorRules = isShown(scope, 'can_view_elevator_access_rules') || isShown(scope, 'can_view_all_elevator_access_rules');
  const guest = isShown(scope, 'can_view_all_identifiers') ? sql`` : sql` - 'guest'`;
  const left = sql`${data} - 'sealed'${rule}${schedule}${guest}${seesElevatorRules ? sql`` : sql` - 'elevator_rule'`}`;
  return isKnown ? sql`case when ${userId} is null or ${isKnown} then ${left} else ${left} - 'by' end` : left;
};

/** What devices told, as it is read; names are those of the time. */
export const deviceEventsRepository = defineLogRepository({
  area: 'device-events',
  table: deviceEvents,
  compared: {
    type: { column: type },
    priority: {
      column: priority,
      order: sql`array_position(array['low', 'medium', 'high', 'critical'], ${priority})`,
    },
    device: { column: deviceId, area: 'devices' },
    device_name: { column: deviceName },
    user: { column: userId, area: 'users' },
    identifier_type: { column: identifierType },
    reason: { column: reason },
    occurred_at: { column: occurredAt },
  },
  shown: (scope) => ({
    id: sql`${deviceEvents.id}`,
    version: sql`1`,
    created_at: isoTime(createdAt),
    updated_at: isoTime(createdAt),
    type: sql`${type}`,
    priority: sql`${priority}`,
    device: oneNamed(devices, deviceId),
    device_name: sql`${deviceName}`,
    path: pathToDevice(scope, deviceId),
    user: personThen(scope, userId, userName),
    identifier_type: sql`${identifierType}`,
    identifier_mask: sql`${identifierMask}`,
    reason: sql`${reason}`,
    data: shownTo(scope),
    image_url: fileUrl(imageFile),
    occurred_at: isoTime(occurredAt),
  }),
  dependants: [],
});
