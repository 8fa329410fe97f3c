import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** A port nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))));
    });
  });
}

/** Where the built server lies that is tried: `dist`, or a copy of it that nobody rebuilds meanwhile. Its console is that of the checkout. */
const build = process.env['E2E_BUILD'] ?? 'dist';
/** Flags of V8 for servers and pages that live for a minute or two, separated by spaces; none in the files that are timed. */
export const v8Flags = process.env['E2E_V8_FLAGS'];

/** The built server as its own process, on a data folder of its own. */
export interface RunningServer {
  url: string;
  data: string;
  process: ChildProcess;
  /** Everything it has printed so far. */
  output: () => string;
  /** Milliseconds from spawn until it was ready. */
  readyAfter: number;
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
  /** Stops it and removes its data. */
  discard: () => Promise<void>;
}

interface Start {
  env?: Record<string, string>;
  data?: string;
  /** A data folder to begin with a copy of. */
  copy?: string;
  port?: number;
}

/**
 * Starts the built `server/main.js` and waits until it is ready. A port that was free a moment ago may be taken by then: where none is
 * asked for, it tries others. @throws when it exits or is not ready within 180 s, with what it printed
 */
export async function startServer(options: Start = {}, tries = 3): Promise<RunningServer> {
  return launch(options).catch((error: unknown) => {
    if (options.port !== undefined || tries <= 1 || !String(error).includes('is in use by another program')) throw error;
    return startServer(options, tries - 1);
  });
}

async function launch(options: Start): Promise<RunningServer> {
  const data = options.data ?? (await mkdtemp(join(tmpdir(), 'doorward-e2e-')));
  if (options.copy) await cp(options.copy, data, { recursive: true });
  const port = options.port ?? (await freePort());
  const started = performance.now();
  const url = `http://127.0.0.1:${port}`;
  let printed = '';
  const child = spawn(process.execPath, [...(v8Flags?.split(' ') ?? []), join(build, 'server', 'main.js')], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DOORWARD_PORT: String(port),
      DOORWARD_MQTT_PORT: '0',
      DOORWARD_MQTTS_PORT: '0',
      DOORWARD_SIP_PORT: '0',
      DOORWARD_DEMO_LIFE: 'off',
      DOORWARD_PUBLIC_URL: url,
      DOORWARD_DATA: data,
      DOORWARD_LOG: 'info',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const gone = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const ready = async (): Promise<boolean> =>
    fetch(`${url}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
  while (!(await ready())) {
    if (child.exitCode !== null || performance.now() - started > 180_000) throw new Error(`the server did not get ready:\n${printed}`);
    await wait(25);
  }
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return gone;
  };
  return {
    url,
    data,
    process: child,
    output: () => printed,
    readyAfter: performance.now() - started,
    stop,
    discard: async () => {
      await stop();
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** The browser of the tests: whoever prepares something here signs in on the same device, so that nobody is warned of a new one. */
const sameBrowser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** Calls the API as a script would. */
export async function api<T = unknown>(
  server: { url: string },
  method: string,
  path: string,
  options: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<{ status: number; body: T; headers: Headers }> {
  const answer = await fetch(`${server.url}/api/v0${path}`, {
    method,
    headers: {
      'user-agent': sameBrowser,
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
      ...(options.token && { authorization: `Bearer ${options.token}` }),
      ...options.headers,
    },
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: (text ? JSON.parse(text) : undefined) as T, headers: answer.headers };
}

export const demoPassword = 'Doorward-2026';

interface Session {
  token: string;
  refresh: string;
}

/** New sessions of one of the demo people, one for each of their projects. */
export async function sessionsOf(server: { url: string }, login: string): Promise<Session[]> {
  const { body } = await api<{ data: { sessions: Session[] } }>(server, 'POST', '/login', { body: { login, password: demoPassword } });
  return body.data.sessions;
}

/** A bearer token of one of the demo people, in the first of their projects. */
export async function tokenOf(server: { url: string }, login: string): Promise<string> {
  const [session] = await sessionsOf(server, login);
  if (!session) throw new Error(`no session for ${login}`);
  return session.token;
}
