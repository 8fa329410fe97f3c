import { isNotNull, type SQL, sql } from 'drizzle-orm';
import { type AreaScope, everything, idArray, ownTree } from '#server/access/measures.ts';
import { calls } from '#server/db/schema/index.ts';

const ofGroups = (some: SQL): SQL => sql`(${calls.callerDomainId} = any(${some}) or ${calls.calleeDomainId} = any(${some}))`;

export const callHistoryScope: AreaScope = {
  table: calls,
  belonging: isNotNull(calls.historyStatus),
  measures: {
    all: () => everything,
    own: (principal) => sql`${principal.id} in (${calls.callerUserId}, ${calls.calleeUserId}, ${calls.answeredByUserId})`,
    domain: (principal) => ofGroups(idArray(principal.domains)),
    descendants: (principal) => ofGroups(ownTree(principal)),
    seen: (_principal, seen) => sql`(${calls.callerDeviceId} in ${seen.ids('devices')} or ${calls.calleeDeviceId} in ${seen.ids('devices')})`,
  },
};
