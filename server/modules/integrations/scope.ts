import { isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { type AreaScope, idArray, ownTree } from '#server/access/measures.ts';
import { groups, integrationGroups, integrations } from '#server/db/schema/index.ts';

/** The groups an integration serves: those it names, or the one it belongs to; null for all of the project. */
const served = sql`coalesce(nullif(array(select ${integrationGroups.groupId} from ${integrationGroups} where ${integrationGroups.integrationId} = ${integrations.id}), '{}'),
  case when ${integrations.domainId} is null then null else array[${integrations.domainId}] end)`;

/** Whether an integration serves a place: a group named by its path. */
export const serves = (path: SQL): SQL => sql`(${served} is null or ${served} && ${path})`;

export const integrationsScope: AreaScope = {
  table: integrations,
  measures: {
    project: () => isNull(integrations.domainId),
    grouped: () => isNotNull(integrations.domainId),
    domain: (principal) => sql`${integrations.domainId} = any(${idArray(principal.domains)})`,
    below: (principal) =>
      sql`${integrations.domainId} in (select ${groups.id} from ${groups} where ${groups.path}[:cardinality(${groups.path}) - 1] && ${idArray(principal.domains)})`,
    // The cameras that devices of one's groups may be given.
    seen: (principal) =>
      sql`(${integrations.type} = 'camera' and ${integrations.isActive} and (${served} is null
        or exists (select from ${groups} where ${groups.id} = any(${ownTree(principal)}) and ${groups.path} && ${served})))`,
  },
};
