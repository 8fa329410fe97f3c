import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import type { OpenDatabase } from '#server/db/database.ts';
import { databaseOver, makeCopy, openInMemory } from '#server/db/embedded.ts';
import { migrationsFolder } from '#server/db/open.ts';

/** A copy of an empty database with all tables, made once for each state of the migrations and kept beside the packages. */
async function emptyCopy(): Promise<Blob> {
  const hash = createHash('sha256');
  for (const file of readdirSync(migrationsFolder()).toSorted()) if (file.endsWith('.sql')) hash.update(readFileSync(join(migrationsFolder(), file)));
  const folder = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'doorward');
  const path = join(folder, `empty-${hash.digest('hex').slice(0, 16)}.tar`);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    const beside = `${path}.${randomUUID()}`;
    writeFileSync(beside, Buffer.from(await (await makeCopy(migrationsFolder())).arrayBuffer()));
    renameSync(beside, path);
  }
  return new Blob([readFileSync(path)]);
}

/** A database that is used by one server of a test after the other. */
interface Lent {
  client: PGlite;
  urgent: PGlite;
  /** What its tables looked like when it was new. */
  shape: string;
}

/** Those nobody uses at this moment. Files of one worker share what they import, and so they share these. */
const free: Lent[] = [];

/** Tables, columns and constraints of a database: somebody who has changed one of them has spoilt it for others. */
async function shapeOf(client: PGlite): Promise<string> {
  const { rows } = await client.query<{ shape: string }>(`select md5(string_agg(line, ';' order by line)) as shape from (
    select format('%s.%s %s %s', n.nspname, c.relname, a.attname, a.atttypid) as line from pg_attribute a
      join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      where a.attnum > 0 and not a.attisdropped and n.nspname !~ '^(pg_|information_schema)'
    union all select format('%s %s %s', conname, conrelid::regclass, convalidated) from pg_constraint where conrelid > 0
    union all select format('%s %s', tgname, tgenabled) from pg_trigger where not tgisinternal) as lines`);
  return rows[0]?.shape ?? '';
}

/** Removes what somebody has written. @returns whether it is as it was when it was new */
async function clear({ client, shape }: Lent): Promise<boolean> {
  for (const statement of ['unlisten *', 'reset all', 'select pg_advisory_unlock_all()', 'discard temp']) await client.query(statement);
  const { rows } = await client.query<{ name: string }>(`select c.oid::regclass::text as name from pg_class c
    join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and n.nspname = 'public' and pg_relation_size(c.oid) > 0`);
  if (rows.length > 0) {
    // To truncate makes each table, and each that refers to it, anew: several times the work of removing some rows and giving their pages back.
    await client.query('set session_replication_role = replica');
    for (const { name } of rows) await client.query(`delete from ${name}`);
    await client.query('reset session_replication_role');
    await client.query(`vacuum ${rows.map(({ name }) => name).join(', ')}`);
  }
  return (await shapeOf(client)) === shape;
}

async function open(): Promise<Lent> {
  const { client, urgent } = await openInMemory(migrationsFolder(), await emptyCopy());
  return { client, urgent, shape: await shapeOf(client) };
}

/** The same client for as long as it is lent. */
function whileLent(client: PGlite, isOver: () => boolean): PGlite {
  const check = (): void => {
    if (isOver()) throw new Error('PGlite is closed');
  };
  const query: PGlite['query'] = async (...given) => (check(), client.query(...given));
  const transaction: PGlite['transaction'] = async (work) => (check(), client.transaction(work));
  return Object.assign(Object.create(client) as PGlite, { query, transaction });
}

/** An empty database in memory. Opening one takes ten times as long as emptying one, so that one that is closed is lent again. */
export async function lendDatabase(): Promise<OpenDatabase> {
  const one = free.pop() ?? (await open());
  const { client, urgent } = one;
  let isOver = false;
  const stops: (() => Promise<void>)[] = [];
  return {
    db: databaseOver(
      whileLent(client, () => isOver),
      whileLent(urgent, () => isOver),
    ),
    listen: async (channel, heard) => {
      const stop = await client.listen(channel, heard);
      stops.push(stop);
      return stop;
    },
    close: async () => {
      if (isOver) return;
      isOver = true;
      for (const stop of stops) await stop();
      if (await clear(one)) free.push(one);
      else await client.close();
    },
  };
}
