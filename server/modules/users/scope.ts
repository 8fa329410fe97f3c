import { sql } from 'drizzle-orm';
import { type AreaScope, everything, idArray, ownTree, peopleOf } from '#server/access/measures.ts';
import { users } from '#server/db/schema/index.ts';

export const usersScope: AreaScope = {
  table: users,
  measures: {
    all: () => everything,
    own: (principal) => sql`(${users.id} = ${principal.id} or ${users.createdBy} = ${principal.id})`,
    descendants: (principal) => sql`${users.id} in ${peopleOf(ownTree(principal))}`,
    domain: (principal) => sql`${users.id} in ${peopleOf(idArray(principal.domains))}`,
  },
};
