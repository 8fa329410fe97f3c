import { eq, type SQL, sql } from 'drizzle-orm';
import { type AreaScope, everything, ownTree, peopleOf } from '#server/access/measures.ts';
import { accessRuleDevices, accessRuleGroups, accessRules, accessRuleUsers, devices } from '#server/db/schema/index.ts';

/** Rules about a device, a group or a person of some groups. */
const aboutGroups = (some: SQL): SQL => sql`(
  ${accessRules.id} in (select ${accessRuleDevices.ruleId} from ${accessRuleDevices} join ${devices} on ${devices.id} = ${accessRuleDevices.deviceId} where ${devices.domainId} = any(${some}))
  or ${accessRules.id} in (select ${accessRuleGroups.ruleId} from ${accessRuleGroups} where ${accessRuleGroups.groupId} = any(${some}))
  or ${accessRules.id} in (select ${accessRuleUsers.ruleId} from ${accessRuleUsers} where ${accessRuleUsers.userId} in ${peopleOf(some)}))`;

export const accessRulesScope: AreaScope = {
  table: accessRules,
  measures: {
    all: () => everything,
    own: (principal) => eq(accessRules.createdBy, principal.id),
    descendants: (principal) => aboutGroups(ownTree(principal)),
  },
};
