import { type SQL, and, Column, eq, is, sql } from 'drizzle-orm';
import { areaOf, mostCounted } from '#models/areas.ts';
import type { Filters, ListQuery } from '#models/query.ts';
import { idArray } from '../access/measures.ts';
import { type Sight, viewable } from '../access/scope.ts';
import type { Db } from '../db/database.ts';
import type { Binding, Row } from './binding.ts';
import { filterCondition } from './filter.ts';
import { jsonObject, tells } from './json.ts';
import type { Totals } from './totals.ts';

/** One sort key: text goes by its lower-case form, ids last, so that every order is a total one. */
function sortKeys(binding: Binding, sight: Sight, sort: readonly string[]): SQL[] {
  const wanted = sort.length > 0 ? sort : binding.model.defaultSort;
  const keys = wanted.map((name) => {
    const field = name.replace(/^-/, '');
    const { column: plain, columnFor, order: by, code } = binding.compared[field] ?? {};
    const column = columnFor?.(sight) ?? plain;
    const order = typeof by === 'function' ? by(sight) : by;
    if (!column) throw new Error(`${binding.area} is sorted by ${field}, which has no column`);
    const key = order ?? (binding.model.filters[field] === 'text' ? sql`lower(${column})` : column);
    if (!tells(sight, code)) return sql`${binding.table.id}`;
    if (!name.startsWith('-')) return sql`${key}`;
    // What has no value stands last in both directions: "last seen, latest first" does not begin with those never seen.
    return is(column, Column) && column.notNull ? sql`${key} desc` : sql`${key} desc nulls last`;
  });
  return [...keys, wanted.at(-1)?.startsWith('-') ? sql`${binding.table.id} desc` : sql`${binding.table.id}`];
}

const listed = (keys: readonly SQL[]): SQL => sql.join([...keys], sql`, `);

/** Which rows a request means: those one may see, of those the ones that match. */
const matching = (binding: Binding, sight: Sight, filters: Filters): SQL =>
  and(viewable(sight, binding.area), filterCondition(sight, binding, filters)) ?? sql`true`;

const told = (db: Db, binding: Binding, sight: Sight, rows: Row[]): Promise<Row[]> | Row[] =>
  binding.tell && rows.length > 0 ? binding.tell(db, sight, rows) : rows;

/** How many rows match; of long logs no more than it takes to know that there are more than are counted. */
const counted = ({ area, table }: Binding, where: SQL): SQL =>
  areaOf(area).isLong
    ? sql`(select count(*)::int from (select 1 from ${table} where ${where} limit ${mostCounted + 1}) most)`
    : sql`(select count(*)::int from ${table} where ${where})`;

/** A page of rows and how many match in all, counted where that is not known, in one statement; only the page's rows are put together. */
export async function readPage(db: Db, totals: Totals, binding: Binding, sight: Sight, query: ListQuery): Promise<{ rows: Row[]; total: number }> {
  const { table } = binding;
  const where = matching(binding, sight, query.filters);
  const order = listed(sortKeys(binding, sight, query.sort));
  const row = jsonObject(binding.shown(sight, new Set(query.with)));
  const { known, keep } = totals.of(sight.projectId, binding.area, where);
  const { rows } = await db.execute<{ total: number; rows: Row[] }>(sql`
    select ${known === null ? counted(binding, where) : sql`${known}::int`} as total,
      (select coalesce(json_agg(${row} order by ${order}), '[]'::json) from
        (select ${table.id} as id from ${table} where ${where} order by ${order} limit ${query.size} offset ${(query.page - 1) * query.size}) page
        join ${table} on ${table.id} = page.id) as rows`);
  const { rows: found, total } = rows[0] ?? { rows: [], total: 0 };
  if (known === null) keep(total);
  return { rows: await told(db, binding, sight, found), total };
}

/** One row with all its relations, if it may be seen. */
export async function readRow(db: Db, binding: Binding, sight: Sight, id: string): Promise<Row | null> {
  const row = jsonObject(binding.shown(sight, null));
  const { rows } = await db.execute<{ row: Row }>(
    sql`select ${row} as row from ${binding.table} where ${and(eq(binding.table.id, id), viewable(sight, binding.area))}`,
  );
  const [found] = await told(
    db,
    binding,
    sight,
    rows.map((one) => one.row),
  );
  return found ?? null;
}

/** Rows by id, in the order of the ids; those gone or out of sight by now are left out. */
export async function readRows(db: Db, binding: Binding, sight: Sight, ids: readonly string[]): Promise<Row[]> {
  const row = jsonObject(binding.shown(sight, null));
  const wanted = idArray(ids);
  const { rows } = await db.execute<{ row: Row }>(
    sql`select ${row} as row from ${binding.table} where ${binding.table.id} = any(${wanted}) and ${viewable(sight, binding.area)}
      order by array_position(${wanted}, ${binding.table.id})`,
  );
  return told(
    db,
    binding,
    sight,
    rows.map((found) => found.row),
  );
}

/** The ids of all rows that match, in order. */
export async function matchingIds(db: Db, binding: Binding, sight: Sight, filters: Filters, order?: SQL | readonly string[]): Promise<string[]> {
  const by = order === undefined || Array.isArray(order) ? listed(sortKeys(binding, sight, order ?? [])) : sql`${order as SQL}, ${binding.table.id}`;
  const { rows } = await db.execute<{ ids: string[] }>(
    sql`select coalesce(json_agg(${binding.table.id} order by ${by}), '[]'::json) as ids from ${binding.table} where ${matching(binding, sight, filters)}`,
  );
  return rows[0]?.ids ?? [];
}
