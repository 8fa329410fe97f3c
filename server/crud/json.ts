import { type SQL, and, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { AreaName } from '#models/areas.ts';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import { hiddenName } from '#models/hidden-name.ts';
import { hasPermission } from '#models/permissions.ts';
import { known, seesAll, type ViewScope, visibleIds } from '../access/scope.ts';
import { base } from '../serve.ts';
import type { AreaTable, Link, WritableTable } from './repository.ts';

/** Rows are put together as JSON by the database, so that both drivers answer the same. */
type Value = SQL | PgColumn;

/** A JSON object of named values. The names come from the code, never from a request. */
export const jsonObject = (fields: Record<string, Value>): SQL =>
  sql`json_build_object(${sql.join(
    Object.entries(fields).flatMap(([name, value]) => [sql.raw(`'${name}'`), sql`${value}`]),
    sql`, `,
  )})`;

/** A moment as ISO 8601 UTC. */
export const isoTime = (column: Value): SQL => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
export const noRows = sql`'[]'::json`;
export const noRow = sql`null::json`;

/** The address of a stored picture, or null. */
export const fileUrl = (column: Value): SQL => sql`${sql.raw(`'${base}/files/'`)} || ${column}`;

/** What every row carries besides its own fields. */
export const stampsOf = (table: WritableTable) => ({
  id: table.id,
  version: table.version,
  created_at: isoTime(table.createdAt),
  updated_at: isoTime(table.updatedAt),
});

type NamedTable = AreaTable & { name: PgColumn };
const idAndName = (table: NamedTable): Record<string, Value> => ({ id: table.id, name: table.name });

/** A table under another name; Drizzle renders an alias as that name only, `from` declares it. */
export const declared = (table: AreaTable, name: string): SQL => sql`${table} ${sql.identifier(name)}`;

/** The row a column names, by id and name; null where it names none, or one that `seen` leaves out. */
export const oneNamed = (table: NamedTable, id: Value, seen?: SQL, from: SQL = sql`${table}`): SQL =>
  sql`(select ${jsonObject(idAndName(table))} from ${from} where ${and(sql`${table.id} = ${id}`, seen)})`;

/** Whether what stands under a permission is told to this sight. */
export const isShown = ({ principal }: ViewScope, code: PermissionCode | undefined): boolean => !code || !principal || hasPermission(principal, code);

/** Names in the order people count in: 2 before 10, whatever the case. The collation comes with a migration. */
export const inNameOrder = (name: Value): SQL => sql`${name} collate "numeric_order"`;

/** Only rows of the area that may be seen; undefined where all may. */
export const onlySeen = (scope: ViewScope, area: AreaName, id: Value): SQL | undefined =>
  seesAll(scope, area) ? undefined : sql`${id} in ${visibleIds(scope, area)}`;

/** What the principal reads where a name is not for them. */
const hidden = ({ principal }: ViewScope): SQL => sql`${hiddenName[principal?.locale ?? 'en']}::text`;

/** A name of the time, for those who know whom it names (`isKnown`, undefined is everybody). */
export const nameFor = (scope: ViewScope, name: Value, isKnown: SQL | undefined): SQL =>
  isKnown ? sql`case when ${name} is null or ${isKnown} then ${name} else ${hidden(scope)} end` : sql`${name}`;

/** A name that was written down without whose it is: told where somebody bears it whom the principal knows. */
export const nameOfSomebody = (scope: ViewScope, name: Value): SQL => {
  const isKnown = known(scope, sql`bearer.id`);
  return nameFor(
    scope,
    name,
    isKnown && sql`exists (select from users bearer where bearer.project_id = ${scope.projectId} and bearer.name = ${name} and ${isKnown})`,
  );
};

/** Somebody by the name they had, as far as the principal may know it; null where nobody is named. */
export const personThen = (scope: ViewScope, id: Value, name: Value): SQL => {
  const isKnown = known(scope, id);
  const person = { id: isKnown ? sql`case when ${isKnown} then ${id} end` : id, name: nameFor(scope, sql`coalesce(${name}, '')`, isKnown) };
  return sql`case when ${id} is null and ${name} is null then null else ${jsonObject(person)} end`;
};

/** The rows linked to a row, by id and name (and `more`), those one may see, in order of name. */
export const linkedRows = (
  scope: ViewScope,
  link: Link,
  other: NamedTable,
  own: Value,
  more: Record<string, Value> = {},
  from: SQL = sql`${other}`,
): SQL =>
  sql`(select coalesce(json_agg(${jsonObject({ ...idAndName(other), ...more })} order by ${inNameOrder(other.name)}, ${other.id}), '[]'::json)
    from ${link.table} join ${from} on ${other.id} = ${link.other} where ${and(sql`${link.own} = ${own}`, onlySeen(scope, link.area, other.id))})`;
