import type { Link } from '#server/crud/repository.ts';
import { integrationGroups } from '#server/db/schema/index.ts';

/** The groups an integration serves. */
export const groupsServed: Link = {
  area: 'groups',
  table: integrationGroups,
  own: integrationGroups.integrationId,
  other: integrationGroups.groupId,
  both: true,
};
/** The same from the side of a group. */
export const integrationsOfGroup: Link = {
  area: 'integrations',
  table: integrationGroups,
  own: integrationGroups.groupId,
  other: integrationGroups.integrationId,
  both: true,
};
