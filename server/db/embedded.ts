import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { takeLock } from './lock.ts';
import { type Db, type OpenDatabase, prioritize } from './database.ts';
import { Reserve } from './reserve.ts';
import { ReservedFs, type Watch } from './reserved-fs.ts';
import * as schema from './schema/index.ts';
import { quicken } from './statements.ts';

/** What the server reads and writes by; what must not wait goes by the second client. */
export function databaseOver(client: PGlite, urgent: PGlite): Db {
  const db = drizzle(client, { schema }) as unknown as Db;
  prioritize(db, drizzle(urgent, { schema }) as unknown as Db);
  return db;
}

/** An open embedded database, and the clients it is spoken to by. */
interface Embedded extends OpenDatabase {
  client: PGlite;
  urgent: PGlite;
}

async function prepare(client: PGlite, migrations: string): Promise<Embedded> {
  await client.waitReady;
  await migrate(drizzle(client), { migrationsFolder: migrations });
  const urgent = quicken(client);
  return {
    client,
    urgent,
    db: databaseOver(client, urgent),
    listen: (channel, heard) => client.listen(channel, heard),
    close: () => client.close(),
  };
}

/** A database that is gone with the process, empty or begun from a copy of another; for tests. */
export const openInMemory = (migrations: string, copy?: Blob): Promise<Embedded> =>
  prepare(new PGlite({ extensions: { pg_trgm }, ...(copy && { loadDataDir: copy }) }), migrations);

/** An empty database with all its tables, to be copied: making one takes several times as long as copying. */
export async function makeCopy(migrations: string): Promise<Blob> {
  const client = new PGlite({ extensions: { pg_trgm } });
  const { close } = await prepare(client, migrations);
  const copy = await client.dumpDataDir('none');
  await close();
  return copy;
}

/** The log is cut back whenever it has grown by so much. The database does it by itself only when it is closed. */
const checkpointEvery = 4 * 1_048_576;

/** Keeps the write-ahead log within a few segments, the next of which is always there before it is needed. */
function trimLog(checkpoint: () => Promise<unknown>): Watch {
  let trimmed: number | null = null;
  let trimming = false;
  const trim = (position: number) => {
    trimming = true;
    trimmed = position;
    void checkpoint()
      .catch(() => undefined)
      .finally(() => (trimming = false));
  };
  return {
    logged: (position) => {
      trimmed ??= position;
      if (!trimming && position - trimmed >= checkpointEvery) setImmediate(trim, position);
    },
    exhausted: () => {
      process.stderr.write('The disk is full, and nothing is left of the reserve: make room, then start the server again. Nothing is lost.\n');
      process.exit(1);
    },
  };
}

/** The embedded database over a folder with a reserve. */
function openFolder(folder: string, reserve: Reserve): PGlite {
  const watch = trimLog(() => client.query('checkpoint'));
  const client = new PGlite({ fs: new ReservedFs(folder, reserve, watch), extensions: { pg_trgm } });
  return client;
}

/**
 * Opens the embedded database in `<data>/db`, which one process at a time may hold. A folder whose first making was
 * cut short (its mark still lies beside it) holds nothing anybody was told of, and is made anew.
 */
export async function openOnDisk(data: string, lockWait: number, migrations: string): Promise<OpenDatabase> {
  await mkdir(data, { recursive: true });
  const reserve = new Reserve(data);
  reserve.makeRoom();
  const lock = await takeLock(join(data, 'db.lock'), lockWait);
  const folder = join(data, 'db');
  const mark = join(data, 'db.unfinished');
  try {
    if (existsSync(mark)) await rm(folder, { recursive: true, force: true });
    if (!existsSync(folder)) await writeFile(mark, 'The embedded database was being made when this was written.\n');
    const { db, listen, close } = await prepare(openFolder(folder, reserve), migrations);
    await rm(mark, { force: true });
    return { db, listen, reserve, close: () => close().finally(lock.release) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}
