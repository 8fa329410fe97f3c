import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '#tests/e2e/support/browser.ts';
import { api, demoPassword, startServer, tokenOf } from '#tests/e2e/support/server.ts';
import { type Figure, median } from './figures.ts';
import { refreshStorm } from './storm.ts';

interface Loaded {
  /** From the navigation to the moment asked about, in ms. */
  after: number;
  /** Bytes of JavaScript over the wire until then. */
  scripts: number;
}

async function load(browser: Browser, url: string, path: string, ready: string, prepare?: (page: Page) => Promise<void>): Promise<Loaded> {
  const context = await browser.newContext({ baseURL: url, locale: 'en-GB', serviceWorkers: 'block' });
  const page = await context.newPage();
  await prepare?.(page);
  const fresh = await context.newPage();
  const session = await context.newCDPSession(fresh);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await fresh.goto('/icon.svg');
  // Seen by the page itself, in the frame that paints it: looking from outside costs more than the page does.
  await fresh.addInitScript({
    content: `(function look() {
      if (document.querySelector(${JSON.stringify(ready)})) window.usableAt = performance.now();
      else requestAnimationFrame(look);
    })()`,
  });
  await fresh.goto(path, { waitUntil: 'commit' });
  await fresh.waitForFunction(() => 'usableAt' in window);
  // The page's own clock starts with the navigation; opening a window and its process is not ours to answer for.
  // So do the bytes: what came only after that moment nobody waited for.
  const loaded = await fresh.evaluate(() => {
    const after = (window as unknown as { usableAt: number }).usableAt;
    const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const scripts = files.filter(({ name, responseEnd }) => name.endsWith('.js') && responseEnd <= after);
    return { after, scripts: scripts.reduce((sum, { transferSize }) => sum + transferSize, 0) };
  });
  await context.close();
  return loaded;
}

const signIn = async (page: Page): Promise<void> => {
  await page.goto('/login');
  await page.locator('#login').fill('admin');
  await page.locator('#password').fill(demoPassword);
  await page.getByLabel('Stay signed in on this device').check();
  await page.locator('form button[type=submit]').click();
  await page.waitForURL('**/home');
};

/** Milliseconds from the click on "next page" until the new rows are painted. */
async function pageTurns(page: Page, rounds: number): Promise<number[]> {
  return page.evaluate(async (count) => {
    const times: number[] = [];
    for (let round = 0; round < count; round += 1) {
      const before = document.querySelector('tbody tr')?.textContent;
      const next = [...document.querySelectorAll<HTMLButtonElement>('.foot-turn')].at(-1);
      const started = performance.now();
      next?.click();
      while (document.querySelector('tbody tr')?.textContent === before) await new Promise((done) => requestAnimationFrame(done));
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      times.push(performance.now() - started);
    }
    return times;
  }, rounds);
}

/** What a person waits for: the login page, the first list, the next page; and fifty requests with an outdated token. */
export async function benchBrowser(): Promise<Figure[]> {
  const server = await startServer({ env: { DOORWARD_LOG: 'error' } });
  const browser = await launchBrowser();
  try {
    const { url } = server;
    const token = await tokenOf(server, 'admin');
    const { body } = await api<{ data: { id: string }[] }>(server, 'GET', '/users?size=1', { token });
    if (body.data.length === 0) throw new Error('the demo has no users');
    const logins: Loaded[] = [];
    const lists: Loaded[] = [];
    for (let round = 0; round < 5; round += 1) {
      logins.push(await load(browser, url, '/login', '#login'));
      lists.push(await load(browser, url, '/users', 'tbody input[type=checkbox]', signIn));
    }
    const context = await browser.newContext({ baseURL: url, locale: 'en-GB', serviceWorkers: 'block' });
    const page = await context.newPage();
    await signIn(page);
    await page.goto('/users?size=20');
    await page.locator('tbody tr').nth(10).waitFor();
    const turns = await pageTurns(page, 12);
    const storm = await refreshStorm(url);
    const kilo = (loaded: Loaded[]) => median(loaded.map(({ scripts }) => scripts)) / 1000;
    return [
      { what: 'login usable', unit: 'ms', ours: median(logins.map(({ after }) => after)) },
      { what: 'JavaScript until login is usable', unit: 'kB', ours: kilo(logins), atMost: 170 },
      { what: 'first list usable (signed in, empty cache)', unit: 'ms', ours: median(lists.map(({ after }) => after)), atMost: 943 },
      { what: 'JavaScript until the first list is usable', unit: 'kB', ours: kilo(lists), atMost: 250 },
      { what: 'next page painted, request included, median', unit: 'ms', ours: median(turns), atMost: 120 },
      { what: '50 requests with an outdated token: all answered', unit: 'ms', ours: storm.after, atMost: 1_000 },
      { what: '50 requests with an outdated token: exchanges', unit: '', ours: storm.refreshes, atMost: 1 },
    ];
  } finally {
    await browser.close();
    await server.discard();
  }
}
