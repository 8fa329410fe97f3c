import type { Services } from '../context.ts';
import type { Db } from './database.ts';
import * as schema from './schema/index.ts';

/**
 * A connection of its own for work that takes long: those of the pool give up after seconds, and so they should. The embedded database has one
 * connection, which takes its time.
 */
export async function onOwnConnection<T>({ config, db, log }: Pick<Services, 'config' | 'db' | 'log'>, work: (db: Db) => Promise<T>): Promise<T> {
  if (!config.databaseUrl) return work(db);
  const [{ default: pg }, { drizzle }] = await Promise.all([import('pg'), import('drizzle-orm/node-postgres')]);
  const client = new pg.Client({
    connectionString: config.databaseUrl,
    connectionTimeoutMillis: 3_000,
    keepAlive: true,
    application_name: 'doorward backups',
  });
  client.on('error', (error) => log.warn({ err: error }, 'the connection of a backup broke'));
  await client.connect();
  try {
    return await work(drizzle(client, { schema }) as unknown as Db);
  } finally {
    await client.end();
  }
}
