import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '#server/app.ts';
import { loadConfig } from '#server/config.ts';
import type { Services } from '#server/context.ts';
import { openDatabase } from '#server/db/open.ts';
import { auditEvents, users } from '#server/db/schema/index.ts';
import { httpErrorOf } from '#server/http/errors.ts';
import { makeLog } from '#server/http/log.ts';
import { inTime } from '#tests/support/in-time.ts';
import { freePort } from './process.ts';
import { makePostgres, type OwnPostgres } from './postgres.ts';
import { password } from './support.ts';
import { seedWorld } from './world.ts';
import { seededRandom } from '#server/random.ts';
import { systemTimers } from '#server/timers.ts';

const own: OwnPostgres | null = makePostgres(await freePort());
let app: FastifyInstance;
let services: Services;
let close: () => Promise<void>;
let token = '';

const login = () => app.inject({ method: 'POST', url: '/api/v0/login', payload: { login: 'boss', password } });
const ask = () => app.inject({ url: '/api/v0/profile', headers: { authorization: `Bearer ${token}` } });
const write = (address: string) =>
  app.inject({ method: 'PATCH', url: '/api/v0/profile', headers: { authorization: `Bearer ${token}` }, payload: { profile: { address } } });

/** How long until a request succeeds again. */
async function backAfter(): Promise<number> {
  const begun = performance.now();
  while ((await ask()).statusCode !== 200) {
    if (performance.now() - begun > 15_000) break;
    await pause(50);
  }
  return performance.now() - begun;
}

// On a system without PostgreSQL the second half of this file stands alone.
describe.each(own ? [own] : [])('a PostgreSQL that goes and comes (V5)', (postgres) => {
  beforeAll(async () => {
    const config = { ...loadConfig({ DATABASE_URL: postgres.url }), checkAnswers: true };
    const open = await openDatabase(config);
    close = open.close;
    services = {
      config,
      db: open.db,
      listen: open.listen,
      log: makeLog('silent'),
      now: () => new Date(),
      timers: systemTimers,
      random: seededRandom(1),
    };
    await seedWorld(services);
    app = await buildApp(services);
    token = ((await login()).json() as { data: { sessions: { token: string }[] } }).data.sessions[0]?.token ?? '';
  });
  afterAll(async () => {
    await app.close();
    await close();
    postgres.remove();
  });

  it('is migrated once by two that start together', async () => {
    const others = await Promise.all([0, 1].map(() => openDatabase(services.config)));
    for (const other of others) await other.close();
    expect((await ask()).statusCode).toBe(200);
  });

  it('is refused with 503 and Retry-After while it is away, and used again when it is back', async () => {
    postgres.stop();
    const begun = performance.now();
    const answers = await Promise.all([ask(), write('lost'), login(), ask()]);
    for (const answer of answers) {
      expect(answer.json()).toMatchObject({ error: { code: 'unavailable' } });
      expect([answer.statusCode, Number(answer.headers['retry-after'])]).toEqual([503, 2]);
      expect(answer.body).not.toMatch(/ECONN|127\.0|select|postgres/i);
    }
    expect(performance.now() - begun).toBeLessThan(inTime(5_000));
    expect((await app.inject('/readyz')).statusCode).toBe(503);
    expect((await app.inject('/healthz')).statusCode).toBe(200);
    postgres.start();
    expect(await backAfter()).toBeLessThan(inTime(5_000));
    expect((await app.inject('/readyz')).statusCode).toBe(200);
  });

  it('loses no write it acknowledged and keeps no half one when its connections are cut', async () => {
    let stop = false;
    let acknowledged = 0;
    const statuses = new Set<number>();
    const [before] = await services.db.select().from(users).where(eq(users.login, 'boss'));
    const trail = async () => (await services.db.select().from(auditEvents).where(eq(auditEvents.action, 'update'))).length;
    const trailBefore = await trail();
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      for (let count = 0; !stop; count++) {
        const { statusCode } = await write(`w${writer}-${count}`);
        statuses.add(statusCode);
        if (statusCode === 200) acknowledged += 1;
      }
    });
    for (let cut = 0; cut < 8; cut++) {
      // Each cut comes into the middle of writing, however slow the machine is.
      const [seen, since] = [acknowledged, performance.now()];
      while (acknowledged < seen + 2 && performance.now() - since < 5_000) await pause(10);
      await pause(services.random() * 60);
      await services.db
        .execute(sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()`)
        .catch(() => undefined);
    }
    stop = true;
    await Promise.all(writers);
    expect(await backAfter()).toBeLessThan(inTime(5_000));
    const [after] = await services.db.select().from(users).where(eq(users.login, 'boss'));
    const made = (after?.version ?? 0) - (before?.version ?? 0);
    expect(acknowledged).toBeGreaterThan(10);
    expect(made).toBeGreaterThanOrEqual(acknowledged);
    expect((await trail()) - trailBefore).toBe(made);
    for (const status of statuses) expect([200, 503]).toContain(status);
    // Not one connection stayed behind in a transaction that never began.
    expect(await Promise.all(Array.from({ length: 40 }, () => write('after')))).toHaveLength(40);
  });
});

describe('a database that takes a call and hangs up', () => {
  const fake = createServer((socket) => socket.destroy());
  let url = '';
  beforeAll(async () => {
    const port = await freePort();
    fake.listen(port, '127.0.0.1');
    url = `postgres://door@127.0.0.1:${port}/x`;
  });
  afterAll(() => fake.close());

  it('is "unavailable" to a request', async () => {
    const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 2_000 });
    const error: unknown = await pool.query('select 1').catch((thrown: unknown) => thrown);
    expect(httpErrorOf(new Error('Failed query', { cause: error }))).toMatchObject({ code: 'unavailable' });
    await pool.end();
  });

  it('fails the start in time', async () => {
    const config = loadConfig({ DATABASE_URL: url });
    const begun = performance.now();
    await expect(openDatabase(config)).rejects.toThrow(/terminated|ECONNRESET|EPIPE/);
    expect(performance.now() - begun).toBeLessThan(inTime(4_000));
  });
});
