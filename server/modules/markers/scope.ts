import { eq, sql } from 'drizzle-orm';
import { type AreaScope, everything, ownTree, peopleOf } from '#server/access/measures.ts';
import { markers, userMarkers } from '#server/db/schema/index.ts';

/**
 * Markers hang on no group. Those of one's tree are the markers that came with the project, those made by its people,
 * and those its people carry.
 */
export const markersScope: AreaScope = {
  table: markers,
  measures: {
    all: () => everything,
    own: (principal) => eq(markers.createdBy, principal.id),
    descendants: (principal) => sql`(${markers.createdBy} is null or ${markers.createdBy} in ${peopleOf(ownTree(principal))}
      or ${markers.id} in (select ${userMarkers.markerId} from ${userMarkers} where ${userMarkers.userId} in ${peopleOf(ownTree(principal))}))`,
  },
};
