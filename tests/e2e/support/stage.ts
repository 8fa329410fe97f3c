import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, inject } from 'vitest';
import { launchBrowser, type Remembered } from './browser.ts';
import { type RunningServer, sessionsOf, startServer, tokenOf } from './server.ts';

/** So many of the last warnings and errors of a server are shown with a test that failed. */
const mostComplaints = 20;
/** So much of what a window showed then, in letters, from its beginning and from its end. */
const mostText = 1_000;

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

/** The browsers of this worker by how they were started: it ends them when it ends itself. Files share them, never a window. */
const browsers = new Map<string, Promise<Browser>>();

async function sharedBrowser(launch: typeof launchBrowser, flags: readonly string[]): Promise<Browser> {
  const key = [launch.name, ...flags].join(' ');
  const running = await browsers.get(key)?.catch(() => undefined);
  if (running?.isConnected()) return running;
  const started = launch(...flags);
  browsers.set(key, started);
  return started;
}

/** Where a window is and what can be read there, in short. */
async function shownText(page: Page): Promise<string> {
  const text = await page.locator('body').innerText({ timeout: 2_000 }).catch(String);
  const shown = text.replaceAll(/\s+/g, ' ');
  const short = shown.length > 2 * mostText ? `${shown.slice(0, mostText)} … ${shown.slice(-mostText)}` : shown;
  return `${page.url()}: ${short}`;
}

/**
 * Starts a server before the tests of a file and ends it after them, beside a browser that files with the same `flags` and `launch` share; `more`
 * are settings of the file's own.
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
    const [server, browser] = await Promise.all([startServer({ env, copy: inject('seeded') }), sharedBrowser(launch, flags)]);
    standing = { server, browser, token: await tokenOf(server, 'admin') };
  });
  // What a server complained of, and what the windows show, is often all that is left of a fault that comes once in many runs.
  beforeEach(({ onTestFailed }) => {
    onTestFailed(async () => {
      const complaints = (standing?.server.output().split('\n') ?? []).filter((line) => /"level":[456]0/.test(line));
      const pages = (standing?.browser.contexts() ?? []).flatMap((context) => context.pages());
      const shown = await Promise.all(pages.map(shownText));
      if (complaints.length > 0) console.log(['The server complained of:', ...complaints.slice(-mostComplaints)].join('\n'));
      for (const text of shown) console.log(`A window showed ${text}`);
    });
  });
  afterAll(async () => {
    await Promise.all(standing?.browser.contexts().map((context) => context.close()) ?? []);
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
