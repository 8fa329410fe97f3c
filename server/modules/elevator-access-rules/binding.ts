import { type SQL, sql } from 'drizzle-orm';
import type { Sight } from '#server/access/scope.ts';
import { byRules, type Link } from '#server/crud/binding.ts';
import { defineBinding } from '#server/crud/define-binding.ts';
import { inNameOrder, jsonObject, linkedRows, noRows, onlySeen, stampsOf } from '#server/crud/json.ts';
import { elevatorAccessRules, elevatorRuleFloors, elevatorRuleUsers, elevators, users } from '#server/db/schema/index.ts';
import { beforeElevatorRuleDelete, prepareElevatorRule, settleElevatorRule } from './rules.ts';
import { seenGroupName } from '../elevators/columns.ts';
import { openedElevators, ruledUsers } from './links.ts';

const { id, name, description, createdAt, updatedAt, createdBy } = elevatorAccessRules;
const { ruleId, elevatorId, floors } = elevatorRuleFloors;

const peopleCount = (sight: Sight, { own, other }: Link): SQL =>
  sql`(select count(*)::int from ${elevatorRuleUsers} where ${own} = ${id} and ${onlySeen(sight, 'users', other) ?? sql`true`})`;

/** The elevators in sight with the floors that are opened there. */
const opened = (sight: Sight): SQL =>
  sql`(select coalesce(json_agg(${jsonObject({ elevator: jsonObject({ id: elevators.id, name: elevators.name, domain: seenGroupName(sight) }), floors: sql`array_to_json(${floors})` })}
    order by ${inNameOrder(elevators.name)}, ${elevators.id}), '[]'::json)
    from ${elevatorRuleFloors} join ${elevators} on ${elevators.id} = ${elevatorId} where ${ruleId} = ${id} and ${onlySeen(sight, 'elevators', elevators.id) ?? sql`true`})`;

/** Elevator access rules in the database. */
export const elevatorAccessRulesBinding = defineBinding({
  area: 'elevator-access-rules',
  table: elevatorAccessRules,
  compared: {
    name: { column: name, order: inNameOrder(name) },
    description: { column: description },
    users: { link: ruledUsers },
    elevators: { link: openedElevators },
    created_at: { column: createdAt },
    updated_at: { column: updatedAt },
  },
  shown: (sight, deep) => ({
    ...stampsOf(elevatorAccessRules),
    name: sql`${name}`,
    description: sql`${description}`,
    users: !deep || deep.has('users') ? linkedRows(sight, ruledUsers, users, id) : noRows,
    users_count: peopleCount(sight, ruledUsers),
    elevators: opened(sight),
    created_by: sql`${createdBy}`,
  }),
  dependants: [],
  written: { name: 'name', description: 'description', users: { link: ruledUsers }, elevators: byRules },
  prepare: prepareElevatorRule,
  settle: settleElevatorRule,
  beforeDelete: beforeElevatorRuleDelete,
});
