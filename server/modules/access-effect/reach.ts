import { type SQL, sql } from 'drizzle-orm';

/** The tables that lead from a rule to people, as they stand or as a change would leave them; each a query in brackets. */
export interface Links {
  /** `rule_id, user_id` */
  byName: SQL;
  /** `rule_id, identifier_id` */
  byIdentifier: SQL;
  /** `rule_id, group_id` */
  byGroup: SQL;
  /** `user_id, group_id` */
  memberships: SQL;
  /** `id, path`: the groups with all above each. */
  tree: SQL;
  /** Which of it counts: a condition on `rule_id` and `user_id`. */
  only: SQL;
}

const barred = sql`select id from users where elevator_access_disabled`;
/** People whom rules for lifts name and who may use lifts. */
export const liftNames = sql`select rule_id, user_id from elevator_rule_users where user_id not in (${barred})`;
/** The same with one person who may not use them, or may. */
export const liftNamesWith = (user: string, isBarred: boolean): SQL =>
  sql`select rule_id, user_id from elevator_rule_users where case when user_id = ${user} then ${!isBarred} else user_id not in (${barred}) end`;

export const storedLinks: Links = {
  byName: sql`(select rule_id, user_id from access_rule_users union all ${liftNames})`,
  byIdentifier: sql`(select rule_id, identifier_id from access_rule_identifiers)`,
  byGroup: sql`(select rule_id, group_id from access_rule_groups)`,
  memberships: sql`(select user_id, group_id from user_domains)`,
  tree: sql`(select id, path from groups)`,
  only: sql`true`,
};

/** `rule_id, user_id`: each person with the rules that reach them, by name, by an identifier of theirs, by a group they are in or below. */
export const reachOf = ({ byName, byIdentifier, byGroup, memberships, tree, only }: Links): SQL => sql`(
  select rule_id, user_id from (
    select rule_id, user_id from ${byName} named
    union select named.rule_id, identifiers.user_id from ${byIdentifier} named join identifiers on identifiers.id = named.identifier_id
    union select named.rule_id, people.user_id from ${byGroup} named join ${tree} held on held.path @> array[named.group_id]
      join ${memberships} people on people.group_id = held.id) reach
  where user_id is not null and ${only})`;
