import { type SQL, sql } from 'drizzle-orm';
import type { ViewScope } from '#server/access/scope.ts';
import { type Link } from '#server/crud/repository.ts';
import { defineRepository } from '#server/crud/define-repository.ts';
import { namesAlong } from '#server/crud/group-path.ts';
import { linkedRows, noRows, onlySeen, stampsOf } from '#server/crud/json.ts';
import { accessRules, amenities, amenityRules, devices, groups, identifiers, schedules, users } from '#server/db/schema/index.ts';
import { ruleDevices, ruleGroups, ruleIdentifiers, ruleSchedules, ruleUsers } from './links.ts';
import { beforeRuleDelete, prepareRule } from './rules.ts';

const { id, name, description, prohibition, isShareable, createdAt, updatedAt, createdBy } = accessRules;

const countOf = (scope: ViewScope, { area, table, own, other }: Link): SQL =>
  sql`(select count(*)::int from ${table} where ${own} = ${id} and ${onlySeen(scope, area, other) ?? sql`true`})`;

/** Access rules in the database. What a rule that is deleted opened is closed; it stays while an amenity gives it. */
export const accessRulesRepository = defineRepository({
  area: 'access-rules',
  table: accessRules,
  compared: {
    name: { column: name },
    description: { column: description },
    devices: { link: ruleDevices },
    time_rules: { link: ruleSchedules },
    domains: { link: ruleGroups },
    users: { link: ruleUsers },
    prohibition: { column: prohibition },
    is_shareable: { column: isShareable },
    created_at: { column: createdAt },
    updated_at: { column: updatedAt },
  },
  shown: (scope, deep) => ({
    ...stampsOf(accessRules),
    name: sql`${name}`,
    description: sql`${description}`,
    devices: linkedRows(scope, ruleDevices, devices, id),
    time_rules: linkedRows(scope, ruleSchedules, schedules, id),
    domains: linkedRows(scope, ruleGroups, groups, id, { path: namesAlong(scope, groups.path) }),
    users: !deep || deep.has('users') ? linkedRows(scope, ruleUsers, users, id) : noRows,
    identifiers: !deep || deep.has('identifiers') ? linkedRows(scope, ruleIdentifiers, identifiers, id) : noRows,
    users_count: countOf(scope, ruleUsers),
    identifiers_count: countOf(scope, ruleIdentifiers),
    prohibition: sql`${prohibition}`,
    is_shareable: sql`${isShareable}`,
    created_by: sql`${createdBy}`,
  }),
  dependants: [
    {
      area: 'amenities',
      where: (rule) => sql`${amenities.id} in (select ${amenityRules.amenityId} from ${amenityRules} where ${amenityRules.ruleId} = ${rule})`,
    },
  ],
  written: {
    name: 'name',
    description: 'description',
    devices: { link: ruleDevices },
    time_rules: { link: ruleSchedules },
    domains: { link: ruleGroups },
    users: { link: ruleUsers },
    identifiers: { link: ruleIdentifiers },
    prohibition: 'prohibition',
    is_shareable: 'isShareable',
  },
  prepare: prepareRule,
  beforeDelete: beforeRuleDelete,
});
