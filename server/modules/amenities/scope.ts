import { eq, type SQL, sql } from 'drizzle-orm';
import { type AreaScope, everything, idArray, ownTree } from '#server/access/measures.ts';
import type { Principal } from '#server/context.ts';
import { amenities, amenityGroups, groups } from '#server/db/schema/index.ts';

/** Amenities for some groups. */
const ofGroups = (some: SQL): SQL =>
  sql`${amenities.id} in (select ${amenityGroups.amenityId} from ${amenityGroups} where ${amenityGroups.groupId} = any(${some}))`;
/** One's groups and all above them: what a house has is for everybody who lives in it. */
const lineage = ({ domains }: Principal): SQL =>
  sql`array(select unnest(${groups.path}) from ${groups} where ${groups.id} = any(${idArray(domains)}))`;

export const amenitiesScope: AreaScope = {
  table: amenities,
  measures: {
    all: () => everything,
    own: (principal) => eq(amenities.createdBy, principal.id),
    domain: (principal) => ofGroups(idArray(principal.domains)),
    descendants: (principal) => ofGroups(ownTree(principal)),
    above: (principal) => ofGroups(lineage(principal)),
  },
};
