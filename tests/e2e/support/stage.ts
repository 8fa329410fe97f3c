import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, inject } from 'vitest';
import { launchBrowser, type Remembered } from './browser.ts';
import { type RunningServer, sessionsOf, startServer, tokenOf } from './server.ts';

/** What a test file plays on, from its first test to its last: a server with the demo building and a browser. */
export interface Stage {
  readonly server: RunningServer;
  readonly browser: Browser;
  /** A bearer token of the administrator. */
  readonly token: string;
  /** What a window remembers in which this person has signed in to stay. */
  remembered: (login: string) => Promise<Remembered>;
}

/** What a window with a new session remembers, which began as a script begins one: to load the console for that takes as long as a short test. */
export async function sessionToStay({ url }: { url: string }, login: string): Promise<Remembered> {
  const [session] = await sessionsOf({ url }, login);
  if (!session) throw new Error(`no session for ${login}`);
  const { token, refresh } = session;
  return { cookies: [], origins: [{ origin: url, localStorage: [{ name: 'doorward.session', value: JSON.stringify({ token, refresh }) }] }] };
}

/**
 * Starts server and browser before the tests of a file, and ends both after them; `more` are settings of the file's own, `flags` those of its
 * browser, which `launch` starts.
 */
export function setStage(more: Record<string, string> = {}, flags: readonly string[] = [], launch = launchBrowser): Stage {
  let standing: Pick<Stage, 'server' | 'browser' | 'token'> | undefined;
  const known = new Map<string, Promise<Remembered>>();
  const now = () => {
    if (!standing) throw new Error('the stage stands only while tests run');
    return standing;
  };
  beforeAll(async () => {
    const env = { DOORWARD_SIGN_IN_TRIES: '500', DOORWARD_SIGN_IN_TRIES_PER_IP: '500', ...more };
    const [server, browser] = await Promise.all([startServer({ env, copy: inject('seeded') }), launch(...flags)]);
    standing = { server, browser, token: await tokenOf(server, 'admin') };
  });
  afterAll(async () => {
    await standing?.browser.close();
    await standing?.server.discard();
  });
  return {
    get server() {
      return now().server;
    },
    get browser() {
      return now().browser;
    },
    get token() {
      return now().token;
    },
    remembered: (login) => {
      const state = known.get(login) ?? sessionToStay(now().server, login);
      known.set(login, state);
      // What failed once may do the next time.
      state.catch(() => known.delete(login));
      return state;
    },
  };
}
