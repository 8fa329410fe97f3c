import { type SQL, sql } from 'drizzle-orm';
import type { Sight } from '#server/access/scope.ts';
import { type Link } from '#server/crud/binding.ts';
import { defineBinding } from '#server/crud/define-binding.ts';
import { namesAlong } from '#server/crud/group-path.ts';
import { linkedRows, noRows, onlySeen, stampsOf } from '#server/crud/json.ts';
import { accessRules, amenities, amenityRules, devices, groups, identifiers, schedules, users } from '#server/db/schema/index.ts';
import { ruleDevices, ruleGroups, ruleIdentifiers, ruleSchedules, ruleUsers } from './links.ts';
import { beforeRuleDelete, prepareRule } from './rules.ts';

const { id, name, description, prohibition, isShareable, createdAt, updatedAt, createdBy } = accessRules;

const countOf = (sight: Sight, { area, table, own, other }: Link): SQL =>
  sql`(select count(*)::int from ${table} where ${own} = ${id} and ${onlySeen(sight, area, other) ?? sql`true`})`;

/** Access rules in the database. What a rule that is deleted opened is closed; it stays while an amenity gives it. */
export const accessRulesBinding = defineBinding({
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
  shown: (sight, deep) => ({
    ...stampsOf(accessRules),
    name: sql`${name}`,
    description: sql`${description}`,
    devices: linkedRows(sight, ruleDevices, devices, id),
    time_rules: linkedRows(sight, ruleSchedules, schedules, id),
    domains: linkedRows(sight, ruleGroups, groups, id, { path: namesAlong(sight, groups.path) }),
    users: !deep || deep.has('users') ? linkedRows(sight, ruleUsers, users, id) : noRows,
    identifiers: !deep || deep.has('identifiers') ? linkedRows(sight, ruleIdentifiers, identifiers, id) : noRows,
    users_count: countOf(sight, ruleUsers),
    identifiers_count: countOf(sight, ruleIdentifiers),
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
