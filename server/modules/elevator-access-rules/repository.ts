import { type SQL, sql } from 'drizzle-orm';
import type { ViewScope } from '#server/access/scope.ts';
import { byRules, type Link } from '#server/crud/repository.ts';
import { defineRepository } from '#server/crud/define-repository.ts';
import { inNameOrder, jsonObject, linkedRows, noRows, onlySeen, stampsOf } from '#server/crud/json.ts';
import { elevatorAccessRules, elevatorRuleFloors, elevatorRuleUsers, elevators, users } from '#server/db/schema/index.ts';
import { beforeElevatorRuleDelete, prepareElevatorRule, settleElevatorRule } from './rules.ts';
import { seenGroupName } from '../elevators/columns.ts';
import { openedElevators, ruledUsers } from './links.ts';

const { id, name, description, createdAt, updatedAt, createdBy } = elevatorAccessRules;
const { ruleId, elevatorId, floors } = elevatorRuleFloors;

const peopleCount = (scope: ViewScope, { own, other }: Link): SQL =>
  sql`(select count(*)::int from ${elevatorRuleUsers} where ${own} = ${id} and ${onlySeen(scope, 'users', other) ?? sql`true`})`;

/** The elevators in sight with the floors that are opened there. */
const opened = (scope: ViewScope): SQL =>
  sql`(select coalesce(json_agg(${jsonObject({ elevator: jsonObject({ id: elevators.id, name: elevators.name, domain: seenGroupName(scope) }), floors: sql`array_to_json(${floors})` })}
    order by ${inNameOrder(elevators.name)}, ${elevators.id}), '[]'::json)
    from ${elevatorRuleFloors} join ${elevators} on ${elevators.id} = ${elevatorId} where ${ruleId} = ${id} and ${onlySeen(scope, 'elevators', elevators.id) ?? sql`true`})`;

/** Elevator access rules in the database. */
export const elevatorAccessRulesRepository = defineRepository({
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
  shown: (scope, deep) => ({
    ...stampsOf(elevatorAccessRules),
    name: sql`${name}`,
    description: sql`${description}`,
    users: !deep || deep.has('users') ? linkedRows(scope, ruledUsers, users, id) : noRows,
    users_count: peopleCount(scope, ruledUsers),
    elevators: opened(scope),
    created_by: sql`${createdBy}`,
  }),
  dependants: [],
  written: { name: 'name', description: 'description', users: { link: ruledUsers }, elevators: byRules },
  prepare: prepareElevatorRule,
  settle: settleElevatorRule,
  beforeDelete: beforeElevatorRuleDelete,
});
