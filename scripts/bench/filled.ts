import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '#server/db/database.ts';
import { loadConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/open.ts';
import { vacuumOutgrown } from '#server/db/vacuum.ts';
import { type RunningServer, startServer } from '#tests/e2e/support/server.ts';

/** A built server over the demo with more in it: what is written while no server has the database open. */
export async function startFilled(fill: (db: Db) => Promise<void>, env: Record<string, string> = {}): Promise<RunningServer> {
  const settings = { DOORWARD_LOG: 'error', ...env };
  const seeded = await startServer({ env: settings });
  await seeded.stop();
  const config = { ...loadConfig({}), data: seeded.data };
  const { db, close } = await openDatabase(config);
  await fill(db);
  // What was written reaches the statistics within a second.
  await wait(1_500);
  await vacuumOutgrown({ db });
  await close();
  return startServer({ env: settings, data: seeded.data });
}
