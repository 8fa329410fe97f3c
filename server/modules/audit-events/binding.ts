import { sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { known, type Sight } from '#server/access/scope.ts';
import { defineLogBinding } from '#server/crud/define-binding.ts';
import { isoTime, nameFor, personThen } from '#server/crud/json.ts';
import { auditEvents } from '#server/db/schema/index.ts';
import { tellNames } from './names.ts';

const { area, entityId, entityName, action, userId, userName, ip, userAgent, changes, createdAt } = auditEvents;

/** What tells of where somebody sat goes with their name. */
const ofKnown = (sight: Sight, column: PgColumn) => {
  const isKnown = known(sight, userId);
  return isKnown ? sql`case when ${isKnown} then ${column} end` : sql`${column}`;
};

/** The audit trail, as it is read; users are named as they were called at the time, for they may be gone. */
export const auditEventsBinding = defineLogBinding({
  area: 'audit-events',
  table: auditEvents,
  compared: {
    area: { column: area },
    entity_id: { column: entityId },
    entity_name: { column: entityName },
    action: { column: action },
    user: { column: userId, area: 'users', order: (sight) => sql`lower(${nameFor(sight, userName, known(sight, userId))})` },
    ip: { column: ip, columnFor: (sight) => ofKnown(sight, ip) },
    created_at: { column: createdAt },
  },
  shown: (sight) => ({
    id: sql`${auditEvents.id}`,
    version: sql`1`,
    created_at: isoTime(createdAt),
    updated_at: isoTime(createdAt),
    area: sql`${area}`,
    entity_id: sql`${entityId}`,
    entity_name: sql`${entityName}`,
    action: sql`${action}`,
    user: personThen(sight, userId, userName),
    ip: ofKnown(sight, ip),
    user_agent: ofKnown(sight, userAgent),
    changes: sql`${changes}`,
  }),
  tell: tellNames,
  dependants: [],
});
