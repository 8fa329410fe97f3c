import { getTableColumns, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Db } from '../database.ts';

const atOnce = 2_000;

/** Puts many rows into a table as one JSON text a portion: a fraction of the time that a parameter for every value takes. */
export async function insertRows<T extends PgTable>(db: Db, table: T, rows: readonly T['$inferInsert'][]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.entries(getTableColumns(table)).filter(([key]) => key in first);
  const names = sql.join(
    columns.map(([, column]) => sql.identifier(column.name)),
    sql`, `,
  );
  for (let at = 0; at < rows.length; at += atOnce) {
    const lines = rows
      .slice(at, at + atOnce)
      .map((row) => Object.fromEntries(columns.map(([key, { name }]) => [name, (row as Record<string, unknown>)[key]])));
    await db.execute(
      sql`insert into ${table} (${names}) select ${names} from json_populate_recordset(null::${table}, ${JSON.stringify(lines)}::json)`,
    );
  }
}
