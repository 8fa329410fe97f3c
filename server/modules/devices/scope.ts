import { eq, sql } from 'drizzle-orm';
import { type AreaScope, everything, idArray, ownTree } from '#server/access/measures.ts';
import { devices } from '#server/db/schema/index.ts';

export const devicesScope: AreaScope = {
  table: devices,
  measures: {
    all: () => everything,
    own: (principal) => eq(devices.createdBy, principal.id),
    domain: (principal) => sql`${devices.domainId} = any(${idArray(principal.domains)})`,
    descendants: (principal) => sql`${devices.domainId} = any(${ownTree(principal)})`,
  },
};
