import type { Browser } from 'playwright-core';
import { launchBrowser } from '#tests/e2e/support/browser.ts';
import { startServer, tokenOf } from '#tests/e2e/support/server.ts';
import { type Figure, median } from './figures.ts';
import { load, type Loaded, pageTurns, signIn } from './page-load.ts';
import { openSite } from './react-admin/site.ts';

const name = 'react-admin';
const row = 'tbody input[type=checkbox]';
/** Bones have checkboxes there; rows have names. */
const theirRow = 'tbody .column-name span';

/** How long the next page takes in a window of its own. */
async function turnsOf(browser: Browser, url: string, button: string, isOurs: boolean): Promise<number> {
  const context = await browser.newContext({ baseURL: url, locale: 'en-GB', serviceWorkers: 'block' });
  const page = await context.newPage();
  if (isOurs) await signIn(page);
  await page.goto(isOurs ? '/users?size=20' : '/');
  await page.locator(row).nth(10).waitFor();
  const times = await pageTurns(page, button, 12);
  await context.close();
  return median(times);
}

/** From the press on a row of the list until its form can be typed into, in ms, six rows one after another. */
async function editorOf(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ baseURL: url, locale: 'en-GB', serviceWorkers: 'block' });
  const page = await context.newPage();
  await signIn(page);
  const times: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    await page.goto('/users?size=20');
    await page.locator(row).nth(10).waitFor();
    // What can wait comes after the list; a person presses later than that.
    await page.waitForTimeout(1_500);
    const took = await page.evaluate(async (index) => {
      const link = document.querySelectorAll<HTMLElement>('tbody tr a[href^="/users/"]')[index];
      const started = performance.now();
      link?.click();
      while (!document.querySelector('main form input:not([type=checkbox])')) await new Promise((done) => requestAnimationFrame(done));
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      return performance.now() - started;
    }, round + 2);
    times.push(took);
  }
  await context.close();
  return median(times);
}

/** The first list beside react-admin's smallest page with the same rows, taken in turns: both have the same machine at the same time. */
export async function benchBeside(): Promise<Figure[]> {
  const server = await startServer({ env: { DOORWARD_LOG: 'error' } });
  const site = await openSite({ url: server.url, token: await tokenOf(server, 'admin') });
  const browser = await launchBrowser();
  try {
    const rounds = async (count: number, isSlow: boolean): Promise<{ ours: Loaded[]; theirs: Loaded[] }> => {
      const [ours, theirs]: [Loaded[], Loaded[]] = [[], []];
      for (let round = 0; round < count; round += 1) {
        ours.push(await load(browser, { url: server.url, path: '/users', ready: row, prepare: signIn, isSlow }));
        theirs.push(await load(browser, { url: site.url, path: '/', ready: theirRow, isSlow }));
      }
      return { ours, theirs };
    };
    const quick = await rounds(7, false);
    const slow = await rounds(3, true);
    const turns = await turnsOf(browser, server.url, '.foot-turn', true);
    const theirTurns = await turnsOf(browser, site.url, 'button[aria-label="Go to next page"]', false);
    const editor = await editorOf(browser, server.url);
    const line = (what: string, unit: Figure['unit'], of: (loaded: Loaded) => number, { ours, theirs } = quick, share?: number): Figure => {
      const value = median(theirs.map(of));
      return { what, unit, ours: median(ours.map(of)), baseline: { what: name, value }, ...(share && { atMost: share * value }) };
    };
    return [
      line('first list usable', 'ms', ({ after }) => after, quick, 0.95),
      line('first list usable, fast 4G, processor four times slower', 'ms', ({ after }) => after, slow, 0.95),
      line('main thread busy until then', 'ms', ({ busy }) => busy),
      line('JavaScript until then', 'kB', ({ scripts }) => scripts / 1000),
      { ...line('JavaScript heap then', 'MB', ({ heap }) => heap), atMost: 8.5 },
      { what: 'next page painted, request included', unit: 'ms', ours: turns, atMost: 60, baseline: { what: name, value: theirTurns } },
      { what: 'form of a row painted', unit: 'ms', ours: editor, atMost: 90 },
    ];
  } finally {
    await browser.close();
    site.close();
    await server.discard();
  }
}
