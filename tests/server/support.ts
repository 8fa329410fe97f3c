import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import pg from 'pg';
import { buildApp } from '#server/app.ts';
import { type Config, loadConfig } from '#server/config.ts';
import type { Services } from '#server/context.ts';
import type { OpenDatabase } from '#server/db/database.ts';
import { openDatabase } from '#server/db/open.ts';
import { makeLog } from '#server/http/log.ts';
import { holdToDocument } from './documented.ts';
import { lendDatabase } from './lent-database.ts';
import { seededRandom } from '#server/random.ts';
import { turnedTimers } from './turned-timers.ts';

/** A server built for one test file, on a database of its own, with a clock that tests turn. */
export interface TestServer {
  app: FastifyInstance;
  services: Services;
  /** Everything the server logged. */
  logged: () => string;
  /** Turns the server's clock on by so many ms: what is due by then happens. */
  pass: (ms: number) => void;
  signIn: (login: string, password?: string) => Promise<Client>;
  /** A client that sends this token, or none. */
  as: (token: string | null) => Client;
  close: () => Promise<void>;
}

/** Somebody who sends requests below /api/v0. */
export interface Client {
  token: string | null;
  refresh: string | null;
  send: (
    method: NonNullable<InjectOptions['method']>,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<LightMyRequestResponse>;
  get: (path: string, headers?: Record<string, string>) => Promise<LightMyRequestResponse>;
  post: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<LightMyRequestResponse>;
  put: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<LightMyRequestResponse>;
  patch: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<LightMyRequestResponse>;
  delete: (path: string, headers?: Record<string, string>) => Promise<LightMyRequestResponse>;
}

/** The password of everybody in the demo world and in tests. */
export const password = 'Doorward-2026';

const client = (app: FastifyInstance, token: string | null, refresh: string | null): Client => {
  const send: Client['send'] = (method, path, body, headers = {}) =>
    app.inject({
      method,
      url: `/api/v0${path}`,
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
      ...(body !== undefined && { payload: body as object }),
    });
  return {
    token,
    refresh,
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
  };
};

/** A database of its own: in memory, or a new one on the PostgreSQL that TEST_DATABASE_URL names. */
async function ownDatabase(): Promise<OpenDatabase & { url: string | null }> {
  const given = process.env['TEST_DATABASE_URL'];
  if (!given) return { ...(await lendDatabase()), url: null };
  const name = `doorward_test_${randomUUID().replaceAll('-', '')}`;
  const run = async (statement: string) => {
    const admin = new pg.Client(given);
    await admin.connect();
    await admin.query(statement);
    await admin.end();
  };
  await run(`create database ${name}`);
  const url = new URL(given);
  url.pathname = `/${name}`;
  const { db, listen, close } = await openDatabase({ ...loadConfig({}), databaseUrl: url.href });
  return { db, listen, url: url.href, close: () => close().then(() => run(`drop database ${name} with (force)`)) };
}

/** What a test may set. `demo` seeds the demo world; `seed` fills the database in a way of the test's own. */
export interface TestServerOptions {
  now?: Date;
  demo?: boolean;
  config?: Partial<Config>;
  seed?: (services: Services) => Promise<void>;
}

/** Opens a server without listening. Close it when the file is done. */
export async function openTestServer({
  now = new Date('2026-03-02T09:00:00Z'),
  demo = false,
  config: own = {},
  seed,
}: TestServerOptions = {}): Promise<TestServer> {
  const lines: string[] = [];
  const log = makeLog(own.logLevel ?? 'silent', { write: (line: string) => void lines.push(line) });
  const { db, listen, close, url } = await ownDatabase();
  const data = mkdtempSync(join(tmpdir(), 'doorward-test-'));
  const config: Config = {
    ...loadConfig({}),
    secret: 'the secret of a test',
    checkAnswers: true,
    signInTries: 1_000,
    signInTriesPerIp: 1_000,
    demo,
    data,
    databaseUrl: url,
    ...own,
  };
  let shift = 0;
  const turned = turnedTimers();
  const services: Services = {
    config,
    db,
    listen,
    log,
    now: () => new Date(now.getTime() + shift),
    timers: turned.timers,
    random: seededRandom(1),
  };
  if (demo) await (await import('#server/db/demo/seed.ts')).seedDemo(services);
  await seed?.(services);
  const app = await buildApp(services);
  holdToDocument(app);
  const as = (token: string | null) => client(app, token, null);
  return {
    app,
    services,
    logged: () => lines.join(''),
    pass: (ms) => {
      shift += ms;
      turned.pass(ms);
    },
    as,
    signIn: async (login, word = password) => {
      const answer = await as(null).post('/login', { login, password: word });
      const [session] = (answer.json() as { data?: { sessions: { token: string; refresh: string }[] } }).data?.sessions ?? [];
      if (!session) throw new Error(`${login} could not sign in: ${answer.body}`);
      return client(app, session.token, session.refresh);
    },
    close: async () => {
      await app.close();
      await close();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
