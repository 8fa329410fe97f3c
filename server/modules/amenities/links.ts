import type { Link } from '#server/crud/repository.ts';
import { amenityGroups, amenityRules } from '#server/db/schema/index.ts';

export const groupsOfAmenity: Link = { area: 'groups', table: amenityGroups, own: amenityGroups.amenityId, other: amenityGroups.groupId };
export const rulesOfAmenity: Link = { area: 'access-rules', table: amenityRules, own: amenityRules.amenityId, other: amenityRules.ruleId };
