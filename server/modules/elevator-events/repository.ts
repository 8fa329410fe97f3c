import { and, eq, sql } from 'drizzle-orm';
import { viewable } from '#server/access/scope.ts';
import { defineLogRepository } from '#server/crud/define-repository.ts';
import { fileUrl, isoTime, jsonObject, onlySeen, oneNamed, personThen, isShown } from '#server/crud/json.ts';
import { deviceEvents, devices, elevators, identifiers } from '#server/db/schema/index.ts';
import { seenGroupName } from '../elevators/columns.ts';
import { apartment, direction, elevatorId, elevatorName, elevatorRule, floor } from './columns.ts';

const { type, deviceId, deviceName, userId, userName, identifierType, identifierMask, reason, imageFile, occurredAt, createdAt } = deviceEvents;

/** The part of the devices' log that is about elevators. */
export const elevatorEventsRepository = defineLogRepository({
  area: 'elevator-events',
  table: deviceEvents,
  compared: {
    type: { column: type },
    elevator: { column: elevatorId, area: 'elevators' },
    elevator_name: { column: elevatorName },
    user: { column: userId, area: 'users' },
    floor: { column: floor },
    direction: { column: direction },
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
    elevator: sql`(select ${jsonObject({ id: elevators.id, name: elevators.name, domain: seenGroupName(scope) })} from ${elevators}
      where ${and(sql`${elevators.id} = ${elevatorId}`, onlySeen(scope, 'elevators', elevators.id))})`,
    elevator_name: elevatorName,
    device: oneNamed(devices, deviceId, onlySeen(scope, 'devices', devices.id)),
    device_name: sql`${deviceName}`,
    user: personThen(scope, userId, userName),
    identifier: sql`(select ${identifiers.id} from ${identifiers} where ${and(eq(identifiers.id, deviceEvents.identifierId), viewable(scope, 'identifiers'))})`,
    identifier_type: sql`${identifierType}`,
    identifier_mask: sql`${identifierMask}`,
    floor,
    direction,
    apartment,
    reason: sql`${reason}`,
    rule: isShown(scope, 'can_view_elevator_access_rules') || isShown(scope, 'can_view_all_elevator_access_rules') ? elevatorRule : sql`null::text`,
    image_url: fileUrl(imageFile),
    occurred_at: isoTime(occurredAt),
  }),
  dependants: [],
});
