import { eq, sql } from 'drizzle-orm';
import { type AreaScope, everything, idArray } from '#server/access/measures.ts';
import { auditEvents } from '#server/db/schema/index.ts';

export const auditEventsScope: AreaScope = {
  table: auditEvents,
  measures: {
    all: () => everything,
    own: (principal) => eq(auditEvents.userId, principal.id),
    descendants: (principal) => sql`${auditEvents.groups} && ${idArray(principal.domains)}`,
  },
};
