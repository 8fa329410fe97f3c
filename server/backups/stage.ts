import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sql, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import type { Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { storedPath } from '../files.ts';
import { HttpError, invalidField } from '../http-error.ts';
import { Garbage } from './garbage.ts';
import { filesName, type Manifest, partName } from './manifest.ts';
import { filesOf, list, named, type PlannedTable, plannedTables } from './plan.ts';
import type { Steps } from './write.ts';
import { DamagedArchive, piecesOf, type ZipReader } from './zip-read.ts';

/** Where the rows of a backup wait, beside the tables that they will go to. */
export const stageOf = (table: string): SQL => named(`restoring_${table}`);

/** A table of a backup, with the columns that it brings. */
export interface StagedTable {
  table: PlannedTable;
  columns: readonly string[];
}

/** The rows in their tables, beside them, and in the log of what changed; and something to go on with. */
const room = (bytes: number): number => bytes * 4 + 64 * 1_048_576;

export async function requireRoom({ config }: Pick<Services, 'config'>, { tables, files }: Manifest): Promise<void> {
  const { bavail, bsize } = await statfs(config.data);
  const rows = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  if (bavail * bsize < (config.databaseUrl ? 0 : room(rows)) + files.bytes) throw new HttpError('storage_full');
}

/** Takes away what a process that died had put beside the tables. */
export async function dropStages(db: Db): Promise<void> {
  for (const name of [...plannedTables.map((table) => table.name), 'files']) await db.execute(sql`drop table if exists ${stageOf(name)}`);
}

const stagedTables = ({ tables }: Manifest): StagedTable[] =>
  plannedTables.flatMap((table) => {
    const part = tables.find((one) => one.table === table.name);
    return part ? [{ table, columns: part.columns.filter((column) => table.columns.includes(column)) }] : [];
  });

/** The database reads the rows by itself: what is no row of the table is refused there. */
async function fillStage(db: Db, zip: ZipReader, { table, columns }: StagedTable, steps: Steps): Promise<void> {
  const stage = stageOf(table.name);
  await db.execute(sql`create unlogged table ${stage} (like ${named(table.name)} including defaults)`);
  const garbage = new Garbage();
  for await (const { rows, count } of piecesOf(zip.stream(partName(table.name)))) {
    try {
      await db.execute(sql`insert into ${stage} (${list(columns)})
        select ${list(columns)} from json_populate_recordset(null::${stage}, ${rows}::json)`);
    } catch (error) {
      if (isData(error)) throw invalidField(['backup'], 'backup_damaged', { part: partName(table.name) });
      throw error;
    }
    garbage.add(rows.length);
    await steps.done(count);
  }
}

/** The database's word that something is no row of this table, by its class: data, and what a row has to hold to. */
const isData = (error: unknown): boolean => {
  for (let at = error; at instanceof Error; at = at.cause) if (/^2[23]/.test((at as { code?: string }).code ?? '')) return true;
  return false;
};

const fileHead = z.strictObject({
  id: z.uuid(),
  kind: z.string().max(20),
  content_type: z.string().max(100),
  bytes: z.int().min(0),
  created_at: z.iso.datetime(),
});

/** Reads the pack: lines and bytes by turns. */
class PackReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);
  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }
  async #more(): Promise<boolean> {
    const { value, done } = await this.#chunks.next();
    if (done) return false;
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
    return true;
  }
  async head(): Promise<z.infer<typeof fileHead> | null> {
    for (let at = this.#rest.indexOf(10); ; at = this.#rest.indexOf(10)) {
      if (at >= 0) {
        const line = this.#rest.toString('utf8', 0, at);
        this.#rest = this.#rest.subarray(at + 1);
        try {
          return fileHead.parse(JSON.parse(line));
        } catch {
          throw new DamagedArchive(filesName);
        }
      }
      if (this.#rest.length > 10_000) throw new DamagedArchive(filesName);
      if (!(await this.#more())) {
        if (this.#rest.length > 0) throw new DamagedArchive(filesName);
        return null;
      }
    }
  }
  async *bytes(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0;) {
      if (this.#rest.length === 0 && !(await this.#more())) throw new DamagedArchive(filesName);
      const part = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }
}

/** Puts stored files back where they lay, under their own names, which nobody chose; those that are there stay as they are. */
async function unpackFiles(services: Services, db: Db, zip: ZipReader, { entities }: Manifest, projectId: string): Promise<void> {
  await db.execute(sql`create unlogged table ${stageOf('files')} (like files including defaults)`);
  const pack = new PackReader(zip.stream(filesName));
  const kinds = filesOf(entities);
  for (let head = await pack.head(); head; head = await pack.head()) {
    const { id, kind, content_type, bytes, created_at } = head;
    if (!kinds.includes(kind)) throw new DamagedArchive(filesName);
    const path = storedPath(services, id);
    const there = await stat(path).catch(() => null);
    if (there) for await (const _ of pack.bytes(bytes));
    else {
      await mkdir(dirname(path), { recursive: true });
      const beside = `${path}.part`;
      await rm(beside, { force: true });
      await pipeline(Readable.from(pack.bytes(bytes)), createWriteStream(beside, { flush: true }));
      await rename(beside, path);
    }
    await db.execute(sql`insert into ${stageOf('files')} (id, project_id, kind, content_type, bytes, created_at)
      values (${id}, ${projectId}, ${kind}, ${content_type}, ${there?.size ?? bytes}, ${created_at})`);
  }
}

/** Puts everything of a backup beside the tables, where nobody sees it: what is there is as it was. */
export async function stageBackup(
  services: Services,
  db: Db,
  { zip, manifest }: { zip: ZipReader; manifest: Manifest },
  steps: Steps,
): Promise<StagedTable[]> {
  const staged = stagedTables(manifest);
  steps.total(manifest.tables.reduce((sum, { rows }) => sum + rows, 0));
  await dropStages(db);
  for (const one of staged) await fillStage(db, zip, one, steps);
  try {
    await unpackFiles(services, db, zip, manifest, manifest.project.id);
  } catch (error) {
    if (error instanceof DamagedArchive) throw invalidField(['backup'], 'backup_damaged', { part: error.part });
    throw error;
  }
  return staged;
}
