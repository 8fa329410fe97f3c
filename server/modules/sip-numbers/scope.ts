import { type SQL, sql } from 'drizzle-orm';
import { type AreaScope, everything, idArray, ownTree, peopleOf } from '#server/access/measures.ts';
import { devices, sipNumbers } from '#server/db/schema/index.ts';

/** Numbers whose person, device or group belongs to some groups. */
const ofOwnersIn = (some: SQL): SQL =>
  sql`(${sipNumbers.domainId} = any(${some}) or ${sipNumbers.deviceId} in (select ${devices.id} from ${devices} where ${devices.domainId} = any(${some}))
    or ${sipNumbers.userId} in ${peopleOf(some)})`;
const isFree = sql`(num_nonnulls(${sipNumbers.userId}, ${sipNumbers.deviceId}, ${sipNumbers.domainId}) = 0 and not ${sipNumbers.isReserved} and not ${sipNumbers.isSystem})`;

/** Whoever gives out numbers in a tree sees the free ones, which hang on no group. */
export const sipNumbersScope: AreaScope = {
  table: sipNumbers,
  measures: {
    all: () => everything,
    own: (principal) => sql`(${sipNumbers.userId} = ${principal.id} or ${sipNumbers.createdBy} = ${principal.id})`,
    domain: (principal) => ofOwnersIn(idArray(principal.domains)),
    descendants: (principal) => sql`(${ofOwnersIn(ownTree(principal))} or ${isFree})`,
  },
};
