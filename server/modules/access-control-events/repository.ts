import { and, eq, sql } from 'drizzle-orm';
import { viewable, type ViewScope } from '#server/access/scope.ts';
import { defineLogRepository } from '#server/crud/define-repository.ts';
import { fileUrl, isoTime, oneNamed, personThen, isShown } from '#server/crud/json.ts';
import { pathToDevice } from '#server/crud/group-path.ts';
import { deviceEvents, devices, identifiers } from '#server/db/schema/index.ts';

const { type, deviceId, deviceName, userId, userName, identifierType, identifierMask, reason, data, imageFile, occurredAt, createdAt } = deviceEvents;

const key = eq(identifiers.id, deviceEvents.identifierId);
/** A guest by the name of the key while that is there and in sight; of a deleted key only those may know who see all there are. */
const guestThen = (scope: ViewScope) => {
  const now = sql`(select ${identifiers.name} from ${identifiers} where ${and(key, eq(identifiers.ownerType, 'guest'), viewable(scope, 'identifiers'))})`;
  if (!isShown(scope, 'can_view_all_identifiers')) return now;
  return sql`coalesce(${now}, case when not exists (select from ${identifiers} where ${key}) then ${data} ->> 'guest' end)`;
};

/** The part of the devices' log that is about passing doors, with the rule that decided. */
export const accessControlEventsRepository = defineLogRepository({
  area: 'access-control-events',
  table: deviceEvents,
  compared: {
    type: { column: type },
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
    device: oneNamed(devices, deviceId),
    device_name: sql`${deviceName}`,
    path: pathToDevice(scope, deviceId),
    user: personThen(scope, userId, userName),
    guest: guestThen(scope),
    identifier: sql`(select ${identifiers.id} from ${identifiers} where ${and(eq(identifiers.id, deviceEvents.identifierId), viewable(scope, 'identifiers'))})`,
    identifier_type: sql`${identifierType}`,
    identifier_mask: sql`${identifierMask}`,
    reason: sql`${reason}`,
    rule: isShown(scope, 'can_view_access_rules') ? sql`${data} ->> 'rule'` : sql`null::text`,
    schedule: isShown(scope, 'can_view_time_rules') ? sql`${data} ->> 'schedule'` : sql`null::text`,
    has_card: isShown(scope, 'can_create_identifiers') ? sql`jsonb_exists(${data}, 'sealed')` : sql`false`,
    image_url: fileUrl(imageFile),
    occurred_at: isoTime(occurredAt),
  }),
  dependants: [],
});
