import { type SQL, sql } from 'drizzle-orm';
import { type AreaScope, everything, idArray, ownTree, peopleOf } from '#server/access/measures.ts';
import { identifiers } from '#server/db/schema/index.ts';

/** Identifiers of the people of some groups, and those that belong to the groups themselves. */
const ofGroups = (some: SQL): SQL => sql`(${identifiers.domainId} = any(${some}) or ${identifiers.userId} in ${peopleOf(some)})`;

export const identifiersScope: AreaScope = {
  table: identifiers,
  measures: {
    all: () => everything,
    own: (principal) => sql`(${identifiers.userId} = ${principal.id} or ${identifiers.createdBy} = ${principal.id})`,
    domain: (principal) => ofGroups(idArray(principal.domains)),
    descendants: (principal) => ofGroups(ownTree(principal)),
  },
};
