import { type SQL, sql } from 'drizzle-orm';

/** Rules that let somebody in at a door, or at any. */
export const permitting = (door: string | null): SQL =>
  sql`(select id from access_rules where not prohibition ${door === null ? sql`` : sql`and id in (select rule_id from access_rule_devices where device_id = ${door})`})`;
/** People whom one of these rules reaches: by name, by an identifier, by a group they are in or below. */
export const reachedBy = (rules: SQL): SQL => sql`(select user_id from access_rule_users where rule_id in ${rules}
  union select identifiers.user_id from access_rule_identifiers link join identifiers on identifiers.id = link.identifier_id where link.rule_id in ${rules}
  union select people.user_id from access_rule_groups link join groups held on held.path @> array[link.group_id]
    join user_domains people on people.group_id = held.id where link.rule_id in ${rules})`;
/** Rules that let a person in somewhere. */
export const reaching = (person: string): SQL => sql`(select rule_id from access_rule_users where user_id = ${person}
  union select link.rule_id from access_rule_identifiers link join identifiers on identifiers.id = link.identifier_id where identifiers.user_id = ${person}
  union select link.rule_id from access_rule_groups link where link.group_id in
    (select unnest(held.path) from user_domains people join groups held on held.id = people.group_id where people.user_id = ${person}))`;
