import type { Page } from 'playwright-core';
import { describe } from 'vitest';
import { listStory } from '#tests/support/stories/list.ts';
import { type Driver, runStory } from '#tests/support/story.ts';
import { hideChanges } from './support/channel.ts';
import { type Gate, setGate } from './support/gate.ts';
import { make } from './support/records.ts';
import { api } from './support/server.ts';
import { setStage } from './support/stage.ts';
import { atRest, setTab, signsOn, visible } from './support/story-page.ts';

const stage = setStage();
const openTab = setTab(stage, 'admin');
let made = 0;

const wanted = 30;
/** Two pages of markers, whatever the path before this one deleted. */
async function fillUp(): Promise<void> {
  const { body } = await api<{ meta: { total: number } }>(stage.server, 'GET', '/markers?size=10', { token: stage.token });
  const missing = Array.from({ length: Math.max(0, wanted - body.meta.total) }, () => `Story ${(made += 1)}`);
  await Promise.all(missing.map((name) => make(stage, 'markers', { name, color: '#2b5bd7' })));
}

const unavailable = { status: 503, code: 'unavailable', message: 'service is unavailable, try again later' } as const;
const question = 'dialog[open], [role=dialog]';
const signs = {
  selection: '.foot-selection strong',
  stale: '.notice-bad',
  question,
  rows: 'tbody input[type=checkbox]',
  failure: '.failure',
};

async function where(page: Page, rows: Gate, removal: Gate): Promise<string> {
  const { selection, stale, question: asked, rows: seen, failure } = await signsOn(page, signs);
  const all = selection?.startsWith('All') === true;
  const turning = rows.waiting() > 0;
  if (removal.waiting() > 0) return all ? 'removingAll' : 'removing';
  if (asked !== undefined) return all ? 'askedAboutAll' : turning ? 'askedTurning' : stale !== undefined ? 'askedStale' : 'asked';
  if (seen === undefined) return !turning && failure !== undefined ? 'failed' : 'waiting';
  const suffix = all ? 'AllChosen' : selection === undefined ? '' : 'Chosen';
  if (turning) return `turning${suffix}`;
  if (stale !== undefined) return `stale${suffix}`;
  return { '': 'seeing', Chosen: 'chosen', AllChosen: 'allChosen' }[suffix];
}

async function driver(): Promise<Driver> {
  await fillUp();
  const page = await openTab();
  await hideChanges(page);
  const rows = await setGate(page, (path, method) => path === '/markers' && method === 'GET');
  const removal = await setGate(
    page,
    (path, method) => path === '/markers/delete' || path === '/markers/bulk' || (path.startsWith('/markers/') && method === 'DELETE'),
  );
  rows.hold();
  removal.hold();
  await page.goto('/markers');

  const first = page.locator('tbody input[type=checkbox]').first();
  const link = (name: string | RegExp) => page.getByRole('button', { name });
  const select = (on: boolean) => () => first.setChecked(on);
  const chooseAll = async () => {
    if (!(await page.getByText(/^\d+ selected$/).isVisible())) await page.locator('thead input[type=checkbox]').check();
    await link(/^Select all \d+ matching rows$/).click();
  };
  const ask = async () => {
    await page.locator('.foot-danger').click();
    await page.locator(question).first().waitFor();
  };
  const lost = () => removal.decideThese('lost');
  let ended = '';
  return {
    where: (expected) => ended || atRest(page, () => where(page, rows, removal), expected),
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
      },
      choose: select(true),
      // Of those on other pages, and of several, one lets go at once.
      unchoose: async () => {
        const isHere = (await page.getByText(/^1 selected$/).isVisible()) && (await first.isChecked());
        await (isHere ? first.setChecked(false) : link('Clear selection').click());
      },
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
        await removal.decideThese('through');
        await fillUp();
      },
      notReached: async () => {
        const all = (await where(page, rows, removal)) === 'removingAll';
        await lost();
        if (all) ended = 'unsent';
      },
      workStarted: async () => {
        await removal.decideThese('through');
        await page.getByText('Deleting').first().waitFor();
        // The next path counts what is there.
        await page.getByText('Deleting').first().waitFor({ state: 'detached' });
        ended = 'sent';
      },
    },
    buttons: [
      {
        name: 'delete',
        words: ['remove', 'removeAll'],
        isThere: async () => !ended && (await page.locator('.foot-danger:enabled').isVisible()) && !(await visible(page, question)),
      },
      {
        name: 'answer the question',
        words: ['yes', 'no'],
        // Of all that match the question stays until the work has begun, and takes no answer meanwhile.
        isThere: async () => !ended && page.locator(question).getByRole('button', { name: 'Cancel', disabled: false }).first().isVisible(),
      },
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
  runStory(listStory, driver, { drivable: spoken, onward: true });
});
