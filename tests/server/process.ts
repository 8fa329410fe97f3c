import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sql } from 'drizzle-orm';
import { build } from 'vite';
import { afterAll, beforeAll, inject } from 'vitest';
import { loadConfig } from '#server/config.ts';
import type { Services } from '#server/context.ts';
import { openDatabase } from '#server/db/open.ts';
import { makeLog } from '#server/http/log.ts';
import { isFull } from '#tests/support/extent.ts';
import { password } from './support.ts';
import { seedWorld } from './world.ts';
import { seededRandom } from '#server/random.ts';
import { systemTimers } from '#server/timers.ts';

const root = join(import.meta.dirname, '..', '..');

/** A real server process: what it said, and how it ended. */
export interface ServerProcess {
  child: ChildProcess;
  port: number;
  url: string;
  said: () => string;
  /** Resolves when it listens; rejects when it ends before. */
  ready: Promise<void>;
  exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/** Builds the server for the tests of real processes, once in each worker; answers its entry. The folder lies within the project, so that packages are found. */
export const buildServer = once(async (): Promise<string> => {
  const outDir = join(inject('shared'), `server-${process.pid}`);
  await build({
    configFile: join(root, 'vite.config.ts'),
    root,
    logLevel: 'warn',
    build: { ssr: true, outDir, emptyOutDir: true, sourcemap: false },
  });
  return join(outDir, 'main.js');
});

const smallWorld = once(async (): Promise<string> => {
  const data = join(inject('shared'), `world-${process.pid}`);
  const config = { ...loadConfig({}), data };
  const { db, listen, close } = await openDatabase(config);
  await seedWorld({
    config,
    db,
    listen,
    log: makeLog('silent'),
    now: () => new Date(),
    timers: systemTimers,
    random: seededRandom(1),
  } satisfies Services);
  await close();
  return data;
});

/** Data folders of one file: copies of the small world, which is made once in each worker. */
export async function worldOnDisk(): Promise<{
  copy: () => Promise<string>;
  crowd: (data: string, count: number) => Promise<void>;
  empty: () => string;
  remove: () => Promise<void>;
}> {
  const first = await smallWorld();
  const base = await mkdtemp(join(tmpdir(), 'doorward-data-'));
  let count = 0;
  const copy = async () => {
    const to = join(base, `copy-${++count}`);
    await cp(first, to, { recursive: true });
    return to;
  };
  /** Adds so many people, `crowd1` and so on, to a world while no server has it open. */
  const crowd = async (data: string, people: number) => {
    const opened = await openDatabase({ ...loadConfig({}), data });
    await opened.db.execute(sql`with made as (
        insert into users (project_id, role_id, login, name, email, license_info, activated_at)
        select u.project_id, u.role_id, 'crowd' || n, 'Crowd ' || n, 'crowd' || n || '@example.org', u.license_info, 1
        from users u, generate_series(1, ${people}::int) n where u.login = 'guest' returning id)
      insert into user_domains (user_id, group_id) select made.id, d.group_id from made, user_domains d join users u on u.id = d.user_id where u.login = 'guest'`);
    await opened.close();
  };
  return { copy, crowd, empty: () => join(base, `empty-${++count}`), remove: () => rm(base, { recursive: true, force: true }) };
}

/** A port nobody listens on at the moment. */
export const freePort = (): Promise<number> =>
  new Promise((done, fail) => {
    const probe = createServer().once('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (address !== null && typeof address === 'object' ? done(address.port) : fail(new Error('no port'))));
    });
  });

/** Flags of V8 for processes that live for seconds: not worth optimizing, nor the database's WebAssembly. Where figures are asked for they run as everybody's do. */
const shortLived = isFull ? [] : ['--no-opt', '--liftoff-only'];

/** Starts a server process with these settings. */
export function startServer(entry: string, port: number, env: Record<string, string>): ServerProcess {
  const child = spawn(process.execPath, [...shortLived, entry], {
    env: {
      PATH: process.env['PATH'],
      DOORWARD_DEMO: 'off',
      DOORWARD_LOG: 'warn',
      DOORWARD_PORT: String(port),
      DOORWARD_MQTT_PORT: '0',
      DOORWARD_MQTTS_PORT: '0',
      DOORWARD_SIP_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const exit: ServerProcess['exit'] = new Promise((done) => child.once('exit', (code, signal) => done({ code, signal })));
  const ready = new Promise<void>((done, fail) => {
    child.stdout.on('data', () => text.includes('Doorward is ready') && done());
    void exit.then(() => fail(new Error(`the server ended before it listened: ${text}`)));
  });
  ready.catch(() => undefined);
  return { child, port, url: `http://127.0.0.1:${port}`, said: () => text, ready, exit };
}

/** Sends JSON to a real server. */
export async function request(
  url: string,
  method: string,
  path: string,
  token: string | null,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; json: unknown }> {
  const answer = await fetch(`${url}/api/v0${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...(token && { authorization: `Bearer ${token}` }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, json: await answer.json().catch(() => null) };
}

/** Signs in at a real server and answers the access token. */
export async function tokenAt(url: string, login: string): Promise<string> {
  const { json } = await request(url, 'POST', '/login', null, { login, password });
  const token = (json as { data?: { sessions: { token: string }[] } } | null)?.data?.sessions[0]?.token;
  if (!token) throw new Error(`${login} could not sign in: ${JSON.stringify(json)}`);
  return token;
}

/** What a file of tests of real processes stands on: the server built once, a world on disk, and whatever it starts ended after it. */
export function setProcesses(settings: Record<string, string> = {}) {
  const started: ServerProcess[] = [];
  let standing: { entry: string; world: Awaited<ReturnType<typeof worldOnDisk>> } | undefined;
  const now = () => {
    if (!standing) throw new Error('servers are started only while tests run');
    return standing;
  };
  beforeAll(async () => {
    standing = { entry: await buildServer(), world: await worldOnDisk() };
  });
  afterAll(async () => {
    for (const { child } of started) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await standing?.world.remove();
  });
  return {
    start: async (env: Record<string, string>, port?: number): Promise<ServerProcess> => {
      const server = startServer(now().entry, port ?? (await freePort()), { ...settings, ...env });
      started.push(server);
      return server;
    },
    /** Another program of the same build. */
    entry: (name: string) => join(dirname(now().entry), `${name}.js`),
    world: {
      copy: () => now().world.copy(),
      crowd: (data: string, count: number) => now().world.crowd(data, count),
      empty: () => now().world.empty(),
    },
  };
}
