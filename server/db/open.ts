import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type { Config } from '../config.ts';
import type { Reserve } from './reserve.ts';
import type * as schema from './schema/index.ts';

interface Rows<T> {
  rows: T[];
}
interface AnyRows extends PgQueryResultHKT {
  type: Rows<this['row']>;
}
/** The database as all of the server sees it: embedded or PostgreSQL, and inside a transaction, it is the same type. */
export type Db = PgDatabase<AnyRows, typeof schema>;

/**
 * Hears the lines that are announced on a channel, in order; `gap` is called when some may have been missed. Answers how
 * to stop listening.
 */
export type Listen = (channel: string, heard: (line: string) => void, gap: () => void) => Promise<() => Promise<void>>;

/** An open database, the way to listen to it and the way to let go of it. */
export interface OpenDatabase {
  db: Db;
  listen: Listen;
  /** Space put aside for a full disk; PostgreSQL has its own disk and its own keepers. */
  reserve?: Reserve;
  close: () => Promise<void>;
}

/** What opening needs to know, and where to complain about connections that break while nobody uses them. */
export type DatabaseConfig = Pick<Config, 'data' | 'databaseUrl' | 'lockWait'>;

/** The folder of migrations, found from wherever this file runs: the sources or the build. */
export function migrationsFolder(from: string = import.meta.dirname): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'server', 'db', 'migrations');
    if (existsSync(candidate)) return candidate;
    if (folder === dirname(folder)) throw new Error('The folder server/db/migrations is missing.');
  }
}

/** Opens the database the settings name, brings its tables up to date, and answers it ready for use. */
export async function openDatabase(config: DatabaseConfig, complain: (error: Error) => void = () => undefined): Promise<OpenDatabase> {
  if (config.databaseUrl) return (await import('./postgres.ts')).openPostgres(config.databaseUrl, migrationsFolder(), complain);
  return (await import('./embedded.ts')).openOnDisk(config.data, config.lockWait, migrationsFolder());
}
