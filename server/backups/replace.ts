import { setTimeout as pause } from 'node:timers/promises';
import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { HttpError, invalidField } from '../http-error.ts';
import { fileKinds, filesOf, list, named, ownRows } from './plan.ts';
import { stageOf, type StagedTable } from './stage.ts';

/** A foreign key as the database has it. */
interface Key {
  name: string;
  child: string;
  parent: string;
  column: string;
  target: string;
  /** What becomes of the child: `c` goes with it, `n` is without, `a` keeps it from going. */
  action: string;
  nullable: boolean;
  /** It is part of what the child is known by. */
  isKey: boolean;
  definition: string;
}

async function keysAround(tx: Db, tables: readonly string[]): Promise<Key[]> {
  const names = sql`(select json_array_elements_text(${JSON.stringify(tables)}::json))`;
  const { rows } = await tx.execute<Record<keyof Key, never>>(sql`
    select con.conname as name, child.relname as child, parent.relname as parent, a.attname as "column", b.attname as target,
      con.confdeltype::text as action, not a.attnotnull as nullable, pg_get_constraintdef(con.oid) as definition,
      exists (select from pg_constraint key where key.conrelid = con.conrelid and key.contype = 'p' and con.conkey[1] = any(key.conkey)) as "isKey"
    from pg_constraint con
      join pg_class child on child.oid = con.conrelid join pg_class parent on parent.oid = con.confrelid
      join pg_namespace place on place.oid = child.relnamespace and place.nspname = current_schema()
      join pg_attribute a on a.attrelid = con.conrelid and a.attnum = con.conkey[1]
      join pg_attribute b on b.attrelid = con.confrelid and b.attnum = con.confkey[1]
    where con.contype = 'f' and (child.relname in ${names} or parent.relname in ${names})`);
  return rows as unknown as Key[];
}

const lockTries = 400;
const lockPause = 50;
const isTaken = (error: unknown): boolean => {
  for (let at = error; at instanceof Error; at = at.cause) if ((at as { code?: string }).code === '55P03') return true;
  return false;
};

/**
 * Takes all tables or none, and again a moment later: somebody who reads one of them and wants another never waits for us while we wait for them, which
 * PostgreSQL would end by refusing one of both. @throws when they are in use all the time
 */
async function lockAll(tx: Db, tables: readonly string[]): Promise<void> {
  const lock = sql`lock table ${list(tables)} in access exclusive mode nowait`;
  for (let round = 1; ; round += 1) {
    try {
      await tx.transaction((inner) => inner.execute(lock));
      return;
    } catch (error) {
      if (!isTaken(error) || round === lockTries) throw error;
    }
    await pause(lockPause);
  }
}

/** Rows that name others which are not there, as the key itself would have treated them when these went. Answers how many were changed. */
async function settle(tx: Db, { child, parent, column, target, action, nullable, isKey }: Key): Promise<number> {
  const [own, other, at, to] = [named(child), named(parent), named(column), named(target)];
  const lost = sql`${at} is not null and not exists (select from ${other} held where held.${to} = ${own}.${at})`;
  const count = (work: SQL): Promise<number> =>
    tx
      .execute<{ count: number }>(sql`with changed as (${work} returning 1) select count(*)::int as count from changed`)
      .then(({ rows }) => rows[0]?.count ?? 0);
  if (action === 'c' || (action === 'a' && isKey)) return count(sql`delete from ${own} where ${lost}`);
  if (nullable) return count(sql`update ${own} set ${at} = null where ${lost}`);
  const { rows } = await tx.execute(sql`select 1 from ${own} where ${lost} limit 1`);
  if (rows.length > 0) throw new HttpError('invalid_related', { names: [], ids: [] });
  return 0;
}

/** What one took away another may have leant on. */
async function settleAll(tx: Db, keys: readonly Key[]): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    let changed = 0;
    for (const key of keys) changed += await settle(tx, key);
    if (changed === 0) return;
  }
  throw new Error('rows that lean on each other do not come to rest');
}

const foreign = () => invalidField(['backup'], 'backup_damaged', { part: 'project' });

/** No row of a backup belongs to another project, or names a row of another project. */
async function requireOwn(tx: Db, staged: readonly StagedTable[], keys: readonly Key[], projectId: string): Promise<void> {
  for (const { table } of staged) {
    const column = table.name === 'projects' ? 'id' : table.columns.includes('project_id') ? 'project_id' : null;
    if (!column) continue;
    const { rows } = await tx.execute(sql`select 1 from ${stageOf(table.name)} where ${named(column)} is distinct from ${projectId} limit 1`);
    if (rows.length > 0) throw foreign();
  }
  for (const { child, parent, column, target } of keys) {
    const own = ownRows(parent, projectId);
    if (!own || !staged.some(({ table }) => table.name === child)) continue;
    const { rows } =
      await tx.execute(sql`select 1 from ${stageOf(child)} staged join ${named(parent)} held on held.${named(target)} = staged.${named(column)}
      where held.${named(target)} not in (select ${named(target)} from ${named(parent)} where ${own}) limit 1`);
    if (rows.length > 0) throw foreign();
  }
}

/** Entries of a log stay as they are, but find again what they spoke of, where that had gone and comes back. */
function addMissing(insert: SQL, { table, columns }: StagedTable, keys: readonly Key[]): SQL {
  const lost = keys
    .filter(({ child, action, column }) => child === table.name && action === 'n' && columns.includes(column))
    .map(({ column }) => named(column));
  if (lost.length === 0) return sql`${insert} on conflict do nothing`;
  const found = lost.map((column) => sql`${column} = coalesce(entry.${column}, excluded.${column})`);
  const wanted = lost.map((column) => sql`(entry.${column} is null and excluded.${column} is not null)`);
  return sql`${insert} on conflict (${list(table.key)}) do update set ${sql.join(found, sql`, `)} where ${sql.join(wanted, sql` or `)}`;
}

async function replaceTable(tx: Db, staged: StagedTable, keys: readonly Key[]): Promise<void> {
  const { table, columns } = staged;
  const [own, stage] = [named(table.name), stageOf(table.name)];
  const insert = sql`insert into ${own} as entry (${list(columns)}) select ${list(columns)} from ${stage}`;
  if (table.isLog) await tx.execute(addMissing(insert, staged, keys));
  else if (table.name === 'projects')
    await tx.execute(
      sql`${insert} on conflict (id) do update set ${sql.join(
        columns.filter((column) => column !== 'id').map((column) => sql`${named(column)} = excluded.${named(column)}`),
        sql`, `,
      )}`,
    );
  else await tx.execute(insert);
}

/** How things stand at this moment outlives what is replaced around it. */
async function storeMoment(tx: Db, { table }: StagedTable, projectId: string): Promise<() => Promise<void>> {
  if (table.moment.length === 0) return () => Promise.resolve();
  const momentTable = named(`restoring_moment_${table.name}`);
  await tx.execute(
    sql`create temporary table ${momentTable} on commit drop as select id, ${list(table.moment)} from ${named(table.name)} where ${table.own(projectId)}`,
  );
  return async () => {
    const values = sql.join(
      table.moment.map((column) => sql`${named(column)} = stored.${named(column)}`),
      sql`, `,
    );
    await tx.execute(sql`update ${named(table.name)} own set ${values} from ${momentTable} stored where stored.id = own.id`);
  };
}

/** Replaces stored files; answers those that are no longer anybody's, whose bytes can go once this stands. */
async function replaceFiles(tx: Db, entities: Parameters<typeof filesOf>[0], projectId: string): Promise<string[]> {
  const replaced = filesOf(entities).filter((kind) => fileKinds[kind as keyof typeof fileKinds] !== 'logs');
  const { rows } = await tx.execute<{ id: string }>(sql`
    delete from files where project_id = ${projectId} and kind in (select json_array_elements_text(${JSON.stringify(replaced)}::json))
      and id not in (select id from ${stageOf('files')}) returning id`);
  await tx.execute(sql`insert into files select * from ${stageOf('files')} on conflict do nothing`);
  return rows.map(({ id }) => id);
}

/**
 * Puts what is beside the tables in place of what is in them, ids and all, in the transaction it is given. Foreign keys are taken off meanwhile and put back,
 * which checks every row: so rows may come in any order, and those of kinds that are not restored lose nothing but what is really gone.
 * Answers the stored files whose bytes can go.
 */
export async function replaceRows(
  tx: Db,
  staged: readonly StagedTable[],
  { projectId, entities }: { projectId: string; entities: Parameters<typeof filesOf>[0] },
): Promise<string[]> {
  const touched = staged.map(({ table }) => table.name);
  const keys = await keysAround(tx, [...touched, 'sessions']);
  await lockAll(tx, [...new Set([...touched, 'files', ...keys.flatMap(({ child, parent }) => [child, parent])])]);
  await requireOwn(tx, staged, keys, projectId);
  const restore: (() => Promise<void>)[] = [];
  for (const one of staged) restore.push(await storeMoment(tx, one, projectId));
  for (const { child, name } of keys) await tx.execute(sql`alter table ${named(child)} drop constraint ${named(name)}`);
  for (const { table } of staged.toReversed())
    if (!table.isLog && table.name !== 'projects') await tx.execute(sql`delete from ${named(table.name)} where ${table.own(projectId)}`);
  for (const one of staged) await replaceTable(tx, one, keys);
  for (const put of restore) await put();
  const free = await replaceFiles(tx, entities, projectId);
  await tx.execute(sql`delete from sessions where user_id not in (select id from users where project_id <> ${projectId})`);
  await settleAll(tx, keys);
  for (const { child, name, definition } of keys)
    await tx.execute(sql`alter table ${named(child)} add constraint ${named(name)} ${sql.raw(definition)}`);
  return free;
}
