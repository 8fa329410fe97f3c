import { sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { known, type ViewScope } from '#server/access/scope.ts';
import { defineLogRepository } from '#server/crud/define-repository.ts';
import { isoTime, nameFor, personThen } from '#server/crud/json.ts';
import { auditEvents } from '#server/db/schema/index.ts';
import { addNames } from './names.ts';

const { area, entityId, entityName, action, userId, userName, ip, userAgent, changes, createdAt } = auditEvents;

/** What tells of where somebody sat goes with their name. */
const ofKnown = (scope: ViewScope, column: PgColumn) => {
  const isKnown = known(scope, userId);
  return isKnown ? sql`case when ${isKnown} then ${column} end` : sql`${column}`;
};

/** The audit trail, as it is read; users are named as they were called at the time, for they may be gone. */
export const auditEventsRepository = defineLogRepository({
  area: 'audit-events',
  table: auditEvents,
  compared: {
    area: { column: area },
    entity_id: { column: entityId },
    entity_name: { column: entityName },
    action: { column: action },
    user: { column: userId, area: 'users', order: (scope) => sql`lower(${nameFor(scope, userName, known(scope, userId))})` },
    ip: { column: ip, columnFor: (scope) => ofKnown(scope, ip) },
    created_at: { column: createdAt },
  },
  shown: (scope) => ({
    id: sql`${auditEvents.id}`,
    version: sql`1`,
    created_at: isoTime(createdAt),
    updated_at: isoTime(createdAt),
    area: sql`${area}`,
    entity_id: sql`${entityId}`,
    entity_name: sql`${entityName}`,
    action: sql`${action}`,
    user: personThen(scope, userId, userName),
    ip: ofKnown(scope, ip),
    user_agent: ofKnown(scope, userAgent),
    changes: sql`${changes}`,
  }),
  nameValues: addNames,
  dependants: [],
});
