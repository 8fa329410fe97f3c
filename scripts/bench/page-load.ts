import type { Browser, CDPSession, Page } from 'playwright-core';
import { demoPassword } from '#tests/e2e/support/server.ts';

/** What the opening of a page cost. */
export interface Loaded {
  /** From the navigation to the moment asked about, in ms. */
  after: number;
  /** Bytes of JavaScript over the wire until then. */
  scripts: number;
  /** How long the main thread was busy, until the page rested, in ms. */
  busy: number;
  /** What its JavaScript keeps, after a collection of what it does not, in MiB. */
  heap: number;
}

interface Opening {
  url: string;
  path: string;
  /** What stands on the page once it can be used. */
  ready: string;
  /** Signs in and the like, in another window of the same person, which is closed before. */
  prepare?: (page: Page) => Promise<void>;
  /** A fast 4G line, and a processor four times slower. */
  isSlow?: boolean;
}

/** As Chromium's own tools have it. */
const fast4g = { offline: false, latency: 60 * 2.75, downloadThroughput: (9_000_000 / 8) * 0.9, uploadThroughput: (1_500_000 / 8) * 0.9 };

const metric = async (session: CDPSession, wanted: string): Promise<number> => {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
};

/** Opens a page with an empty cache in a window that has shown nothing of it. */
export async function load(browser: Browser, { url, path, ready, prepare, isSlow = false }: Opening): Promise<Loaded> {
  const context = await browser.newContext({ baseURL: url, locale: 'en-GB', serviceWorkers: 'block' });
  if (prepare) {
    const page = await context.newPage();
    await prepare(page);
    // It would go on opening beside what is measured.
    await page.close();
  }
  const fresh = await context.newPage();
  const session = await context.newCDPSession(fresh);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await fresh.goto('/icon.svg');
  await fresh.waitForTimeout(500);
  if (isSlow) {
    await session.send('Network.emulateNetworkConditions', fast4g);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  }
  await session.send('Performance.enable');
  const before = await metric(session, 'TaskDuration');
  // Seen by the page itself, in the frame that paints it: looking from outside costs more than the page does.
  await fresh.addInitScript({
    content: `(function look() {
      if (document.querySelector(${JSON.stringify(ready)})) window.usableAt = performance.now();
      else requestAnimationFrame(look);
    })()`,
  });
  await fresh.goto(path, { waitUntil: 'commit' });
  await fresh.waitForFunction(() => 'usableAt' in window);
  const busy = 1_000 * ((await metric(session, 'TaskDuration')) - before);
  // The page's own clock starts with the navigation; opening a window and its process is not ours to answer for.
  // So do the bytes: what came only after that moment nobody waited for.
  const { after, scripts } = await fresh.evaluate(() => {
    const usable = (window as unknown as { usableAt: number }).usableAt;
    const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const needed = files.filter(({ name, responseEnd }) => name.endsWith('.js') && responseEnd <= usable);
    return { after: usable, scripts: needed.reduce((sum, { transferSize }) => sum + transferSize, 0) };
  });
  await session.send('HeapProfiler.collectGarbage');
  const heap = (await metric(session, 'JSHeapUsedSize')) / 1024 ** 2;
  await context.close();
  return { after, scripts, busy, heap };
}

/** Signs the demo's administrator in, to stay so. */
export async function signIn(page: Page): Promise<void> {
  await page.goto('/login');
  await page.locator('#login').fill('admin');
  await page.locator('#password').fill(demoPassword);
  await page.getByLabel('Stay signed in on this device').check();
  await page.locator('form button[type=submit]').click();
  await page.waitForURL('**/home');
}

/** Milliseconds of each press on a page's "next page" until other rows are painted. */
export async function pageTurns(page: Page, button: string, rounds: number): Promise<number[]> {
  return page.evaluate(
    async ({ button: selector, rounds: count }) => {
      const times: number[] = [];
      for (let round = 0; round < count; round += 1) {
        const before = document.querySelector('tbody tr')?.textContent;
        const next = [...document.querySelectorAll<HTMLButtonElement>(selector)].at(-1);
        const started = performance.now();
        next?.click();
        while (document.querySelector('tbody tr')?.textContent === before) await new Promise((done) => requestAnimationFrame(done));
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        times.push(performance.now() - started);
      }
      return times;
    },
    { button, rounds },
  );
}
