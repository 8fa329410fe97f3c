import { eq, type SQL, sql } from 'drizzle-orm';
import { type AreaScope, everything, idArray, ownTree } from '#server/access/measures.ts';
import { sipTrunkGroups, sipTrunks } from '#server/db/schema/index.ts';

const ofGroups = (some: SQL): SQL =>
  sql`${sipTrunks.id} in (select ${sipTrunkGroups.trunkId} from ${sipTrunkGroups} where ${sipTrunkGroups.groupId} = any(${some}))`;

export const sipTrunksScope: AreaScope = {
  table: sipTrunks,
  measures: {
    all: () => everything,
    own: (principal) => eq(sipTrunks.createdBy, principal.id),
    domain: (principal) => ofGroups(idArray(principal.domains)),
    descendants: (principal) => ofGroups(ownTree(principal)),
  },
};
