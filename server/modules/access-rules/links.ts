import type { Link } from '#server/crud/repository.ts';
import { accessRuleDevices, accessRuleGroups, accessRuleIdentifiers, accessRuleSchedules, accessRuleUsers } from '#server/db/schema/index.ts';

/** What an access rule names, from its own side. */
export const ruleDevices: Link = {
  area: 'devices',
  table: accessRuleDevices,
  own: accessRuleDevices.ruleId,
  other: accessRuleDevices.deviceId,
  both: true,
};
export const ruleGroups: Link = {
  area: 'groups',
  table: accessRuleGroups,
  own: accessRuleGroups.ruleId,
  other: accessRuleGroups.groupId,
  both: true,
};
export const ruleUsers: Link = { area: 'users', table: accessRuleUsers, own: accessRuleUsers.ruleId, other: accessRuleUsers.userId, both: true };
export const ruleIdentifiers: Link = {
  area: 'identifiers',
  table: accessRuleIdentifiers,
  own: accessRuleIdentifiers.ruleId,
  other: accessRuleIdentifiers.identifierId,
  both: true,
};
export const ruleSchedules: Link = {
  area: 'schedules',
  table: accessRuleSchedules,
  own: accessRuleSchedules.ruleId,
  other: accessRuleSchedules.scheduleId,
};

/** The same links from the other side: the rules of a device, a group, a person or an identifier. */
const backwards = ({ table, own, other }: Link): Link => ({ area: 'access-rules', table, own: other, other: own, both: true });
export const rulesOfDevice = backwards(ruleDevices);
export const rulesOfGroup = backwards(ruleGroups);
export const rulesOfUser = backwards(ruleUsers);
export const rulesOfIdentifier = backwards(ruleIdentifiers);
