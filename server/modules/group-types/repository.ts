import { eq, sql } from 'drizzle-orm';
import { type ViewScope, viewable } from '#server/access/scope.ts';
import { defineRepository } from '#server/crud/define-repository.ts';
import { stampsOf } from '#server/crud/json.ts';
import { groups, groupTypes } from '#server/db/schema/index.ts';

const { name, description, hasLogicAddress, createdAt, updatedAt } = groupTypes;

/** How many groups of the type the principal may see; others are none of their business. */
const groupsCount = (scope: ViewScope) =>
  sql`(select count(*)::int from ${groups} where ${groups.typeId} = ${groupTypes.id} and ${viewable(scope, 'groups')})`;

/** Group types in the database. */
export const groupTypesRepository = defineRepository({
  area: 'group-types',
  table: groupTypes,
  compared: {
    name: { column: name },
    description: { column: description },
    has_logic_address: { column: hasLogicAddress },
    created_at: { column: createdAt },
    updated_at: { column: updatedAt },
  },
  shown: (scope) => ({
    ...stampsOf(groupTypes),
    name: sql`${name}`,
    description: sql`${description}`,
    has_logic_address: sql`${hasLogicAddress}`,
    groups_count: groupsCount(scope),
  }),
  dependants: [{ area: 'groups', where: (id) => eq(groups.typeId, id) }],
  written: { name: 'name', description: 'description', has_logic_address: 'hasLogicAddress' },
});
