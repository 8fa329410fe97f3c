import { and, type SQL, sql } from 'drizzle-orm';
import { alias, type PgColumn } from 'drizzle-orm/pg-core';
import type { ViewScope } from '../access/scope.ts';
import { devices, groups } from '../db/schema/index.ts';
import { declared, jsonObject, onlySeen } from './json.ts';

const [above, placed, standing] = [alias(groups, 'above'), alias(groups, 'placed'), alias(devices, 'standing')];

/** The names along a path of ids, from the highest group one may see down. */
export const namesAlong = (scope: ViewScope, path: SQL | PgColumn): SQL =>
  sql`(select coalesce(json_agg(${above.name} order by part.place), '[]'::json) from unnest(${path}) with ordinality part(id, place)
    join ${declared(groups, 'above')} on ${above.id} = part.id where ${onlySeen(scope, 'groups', above.id) ?? sql`true`})`;

/** The names from the highest group one may see down to the one a column names; empty where it names none. */
export const pathTo = (scope: ViewScope, id: PgColumn): SQL =>
  sql`coalesce((select ${namesAlong(scope, placed.path)} from ${declared(groups, 'placed')} where ${placed.id} = ${id}), '[]'::json)`;

/** The names from the highest group one may see down to that of the device a column names; empty once it is gone. */
export const pathToDevice = (scope: ViewScope, id: PgColumn): SQL =>
  sql`coalesce((select ${namesAlong(scope, placed.path)} from ${declared(devices, 'standing')} join ${declared(groups, 'placed')} on ${placed.id} = ${standing.domainId}
    where ${standing.id} = ${id}), '[]'::json)`;

/** The group a column names, with the way down to it; null where it names none, or one that may not be seen. */
export const oneGroup = (scope: ViewScope, id: SQL | PgColumn): SQL =>
  sql`(select ${jsonObject({ id: placed.id, name: placed.name, path: namesAlong(scope, placed.path) })} from ${declared(groups, 'placed')}
    where ${and(sql`${placed.id} = ${id}`, onlySeen(scope, 'groups', placed.id))})`;
