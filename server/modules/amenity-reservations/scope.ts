import { eq, sql } from 'drizzle-orm';
import { type AreaScope, everything, idArray, ownTree, peopleOf } from '#server/access/measures.ts';
import { amenityReservations } from '#server/db/schema/index.ts';

/** Reservations are of those who have them, whoever made them. */
export const amenityReservationsScope: AreaScope = {
  table: amenityReservations,
  measures: {
    all: () => everything,
    own: ({ id }) => eq(amenityReservations.userId, id),
    domain: ({ domains }) => sql`${amenityReservations.userId} in ${peopleOf(idArray(domains))}`,
    descendants: (principal) => sql`${amenityReservations.userId} in ${peopleOf(ownTree(principal))}`,
  },
};
