import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import type { OpenDatabase } from './database.ts';

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
