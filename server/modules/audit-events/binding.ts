import { sql } from 'drizzle-orm';
import { modelOf } from '#models/index.ts';
import type { Binding } from '#server/crud/binding.ts';
import { isoTime, jsonObject } from '#server/crud/json.ts';
import { auditEvents } from '#server/db/schema/index.ts';

const { area, entityId, entityName, action, userId, userName, ip, userAgent, changes, createdAt } = auditEvents;

/** The audit trail, as it is read; users are named as they were called at the time, for they may be gone. */
export const auditEventsBinding: Binding = {
  area: 'audit-events',
  model: modelOf('audit-events'),
  table: auditEvents,
  compared: {
    area: { column: area },
    entity_id: { column: entityId },
    entity_name: { column: entityName },
    action: { column: action },
    user: { column: userId, order: sql`lower(${userName})` },
    ip: { column: ip },
    created_at: { column: createdAt },
  },
  links: {},
  shown: () => ({
    id: sql`${auditEvents.id}`,
    version: sql`1`,
    created_at: isoTime(createdAt),
    updated_at: isoTime(createdAt),
    area: sql`${area}`,
    entity_id: sql`${entityId}`,
    entity_name: sql`${entityName}`,
    action: sql`${action}`,
    user: sql`case when ${userId} is null then null else ${jsonObject({ id: userId, name: sql`coalesce(${userName}, '')` })} end`,
    ip: sql`${ip}`,
    user_agent: sql`${userAgent}`,
    changes: sql`${changes}`,
  }),
  dependants: [],
};
