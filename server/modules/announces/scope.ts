import { eq, type SQL, sql } from 'drizzle-orm';
import { type AreaScope, everything, ownTree, peopleOf } from '#server/access/measures.ts';
import { announceGroups, announces, announceUsers } from '#server/db/schema/index.ts';

/** Announcements to a group or a person of some groups. */
const toGroups = (some: SQL): SQL => sql`(
  ${announces.id} in (select ${announceGroups.announceId} from ${announceGroups} where ${announceGroups.groupId} = any(${some}))
  or ${announces.id} in (select ${announceUsers.announceId} from ${announceUsers} where ${announceUsers.userId} in ${peopleOf(some)}))`;

export const announcesScope: AreaScope = {
  table: announces,
  measures: {
    all: () => everything,
    own: (principal) => eq(announces.createdBy, principal.id),
    descendants: (principal) => toGroups(ownTree(principal)),
  },
};
