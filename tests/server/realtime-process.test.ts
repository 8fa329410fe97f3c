import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { topics } from '#models/realtime.ts';
import { inTime, longestWait } from '#tests/support/in-time.ts';
import { type Channel, openChannel } from './channel.ts';
import { makePostgres } from './postgres.ts';
import { buildServer, freePort, request, type ServerProcess, startServer, tokenAt, worldOnDisk } from './process.ts';
import { seededRandom } from '#server/random.ts';
import { systemTimers } from '#server/timers.ts';

const random = seededRandom(5);
let entry: string;
let world: Awaited<ReturnType<typeof worldOnDisk>>;
const removals: (() => Promise<void>)[] = [];
const running = new Set<ServerProcess>();

beforeAll(async () => {
  entry = await buildServer();
  world = await worldOnDisk();
  removals.push(world.remove);
});
afterAll(async () => {
  for (const { child, exit } of running) {
    child.kill('SIGKILL');
    await exit;
  }
  for (const remove of removals) await remove();
});

async function start(port: number, env: Record<string, string>): Promise<ServerProcess> {
  const server = startServer(entry, port, {
    DOORWARD_SOCKETS_PER_USER: '1000',
    DOORWARD_SIGN_IN_TRIES: '1000',
    DOORWARD_SIGN_IN_TRIES_PER_IP: '1000',
    ...env,
  });
  running.add(server);
  void server.exit.then(() => running.delete(server));
  await server.ready;
  return server;
}
const end = async (server: ServerProcess, signal: NodeJS.Signals): Promise<number> => {
  const begun = performance.now();
  server.child.kill(signal);
  await server.exit;
  return performance.now() - begun;
};
/** Opens a channel as often as it takes, as a client does: 4 s, 20 % more or less. */
async function reopen(url: string, token: string, topic: string): Promise<Channel> {
  for (;;) {
    await pause(4_000 * (0.8 + 0.4 * random()));
    const channel = await openChannel(url, token).catch(() => null);
    if (!channel) continue;
    if ((await channel.subscribe(topic)) === 'Subscribed') return channel;
  }
}
const percentile = (times: number[], part: number): number => times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? 0;
const markers = topics.area('markers');
const makeMarker = (url: string, token: string, name: string) => request(url, 'PUT', '/markers', token, { name, color: '#112233' });

describe('500 clients (R2, V10, V11)', () => {
  it('are told to go when the server ends, come back together, and are all told the next change', async () => {
    const port = await freePort();
    const env = { DOORWARD_DATA: await world.copy() };
    let server = await start(port, env);
    const token = await tokenAt(server.url, 'boss');
    const first: Channel[] = [];
    for (let count = 0; count < 500; count += 50)
      first.push(...(await Promise.all(Array.from({ length: 50 }, () => openChannel(server.url, token)))));
    await Promise.all(first.map((channel) => channel.subscribe(markers)));

    const took = await end(server, 'SIGTERM');
    expect(took).toBeLessThan(inTime(10_000));
    expect(new Set(await Promise.all(first.map(({ closed }) => closed)))).toEqual(new Set([1001]));
    expect((await server.exit).code).toBe(0);

    const returning = Array.from({ length: 500 }, () => reopen(server.url, token, markers));
    server = await start(port, env);
    const listening = performance.now();
    const logins: number[] = [];
    const back = Promise.all(returning).then((channels) => ({ channels, after: performance.now() - listening }));
    let done = false;
    void back.then(() => (done = true));
    while (!done) {
      const begun = performance.now();
      await tokenAt(server.url, 'boss');
      logins.push(performance.now() - begun);
      await pause(100);
    }
    const { channels, after } = await back;
    // The figures (10 s, 3 s) are the bench's to measure; here only the order of magnitude, on a machine that others use too.
    expect(after).toBeLessThan(inTime(60_000));
    expect(percentile(logins, 0.95)).toBeLessThan(inTime(15_000));

    const { json } = await makeMarker(server.url, token, 'Told to all');
    const id = (json as { data: string }).data;
    const deaf = () => channels.filter((channel) => !channel.all('RowsChanged').some(({ payload }) => payload.ids.includes(id))).length;
    await expect.poll(deaf, { timeout: longestWait }).toBe(0);
    for (const { ws } of channels) ws.terminate();
    await end(server, 'SIGTERM');
  });
});

// On a system without PostgreSQL this is left to others.
const postgres = makePostgres(await freePort());
describe.each(postgres ? [postgres] : [])('two servers on one PostgreSQL (R18)', (own) => {
  afterAll(() => own.remove());

  it('tell each other’s clients, and after a listener was lost say that something may be missing', async () => {
    const { loadConfig } = await import('#server/config.ts');
    const { openDatabase } = await import('#server/db/open.ts');
    const { makeLog } = await import('#server/http/log.ts');
    const { seedWorld } = await import('./world.ts');
    const config = loadConfig({ DATABASE_URL: own.url });
    const database = await openDatabase(config);
    await seedWorld({
      config,
      db: database.db,
      listen: database.listen,
      log: makeLog('silent'),
      now: () => new Date(),
      timers: systemTimers,
      random: seededRandom(1),
    });
    const env = async () => ({ DATABASE_URL: own.url, DOORWARD_DATA: world.empty() });
    const [here, there] = [await start(await freePort(), await env()), await start(await freePort(), await env())];
    const token = await tokenAt(here.url, 'boss');
    const channel = await openChannel(here.url, token);
    expect(await channel.subscribe(markers)).toBe('Subscribed');

    const heard = () => channel.all('RowsChanged').flatMap(({ payload }) => payload.ids);
    const ids: string[] = [];
    for (let count = 0; count < 20; count++) {
      const { json } = await makeMarker(there.url, token, `From there ${count}`);
      const id = (json as { data: string }).data;
      const begun = performance.now();
      await expect.poll(heard, { interval: 10 }).toContain(id);
      expect(performance.now() - begun).toBeLessThan(inTime(1_500));
      ids.push(id);
    }

    for (let round = 1; round <= 3; round++) {
      await database.db.execute(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'doorward-listener'`);
      await expect.poll(() => channel.all('Gap').length, { timeout: longestWait }).toBe(round);
      const { json } = await makeMarker(there.url, token, `After loss ${round}`);
      await expect.poll(heard, { timeout: longestWait }).toContain((json as { data: string }).data);
    }
    channel.ws.terminate();
    await end(here, 'SIGTERM');
    await end(there, 'SIGTERM');
    await database.close();
  });
});
