import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { buildApp } from '#server/app.ts';
import { loadConfig } from '#server/config.ts';
import type { Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { seedDemo } from '#server/db/demo/seed.ts';
import { openDatabase } from '#server/db/open.ts';
import { vacuumOutgrown } from '#server/db/vacuum.ts';
import { makeLog } from '#server/http/log.ts';
import { seededRandom } from '#server/random.ts';
import { type RunningServer, startServer } from '#tests/e2e/support/server.ts';
import { systemTimers } from '#server/timers.ts';

const secret = 'the secret of a measurement, long enough';
/** Settings of a server over a filled folder, started as a process. */
export const filledEnv = { DOORWARD_LOG: 'error', DOORWARD_SECRET: secret };

async function open(data: string): Promise<{ services: Services; close: () => Promise<void> }> {
  const config = { ...loadConfig({}), data, secret, demo: true };
  const { db, listen, close } = await openDatabase(config);
  return { services: { config, db, listen, log: makeLog('silent'), now: () => new Date(), timers: systemTimers, random: seededRandom(1) }, close };
}

/** A data folder with the demo and more in it, as a running server would have it by then: vacuumed, in the statistics. */
export async function fillFolder(fill: (db: Db) => Promise<void>): Promise<{ data: string; remove: () => Promise<void> }> {
  const data = await mkdtemp(join(tmpdir(), 'doorward-bench-'));
  const { services, close } = await open(data);
  await seedDemo(services);
  await fill(services.db);
  // What was written reaches the statistics within a second.
  await wait(1_500);
  await vacuumOutgrown(services);
  await close();
  return { data, remove: () => rm(data, { recursive: true, force: true }) };
}

/** A built server over the demo with more in it. */
export async function startFilled(fill: (db: Db) => Promise<void>): Promise<RunningServer> {
  const { data } = await fillFolder(fill);
  return startServer({ env: filledEnv, data });
}

/** A server in this process. */
export interface Served {
  services: Services;
  url: string;
  close: () => Promise<void>;
}

/** The server in this process over a filled folder, listening: for what no request begins. */
export async function serveFolder(data: string): Promise<Served> {
  const { services, close } = await open(data);
  const app = await buildApp(services);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return { services, url, close: () => app.close().then(close) };
}
