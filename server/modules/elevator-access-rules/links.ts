import type { Link } from '#server/crud/repository.ts';
import { elevatorRuleFloors, elevatorRuleUsers } from '#server/db/schema/index.ts';

/** What an elevator access rule names. */
export const ruledUsers: Link = { area: 'users', table: elevatorRuleUsers, own: elevatorRuleUsers.ruleId, other: elevatorRuleUsers.userId };
export const openedElevators: Link = {
  area: 'elevators',
  table: elevatorRuleFloors,
  own: elevatorRuleFloors.ruleId,
  other: elevatorRuleFloors.elevatorId,
};
