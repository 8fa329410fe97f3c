import { eq, type SQL, sql } from 'drizzle-orm';
import { type AreaScope, everything, ownTree, peopleOf } from '#server/access/measures.ts';
import { elevatorAccessRules, elevatorRuleFloors, elevatorRuleUsers, elevators } from '#server/db/schema/index.ts';

/** Rules about an elevator or a person of some groups. */
const aboutGroups = (some: SQL): SQL => sql`(
  ${elevatorAccessRules.id} in (select ${elevatorRuleFloors.ruleId} from ${elevatorRuleFloors} join ${elevators} on ${elevators.id} = ${elevatorRuleFloors.elevatorId}
    where ${elevators.domainId} = any(${some}))
  or ${elevatorAccessRules.id} in (select ${elevatorRuleUsers.ruleId} from ${elevatorRuleUsers} where ${elevatorRuleUsers.userId} in ${peopleOf(some)}))`;

export const elevatorAccessRulesScope: AreaScope = {
  table: elevatorAccessRules,
  measures: {
    all: () => everything,
    own: (principal) => eq(elevatorAccessRules.createdBy, principal.id),
    descendants: (principal) => aboutGroups(ownTree(principal)),
  },
};
