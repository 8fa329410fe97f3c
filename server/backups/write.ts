import { open } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { and, asc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm';
import type { BackupKind } from '#models/backups.ts';
import type { Services } from '../context.ts';
import { onOwnConnection } from '../db/alone.ts';
import type { Db } from '../db/database.ts';
import { files, projects } from '../db/schema/index.ts';
import { storedPath } from '../files.ts';
import { HttpError } from '../http-error.ts';
import {
  archiveFormat,
  filesName,
  lastMigration,
  type Manifest,
  manifestName,
  partName,
  product,
  productVersion,
  secretMark,
  signatureName,
  signManifest,
} from './manifest.ts';
import { filesOf, list, named, type PlannedTable, plannedTables } from './plan.ts';
import { ZipWriter } from './zip-write.ts';

/** How long work tells how far it has come, where somebody follows it. */
export interface Steps {
  total: (units: number) => void;
  done: (units: number) => Promise<void>;
  stopIfCancelled: () => void;
}
/** Of work that nobody follows. */
export const unfollowed: Steps = { total: () => undefined, done: () => turn(), stopIfCancelled: () => undefined };

interface Wanted {
  projectId: string;
  name: string;
  entities: readonly BackupKind[];
}
const atOnce = 1_000;

const mine = (table: PlannedTable, projectId: string): SQL =>
  table.unfinished ? sql`${table.own(projectId)} and ${table.unfinished}` : table.own(projectId);

async function countRows(db: Db, table: PlannedTable, projectId: string): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`select count(*)::int as count from ${named(table.name)} where ${mine(table, projectId)}`);
  return rows[0]?.count ?? 0;
}

/** The rows of a table as they stood at one moment, or as they stand. */
interface Source {
  name: string;
  key: readonly string[];
  where: SQL;
}
const standing = (table: PlannedTable, projectId: string): Source => ({ name: table.name, key: table.key, where: mine(table, projectId) });

/** The rows of a table in the order of its key, as lines of JSON that the database itself has written and will read again. */
async function* linesOf(db: Db, { columns }: PlannedTable, { name, key, where }: Source): AsyncGenerator<string[]> {
  let last: string[] | null = null;
  for (;;) {
    const beyond: SQL = last
      ? sql`and (${list(key)}) > (${sql.join(
          last.map((value) => sql`${value}`),
          sql`, `,
        )})`
      : sql``;
    const { rows }: { rows: { line: string }[] } = await db.execute<{ line: string }>(sql`
      select row_to_json(page)::text as line from (select ${list(columns)} from ${named(name)}
        where ${where} ${beyond} order by ${list(key)} limit ${atOnce}) page`);
    const end = rows.at(-1);
    if (end) yield rows.map(({ line }) => line);
    if (!end || rows.length < atOnce) return;
    const row = JSON.parse(end.line) as Record<string, unknown>;
    last = key.map((column) => String(row[column]));
  }
}

/** Stored files one behind the other: a line that says what follows, then so many bytes. */
async function* packOf(services: Services, { projectId, entities }: Wanted, count: () => void): AsyncGenerator<string | Uint8Array> {
  let last = '00000000-0000-0000-0000-000000000000';
  const kinds = filesOf(entities);
  for (;;) {
    const rows = await services.db
      .select()
      .from(files)
      .where(and(eq(files.projectId, projectId), inArray(files.kind, kinds), gt(files.id, last)))
      .orderBy(asc(files.id))
      .limit(200);
    for (const { id, kind, contentType, createdAt } of rows) {
      const file = await open(storedPath(services, id)).catch(() => null);
      if (!file) continue;
      try {
        const { size } = await file.stat();
        yield `${JSON.stringify({ id, kind, content_type: contentType, bytes: size, created_at: createdAt.toISOString() })}\n`;
        if (size > 0) for await (const chunk of file.createReadStream({ autoClose: false, start: 0, end: size - 1 })) yield chunk as Buffer;
        count();
      } finally {
        await file.close();
      }
    }
    const end = rows.at(-1);
    if (!end) return;
    last = end.id;
  }
}

async function writeTable(zip: ZipWriter, db: Db, table: PlannedTable, source: Source, pass: (units: number) => Promise<void>) {
  let rows = 0;
  const content = async function* () {
    for await (const lines of linesOf(db, table, source)) {
      rows += lines.length;
      yield `${lines.join('\n')}\n`;
      await pass(lines.length);
    }
  };
  const written = await zip.add(partName(table.name), content());
  return { table: table.name, columns: [...table.columns], rows, ...written };
}

/** Where what people set up waits, as it stood at one moment, until it is in the archive. The embedded database has one connection, whose tables these are. */
const momentOf = (table: PlannedTable): string => `moment_${table.name}`;

async function dropMoment(db: Db, tables: readonly PlannedTable[]): Promise<void> {
  for (const table of tables) await db.execute(sql`drop table if exists pg_temp.${named(momentOf(table))}`);
}

/** Lays aside what the tables hold at this moment: the database copies faster than it tells, and nobody else is answered meanwhile. */
async function storeMoment(db: Db, tables: readonly PlannedTable[], projectId: string): Promise<void> {
  await dropMoment(db, tables);
  await db.transaction(async (tx) => {
    for (const table of tables)
      await tx.execute(
        sql`create temporary table ${named(momentOf(table))} as select ${list(table.columns)} from ${named(table.name)} where ${mine(table, projectId)}`,
      );
  });
  for (const table of tables) {
    await db.execute(sql`create index on pg_temp.${named(momentOf(table))} (${list(table.key)})`);
    await turn();
  }
}

/** The embedded database has one connection: what people set up is laid aside as it stands at one moment, then read page by page between other work, as logs are, which only ever grow. */
async function writeBetween(zip: ZipWriter, db: Db, tables: readonly PlannedTable[], projectId: string, steps: Steps): Promise<Manifest['tables']> {
  const setUp = tables.filter(({ isLog }) => !isLog);
  const written: Manifest['tables'] = [];
  try {
    await storeMoment(db, setUp, projectId);
    for (const table of tables) {
      const source = table.isLog ? standing(table, projectId) : { name: momentOf(table), key: table.key, where: sql`true` };
      written.push(await writeTable(zip, db, table, source, steps.done));
      if (!table.isLog) await dropMoment(db, [table]);
    }
  } finally {
    await dropMoment(db, setUp);
  }
  return written;
}

/** The rows of all tables at one moment. */
async function writeTables(zip: ZipWriter, services: Services, db: Db, { projectId, entities }: Wanted, steps: Steps): Promise<Manifest['tables']> {
  const tables = plannedTables.filter(({ kind }) => entities.includes(kind));
  let total = 0;
  for (const table of tables) total += await countRows(db, table, projectId);
  steps.total(total);
  if (!services.config.databaseUrl) return writeBetween(zip, db, tables, projectId, steps);
  const written: Manifest['tables'] = [];
  await db.transaction(
    async (tx) => {
      for (const table of tables) written.push(await writeTable(zip, tx, table, standing(table, projectId), steps.done));
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
  return written;
}

/** Writes a backup to a file that is not there yet. */
export function writeBackup(services: Services, wanted: Wanted, path: string, steps: Steps): Promise<void> {
  const { projectId, name, entities } = wanted;
  return onOwnConnection(services, async (db) => {
    const [project] = await db.select({ id: projects.id, name: projects.name }).from(projects).where(eq(projects.id, projectId));
    if (!project) throw new HttpError('not_found');
    const zip = await ZipWriter.create(path);
    try {
      const tables = await writeTables(zip, services, db, wanted, steps);
      let count = 0;
      const pack = await zip.add(
        filesName,
        packOf(services, wanted, () => (count += 1)),
      );
      const manifest: Manifest = {
        product,
        format: archiveFormat,
        version: productVersion(),
        migration: lastMigration(),
        project,
        secret: secretMark(services.config),
        name,
        entities: [...entities],
        made_at: services.now().toISOString(),
        tables,
        files: { ...pack, count },
      };
      const text = JSON.stringify(manifest, null, 1);
      await zip.add(manifestName, asIterable(text));
      await zip.add(signatureName, asIterable(signManifest(services.config, text)));
      await zip.finish();
    } finally {
      await zip.close();
    }
  });
}

async function* asIterable(text: string): AsyncGenerator<string> {
  yield text;
}
