import { eq, sql } from 'drizzle-orm';
import { type AreaScope, everything, ownTree } from '#server/access/measures.ts';
import { elevators } from '#server/db/schema/index.ts';

export const elevatorsScope: AreaScope = {
  table: elevators,
  measures: {
    all: () => everything,
    own: (principal) => eq(elevators.createdBy, principal.id),
    descendants: (principal) => sql`${elevators.domainId} = any(${ownTree(principal)})`,
  },
};
