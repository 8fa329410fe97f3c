import { and, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { alias } from 'drizzle-orm/pg-core';
import type { ViewScope } from '../access/scope.ts';
import { declared, onlySeen } from '../crud/json.ts';
import { devices, groups, sipNumbers, userDomains } from '../db/schema/index.ts';

const step = alias(groups, 'step');

/** The way down to a group as people read it, as far as the sight reaches: "Tower B · Floor 4 · 22"; null for no group. */
export const addressOf = (scope: ViewScope, groupId: SQL | PgColumn): SQL<string | null> =>
  sql<
    string | null
  >`(select string_agg(${step.name}, ' · ' order by part.place) from ${groups} at_last, unnest(at_last.path) with ordinality part(id, place)
    join ${declared(groups, 'step')} on ${step.id} = part.id where ${and(sql`at_last.id = ${groupId}`, onlySeen(scope, 'groups', step.id))})`;

/** A person's own place: the deepest of their groups. */
export const homeOf = (userId: PgColumn): SQL<string | null> =>
  sql<string | null>`(select ${userDomains.groupId} from ${userDomains} join ${groups} home on home.id = ${userDomains.groupId}
    where ${userDomains.userId} = ${userId} order by cardinality(home.path) desc, lower(home.name), home.id limit 1)`;

/** The group a number belongs to by its owner. */
export const groupOfNumber: SQL<string | null> = sql<string | null>`coalesce(${sipNumbers.domainId},
  (select ${devices.domainId} from ${devices} where ${devices.id} = ${sipNumbers.deviceId}), ${homeOf(sipNumbers.userId)})`;
