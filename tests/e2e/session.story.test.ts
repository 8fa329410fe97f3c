import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, describe } from 'vitest';
import { sessionStory } from '#tests/support/stories/session.ts';
import { type Driver, runStory } from '#tests/support/story.ts';
import { enterOnce } from './support/enter.ts';
import { type Gate, setGate } from './support/gate.ts';
import { api, sessionsOf } from './support/server.ts';
import { sessionToStay, setStage } from './support/stage.ts';
import { atRest, signsOn, visible } from './support/story-page.ts';

const stage = setStage();
let context: BrowserContext | undefined;
afterEach(() => context?.close());

const refused = { status: 401, code: 'not_authorized', message: 'Unauthenticated' } as const;

/** A window that remembers a session of its own. */
const openWindow = async (): Promise<BrowserContext> =>
  stage.browser.newContext({
    baseURL: stage.server.url,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    storageState: await sessionToStay(stage.server, 'concierge'),
  });

const profileOf = async (): Promise<unknown> => {
  const [session] = await sessionsOf(stage.server, 'concierge');
  return (await api<{ data: unknown }>(stage.server, 'GET', '/profile', { token: session?.token ?? '' })).body.data;
};

const signs = {
  wait: '.session-wait',
  waitEnds: '.session-wait button',
  person: '.person-button',
  unreached: '.top-status .tag',
  login: '#login',
  ended: '.session-note',
};

async function where(page: Page, gates: { profile: Gate; refresh: Gate; login: Gate; logout: Gate }): Promise<string> {
  if (gates.logout.waiting() > 0) return 'leaving';
  if (gates.login.waiting() > 0) return 'entering';
  const seen = await signsOn(page, signs);
  if (seen.wait !== undefined) return seen.waitEnds === undefined ? 'starting' : 'startingLater';
  if (seen.person !== undefined) {
    if (seen.unreached?.includes('last updated')) return 'insideAsSeen';
    if (seen.unreached !== undefined) return 'renewingLater';
    return gates.refresh.waiting() > 0 ? 'renewing' : 'inside';
  }
  if (new URL(page.url()).pathname === '/choose-project') return 'choosing';
  if (seen.login !== undefined) return seen.ended?.includes('Your session has ended') ? 'expired' : 'outside';
  return 'starting';
}

async function driver(): Promise<Driver> {
  const window = await openWindow();
  context = window;
  const page = await window.newPage();
  await page.clock.install();
  const gates = {
    profile: await setGate(page, (path, method) => path === '/profile' && method === 'GET'),
    refresh: await setGate(page, (path) => path === '/refresh'),
    login: await setGate(page, (path) => path === '/login'),
    logout: await setGate(page, (path) => path.startsWith('/logout')),
  };
  const rejected = await setGate(page, (path) => path === '/users');
  for (const gate of [gates.profile, gates.login, gates.logout, gates.refresh]) gate.hold();
  const otherTab = async (act: (tab: Page) => Promise<void>) => {
    const tab = await window.newPage();
    await tab.goto('/icon.svg');
    await act(tab);
    await tab.close();
  };
  await page.goto('/login');

  const forget = () => page.evaluate(() => localStorage.clear());
  const menu = async (entry: string) => {
    await page.locator('.person-button').click();
    await page.getByRole('button', { name: entry, exact: true }).click();
    if (entry === 'Sign out everywhere') await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere', exact: true }).click();
  };
  let wasInside = false;
  // Both the refused memory and the ended session lead to the same login page with the same sentence.
  const look = async () => {
    const seen = await where(page, gates);
    wasInside ||= seen === 'inside';
    return seen === 'expired' && !wasInside ? 'outside' : seen;
  };
  const inside = async () => ['inside', 'renewing', 'renewingLater'].includes(await where(page, gates));
  const some =
    (...selectors: string[]) =>
    () =>
      visible(page, ...selectors);
  return {
    where: (expected) => atRest(page, look, expected),
    words: {
      remembered: () => gates.profile.decide('through'),
      nothingRemembered: async () => {
        await forget();
        await page.reload();
      },
      rememberedButRefused: async () => {
        await gates.profile.decide(refused);
        await gates.refresh.decide(refused);
      },
      unreachable: async () => {
        if (await inside()) return gates.refresh.decide('lost');
        return gates.profile.decide('lost');
      },
      unreachableButSeen: async () => {
        await page.evaluate(
          async ([path, text]) => {
            const cache = await caches.open('doorward-last-answers');
            await cache.put(path, new Response(text, { headers: { 'Doorward-Seen': '2026-03-09T08:00:00.000Z' } }));
          },
          ['/profile', JSON.stringify(await profileOf())] as const,
        );
        await gates.profile.decide('lost');
      },
      serverIsBack: async () => {
        gates.profile.hold();
        await page.clock.fastForward(11_000);
        await gates.profile.decide('through');
      },
      tryAgain: async () => {
        gates.profile.hold();
        gates.refresh.hold();
        await page.getByRole('button', { name: 'Try again' }).click();
      },
      timePasses: async () => {
        gates.profile.hold();
        gates.refresh.hold();
        await page.clock.fastForward(6_000);
      },
      enter: async () => {
        gates.login.hold();
        await enterOnce(page, 'concierge');
      },
      oneProject: async () => {
        await gates.login.decide('through');
        await gates.profile.decide('through');
      },
      severalProjects: async () => {
        await gates.login.decide({ data: { sessions: await sessionsOf(stage.server, 'dealer') } });
        gates.profile.hold();
      },
      wrongPassword: () => gates.login.decide({ status: 401, code: 'incorrect_login', message: 'incorrect login/password' }),
      tooSlow: () => page.clock.fastForward(3_300),
      choose: async () => {
        await page.getByRole('button', { name: /Harbour/ }).click();
        await gates.profile.decide('through');
      },
      tokenExpires: async () => {
        rejected.hold();
        await page.getByRole('link', { name: 'Users', exact: true }).first().click();
        await rejected.decide(refused);
      },
      renewed: async () => {
        await rejected.decide('through');
        await gates.refresh.decide('through');
      },
      refused: () => gates.refresh.decide(refused),
      leave: async () => {
        if (await visible(page, '.person-button')) return menu('Sign out');
        return page.getByRole('button', { name: /Sign in again|Use another account/ }).click();
      },
      leaveEverywhere: () => menu('Sign out everywhere'),
      serverHeard: () => gates.logout.decide('through'),
      serverSilent: async () => {
        await page.clock.fastForward(2_300);
        // The request may hang on; the person no longer waits for it.
        await page.locator('form[aria-busy=false]').waitFor();
        await gates.logout.decide('lost');
      },
      otherTabLeaves: () => otherTab((tab) => tab.evaluate(() => localStorage.clear())),
      otherTabEnters: async () => {
        gates.profile.hold();
        await otherTab(async (tab) => {
          await enterOnce(tab, 'concierge', { remember: true });
          await tab.getByRole('button', { name: /^Profile menu/ }).waitFor();
        });
      },
    },
    buttons: [
      { name: 'sign in', words: ['enter'], isThere: some('form[aria-busy=false] button[type=submit]') },
      { name: 'sign out everywhere', words: ['leaveEverywhere'], isThere: some('.person-button') },
    ],
  };
}

describe('the session tells its story in the browser', () => {
  // Nobody here has a second factor (tests/e2e/second-factor.test.ts), nobody sees a changed role, and the page with which a session has ended is the one to sign in on.
  const silent = new Set(['roleChanges', 'understood', 'codeAsked', 'rightCode', 'wrongCode', 'provedTooLate', 'mustEnrol', 'enrolled']);
  runStory(sessionStory, driver, { drivable: (words) => !words.some((word) => silent.has(word)), brief: true });
});
