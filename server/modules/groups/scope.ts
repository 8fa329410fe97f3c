import { eq, sql } from 'drizzle-orm';
import { type AreaScope, everything, idArray } from '#server/access/measures.ts';
import { groups } from '#server/db/schema/index.ts';

export const groupsScope: AreaScope = {
  table: groups,
  measures: {
    all: () => everything,
    descendants: (principal) => sql`${groups.path} && ${idArray(principal.domains)}`,
    domain: (principal) => sql`${groups.id} = any(${idArray(principal.domains)})`,
    below: (principal) => sql`${groups.path}[:cardinality(${groups.path}) - 1] && ${idArray(principal.domains)}`,
    own: (principal) => eq(groups.createdBy, principal.id),
  },
};
