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

/** The rows of a table in the order of its key, as lines of JSON that the database itself has written and will read again. */
async function* linesOf(db: Db, table: PlannedTable, projectId: string): AsyncGenerator<string[]> {
  let last: string[] | null = null;
  for (;;) {
    const beyond: SQL = last
      ? sql`and (${list(table.key)}) > (${sql.join(
          last.map((value) => sql`${value}`),
          sql`, `,
        )})`
      : sql``;
    const { rows }: { rows: { line: string }[] } = await db.execute<{ line: string }>(sql`
      select row_to_json(page)::text as line from (select ${list(table.columns)} from ${named(table.name)}
        where ${mine(table, projectId)} ${beyond} order by ${list(table.key)} limit ${atOnce}) page`);
    const end = rows.at(-1);
    if (end) yield rows.map(({ line }) => line);
    if (!end || rows.length < atOnce) return;
    const row = JSON.parse(end.line) as Record<string, unknown>;
    last = table.key.map((column) => String(row[column]));
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

async function writeTable(zip: ZipWriter, db: Db, table: PlannedTable, projectId: string, pass: (units: number) => Promise<void>) {
  let rows = 0;
  const content = async function* () {
    for await (const lines of linesOf(db, table, projectId)) {
      rows += lines.length;
      yield `${lines.join('\n')}\n`;
      await pass(lines.length);
    }
  };
  const written = await zip.add(partName(table.name), content());
  return { table: table.name, columns: [...table.columns], rows, ...written };
}

/**
 * The rows of all tables at one moment. On the embedded database, where that holds up everything else, this goes for what people set up alone; logs,
 * which only ever grow, are read page by page between other work.
 */
async function writeTables(zip: ZipWriter, services: Services, db: Db, { projectId, entities }: Wanted, steps: Steps): Promise<Manifest['tables']> {
  const tables = plannedTables.filter(({ kind }) => entities.includes(kind));
  const isEmbedded = !services.config.databaseUrl;
  let total = 0;
  for (const table of tables) total += await countRows(db, table, projectId);
  steps.total(total);
  const written: Manifest['tables'] = [];
  let owed = 0;
  // Within the transaction of the embedded database nothing else can be said to it.
  const held = async (units: number): Promise<void> => {
    owed += units;
    await turn();
    steps.stopIfCancelled();
  };
  await db.transaction(
    async (tx) => {
      for (const table of tables)
        if (!isEmbedded || !table.isLog) written.push(await writeTable(zip, tx, table, projectId, isEmbedded ? held : steps.done));
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
  await steps.done(owed);
  for (const table of tables) if (isEmbedded && table.isLog) written.push(await writeTable(zip, db, table, projectId, steps.done));
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
