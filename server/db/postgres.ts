import { setTimeout as pause } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import type { Db, OpenDatabase } from './database.ts';
import { listenOn } from './listener.ts';
import { databaseHttpError } from './constraint-errors.ts';
import * as schema from './schema/index.ts';

/** Any number; all nodes of an installation use this one, so that only one migrates at a time. */
const migrationLock = 7_340_021;

/** A server that ends waits so long for statements to end. */
const farewell = 1_000;

/** A pool that gives up in time and outlives the loss of its connections. */
function makePool(url: string, complain: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 12,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 15_000,
    query_timeout: 20_000,
    idle_in_transaction_session_timeout: 20_000,
    keepAlive: true,
    application_name: 'doorward',
  });
  pool.on('error', complain);
  // A client lent to a transaction has no listener of the pool's: without this its loss would end the process.
  pool.on('connect', (client) => client.on('error', complain));
  return pool;
}

/**
 * Transactions on a connection that is given back whatever happens, and thrown away when it is what broke. Drizzle's own
 * keep the connection for good when `begin` fails: twelve such moments and the pool is empty.
 */
function transactionsOn(pool: pg.Pool): Db['transaction'] {
  return async (work, config) => {
    const client = await pool.connect();
    let broken = false;
    try {
      return await (drizzle(client, { schema }) as unknown as Db).transaction(work, config);
    } catch (error) {
      broken = databaseHttpError(error)?.code === 'unavailable';
      throw error;
    } finally {
      client.release(broken);
    }
  };
}

async function migrateAlone(pool: pg.Pool, db: Db, folder: string): Promise<void> {
  const guard = await pool.connect();
  try {
    await guard.query('select pg_advisory_lock($1)', [migrationLock]);
    await migrate(db as never, { migrationsFolder: folder });
    await guard.query('select pg_advisory_unlock($1)', [migrationLock]);
  } finally {
    guard.release();
  }
}

/** Opens PostgreSQL by its address and migrates it. */
export async function openPostgres(url: string, migrations: string, complain: (error: Error) => void): Promise<OpenDatabase> {
  const pool = makePool(url, complain);
  const db = Object.assign(drizzle(pool, { schema }) as unknown as Db, { transaction: transactionsOn(pool) });
  try {
    await migrateAlone(pool, db, migrations);
  } catch (error) {
    await pool.end();
    throw error;
  }
  // A statement that goes on for long is not waited for: nothing it does stands without a commit.
  const close = () => Promise.race([pool.end(), pause(farewell, undefined, { ref: false })]);
  return { db, listen: listenOn(url, complain), close };
}
