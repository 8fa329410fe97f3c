import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { listStory } from '#tests/support/stories/list.ts';
import { type Teller, tellStory } from '#tests/support/story.ts';
import { launchBrowser } from './support/browser.ts';
import { type Gate, setGate } from './support/gate.ts';
import { api, demoPassword, type RunningServer, startServer, tokenOf } from './support/server.ts';

let server: RunningServer;
let browser: Browser;
let context: BrowserContext | undefined;
let token: string;
let made = 0;
beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  token = await tokenOf(server, 'admin');
});
afterEach(() => context?.close());
afterAll(async () => {
  await browser.close();
  await server.discard();
});

const wanted = 30;
/** Two pages of markers, whatever the path before this one deleted. */
async function fillUp(): Promise<void> {
  const { body } = await api<{ meta: { total: number } }>(server, 'GET', '/markers?size=10', { token });
  const missing = Array.from({ length: Math.max(0, wanted - body.meta.total) }, () => `Story ${(made += 1)}`);
  await Promise.all(missing.map((name) => api(server, 'PUT', '/markers', { token, body: { name, color: '#2b5bd7' } })));
}

const unavailable = { status: 503, code: 'unavailable', message: 'service is unavailable, try again later' } as const;
const question = 'dialog[open], [role=dialog]';
const visible = (page: Page, selector: string): Promise<boolean> => page.locator(selector).first().isVisible();

async function where(page: Page, rows: Gate, removal: Gate): Promise<string> {
  const all = await page.getByText(/^All \d+ selected$/).isVisible();
  const chosen = await page.getByText(/^\d+ selected$/).isVisible();
  const turning = rows.waiting() > 0;
  const stale = await visible(page, '.notice-bad');
  if (removal.waiting() > 0) return all ? 'removingAll' : 'removing';
  if (await visible(page, question)) return all ? 'askedAboutAll' : turning ? 'askedTurning' : stale ? 'askedStale' : 'asked';
  if (!(await visible(page, 'tbody input[type=checkbox]')))
    return !turning && (await page.getByRole('button', { name: 'Try again' }).first().isVisible()) ? 'failed' : 'waiting';
  const suffix = all ? 'AllChosen' : chosen ? 'Chosen' : '';
  if (turning) return `turning${suffix}`;
  if (stale) return `stale${suffix}`;
  return { '': 'seeing', Chosen: 'chosen', AllChosen: 'allChosen' }[suffix];
}

async function atRest(look: () => Promise<string>, page: Page): Promise<string> {
  let last = '';
  for (let looks = 0, same = 0; looks < 60 && same < 4; looks += 1) {
    const now = await look();
    same = now === last ? same + 1 : 0;
    last = now;
    await page.waitForTimeout(50);
  }
  return last;
}

async function teller(): Promise<Teller> {
  await fillUp();
  context = await browser.newContext({ baseURL: server.url, locale: 'en-GB', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto('/login');
  await page.locator('#login').fill('admin');
  await page.locator('#password').fill(demoPassword);
  await page.locator('form button[type=submit]').click();
  await page.waitForURL('**/home');
  const rows = await setGate(page, (path, method) => path === '/markers' && method === 'GET');
  const removal = await setGate(page, (path, method) => path === '/markers/delete' || (path.startsWith('/markers/') && method === 'DELETE'));
  rows.hold();
  removal.hold();
  await page.goto('/markers');

  const first = page.locator('tbody input[type=checkbox]').first();
  const link = (name: string | RegExp) => page.getByRole('button', { name });
  const select = (on: boolean) => () => first.setChecked(on);
  const chooseAll = async () => {
    if (!(await page.getByText(/^\d+ selected$/).isVisible())) await page.locator('thead input[type=checkbox]').check();
    await link(/^Select all \d+ that match$/).click();
  };
  const ask = async () => {
    await page.locator('.foot-danger').click();
    await page.locator(question).first().waitFor();
  };
  const look = () => atRest(() => where(page, rows, removal), page);
  const lost = () => removal.decide('lost');
  let ended = '';
  return {
    where: async () => ended || look(),
    words: {
      arrived: () => rows.decide('through'),
      broken: () => rows.decide(unavailable),
      reload: async () => {
        rows.hold();
        await link('Try again').first().click();
      },
      turnPage: async () => {
        rows.hold();
        const next = link('Next');
        await ((await next.isEnabled()) ? next : link('Previous')).click();
      },
      searchOther: async () => {
        rows.hold();
        await page.getByRole('searchbox').fill('Story');
        await page.waitForTimeout(400);
      },
      choose: select(true),
      unchoose: select(false),
      exceptOne: select(false),
      chooseAll,
      unchooseAll: () => link('Clear selection').click(),
      remove: ask,
      removeAll: ask,
      yes: () =>
        page
          .locator(question)
          .getByRole('button', { name: /^Delete/ })
          .click(),
      no: () => page.locator(question).getByRole('button', { name: 'Cancel' }).click(),
      allGone: async () => {
        rows.hold();
        await removal.decide('through');
      },
      notReached: async () => {
        const all = (await look()) === 'removingAll';
        await lost();
        if (all) ended = 'kept';
      },
      workStarted: async () => {
        await removal.decide('through');
        await page.getByText('Deleting').first().waitFor();
        ended = 'sent';
      },
    },
    buttons: [
      {
        name: 'delete',
        words: ['remove', 'removeAll'],
        isThere: async () => !ended && (await page.locator('.foot-danger:enabled').isVisible()) && !(await visible(page, question)),
      },
      { name: 'answer the question', words: ['yes', 'no'], isThere: async () => !ended && visible(page, question) },
    ],
  };
}

describe('a list tells its story in the browser', () => {
  const silent = new Set(['oneStays']);
  // One reloads with a button only what failed, and chooses all only once.
  const spoken = (words: string[]): boolean => {
    const story = words.join(' ');
    return !words.some((word) => silent.has(word)) && !story.endsWith('init arrived reload') && !story.includes('chooseAll chooseAll');
  };
  tellStory(listStory, teller, spoken);
});
