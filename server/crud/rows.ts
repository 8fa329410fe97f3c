import { type SQL, and, Column, eq, getTableName, is, sql } from 'drizzle-orm';
import { areaOf, mostCounted } from '#models/areas.ts';
import type { Filters, ListQuery } from '#models/query.ts';
import { idArray } from '../access/measures.ts';
import { type ViewScope, viewable } from '../access/scope.ts';
import type { Db } from '../db/database.ts';
import type { AreaRepository, Row } from './repository.ts';
import { filterCondition } from './filter.ts';
import { jsonObject, isShown } from './json.ts';
import type { Totals } from './totals.ts';

/** One sort key: text goes by its lower-case form, ids last, so that every order is a total one. */
function sortKeys(repository: AreaRepository, scope: ViewScope, sort: readonly string[]): SQL[] {
  const wanted = sort.length > 0 ? sort : repository.model.defaultSort;
  const keys = wanted.map((name) => {
    const field = name.replace(/^-/, '');
    const { column: plain, columnFor, order: by, code } = repository.compared[field] ?? {};
    const column = columnFor?.(scope) ?? plain;
    const order = typeof by === 'function' ? by(scope) : by;
    if (!column) throw new Error(`${repository.area} is sorted by ${field}, which has no column`);
    const key = order ?? (repository.model.filters[field] === 'text' ? sql`lower(${column})` : column);
    if (!isShown(scope, code)) return sql`${repository.table.id}`;
    if (!name.startsWith('-')) return sql`${key}`;
    // What has no value stands last in both directions: "last seen, latest first" does not begin with those never seen.
    return is(column, Column) && column.notNull ? sql`${key} desc` : sql`${key} desc nulls last`;
  });
  return [...keys, wanted.at(-1)?.startsWith('-') ? sql`${repository.table.id} desc` : sql`${repository.table.id}`];
}

const listed = (keys: readonly SQL[]): SQL => sql.join([...keys], sql`, `);

/** Which rows a request means: those one may see, of those the ones that match. */
const matching = (repository: AreaRepository, scope: ViewScope, filters: Filters): SQL =>
  and(viewable(scope, repository.area), filterCondition(scope, repository, filters)) ?? sql`true`;

const named = (db: Db, repository: AreaRepository, scope: ViewScope, rows: Row[]): Promise<Row[]> | Row[] =>
  repository.nameValues && rows.length > 0 ? repository.nameValues(db, scope, rows) : rows;

/** How many rows match; of long logs no more than it takes to know that there are more than are counted. */
const counted = ({ area, table }: AreaRepository, where: SQL): SQL =>
  areaOf(area).isLong
    ? sql`(select count(*)::int from (select 1 from ${table} where ${where} limit ${mostCounted + 1}) most)`
    : sql`(select count(*)::int from ${table} where ${where})`;

/** As many matches as are put in order at once. */
const fewMatches = 1_000;

/**
 * The ids of a page, in order. What PostgreSQL knows of the texts in a log is a sample: a rare text that is in it is taken for frequent, and the
 * whole log would be read from its newest row until enough are met. So the few matches of a long log are found first and then put in order.
 */
function pageIds({ area, table }: AreaRepository, where: SQL, order: SQL, { page, size }: ListQuery): SQL {
  const inOrder = (from: SQL): SQL => sql`select ${table.id} as id from ${from} order by ${order} limit ${size} offset ${(page - 1) * size}`;
  const all = inOrder(sql`${table} where ${where}`);
  if (!areaOf(area).isLong) return all;
  // `offset 0` keeps the planner from taking both steps for one.
  const few = inOrder(sql`(select * from ${table} where ${where} offset 0) ${sql.identifier(getTableName(table))}`);
  const total = sql`(select total from counted)`;
  return sql`select id from (${few}) few where ${total} <= ${fewMatches} union all select id from (${all}) many where ${total} > ${fewMatches}`;
}

/** A page of rows and how many match in all, counted where that is not known, in one statement; only the page's rows are put together. */
export async function readPage(
  db: Db,
  totals: Totals,
  repository: AreaRepository,
  scope: ViewScope,
  query: ListQuery,
): Promise<{ rows: Row[]; total: number }> {
  const { table } = repository;
  const where = matching(repository, scope, query.filters);
  const order = listed(sortKeys(repository, scope, query.sort));
  const row = jsonObject(repository.shown(scope, new Set(query.with)));
  const { known, store } = totals.of(scope.projectId, repository.area, where);
  const { rows } = await db.execute<{ total: number; rows: Row[] }>(sql`
    with counted as materialized (select ${known === null ? counted(repository, where) : sql`${known}::int`} as total)
    select total, (select coalesce(json_agg(${row} order by ${order}), '[]'::json) from
      (${pageIds(repository, where, order, query)}) page join ${table} on ${table.id} = page.id) as rows
    from counted`);
  const { rows: found, total } = rows[0] ?? { rows: [], total: 0 };
  if (known === null) store(total);
  return { rows: await named(db, repository, scope, found), total };
}

/** One row with all its relations, if it may be seen. */
export async function readRow(db: Db, repository: AreaRepository, scope: ViewScope, id: string): Promise<Row | null> {
  const row = jsonObject(repository.shown(scope, null));
  const { rows } = await db.execute<{ row: Row }>(
    sql`select ${row} as row from ${repository.table} where ${and(eq(repository.table.id, id), viewable(scope, repository.area))}`,
  );
  const [found] = await named(
    db,
    repository,
    scope,
    rows.map((one) => one.row),
  );
  return found ?? null;
}

/** Rows by id, in the order of the ids; those gone or out of sight by now are left out. */
export async function readRows(db: Db, repository: AreaRepository, scope: ViewScope, ids: readonly string[]): Promise<Row[]> {
  const row = jsonObject(repository.shown(scope, null));
  const wanted = idArray(ids);
  const { rows } = await db.execute<{ row: Row }>(
    sql`select ${row} as row from ${repository.table} where ${repository.table.id} = any(${wanted}) and ${viewable(scope, repository.area)}
      order by array_position(${wanted}, ${repository.table.id})`,
  );
  return named(
    db,
    repository,
    scope,
    rows.map((found) => found.row),
  );
}

/** The ids of all rows that match, in order. */
export async function matchingIds(
  db: Db,
  repository: AreaRepository,
  scope: ViewScope,
  filters: Filters,
  order?: SQL | readonly string[],
): Promise<string[]> {
  const by =
    order === undefined || Array.isArray(order) ? listed(sortKeys(repository, scope, order ?? [])) : sql`${order as SQL}, ${repository.table.id}`;
  const { rows } = await db.execute<{ ids: string[] }>(
    sql`select coalesce(json_agg(${repository.table.id} order by ${by}), '[]'::json) as ids from ${repository.table} where ${matching(repository, scope, filters)}`,
  );
  return rows[0]?.ids ?? [];
}
