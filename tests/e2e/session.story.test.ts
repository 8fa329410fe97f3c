import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { sessionStory } from '#tests/support/stories/session.ts';
import { type Teller, tellStory } from '#tests/support/story.ts';
import { launchBrowser } from './support/browser.ts';
import { type Gate, setGate } from './support/gate.ts';
import { api, demoPassword, type RunningServer, startServer } from './support/server.ts';

let server: RunningServer;
let browser: Browser;
let context: BrowserContext | undefined;
beforeAll(async () => {
  [server, browser] = await Promise.all([
    startServer({ env: { DOORWARD_SIGN_IN_TRIES: '500', DOORWARD_SIGN_IN_TRIES_PER_IP: '500' } }),
    launchBrowser(),
  ]);
});
afterEach(() => context?.close());
afterAll(async () => {
  await browser.close();
  await server.discard();
});

interface Grant {
  token: string;
  refresh: string;
}
const refused = { status: 401, code: 'not_authorized', message: 'Unauthenticated' } as const;

/** Signs in once for real in a window of its own, so that what is remembered is what the console itself stored. */
async function remembered(): Promise<Record<string, string>> {
  const window = await browser.newContext({ baseURL: server.url, locale: 'en-GB' });
  const page = await window.newPage();
  await page.goto('/login');
  await page.locator('#login').fill('concierge');
  await page.locator('#password').fill(demoPassword);
  await page.getByLabel('Stay signed in on this device').check();
  await page.locator('form button[type=submit]').click();
  await page.getByRole('button', { name: /^Profile menu/ }).waitFor();
  const stored = await page.evaluate(() => Object.fromEntries(Object.entries(localStorage)) as Record<string, string>);
  await window.close();
  return stored;
}

/** Whether something is visible within a moment; what is on its way gets that moment. */
const visible = (page: Page, ...selectors: string[]): Promise<boolean> => page.locator(selectors.join(', ')).first().isVisible();

async function where(page: Page, gates: { profile: Gate; refresh: Gate; login: Gate; logout: Gate }): Promise<string> {
  if (gates.logout.waiting() > 0) return 'leaving';
  if (gates.login.waiting() > 0) return 'entering';
  if (await visible(page, '.session-wait')) return (await visible(page, '.session-wait button')) ? 'startingLater' : 'starting';
  if (await visible(page, '.person-button')) {
    if (await visible(page, '.top-status .tag')) return 'renewingLater';
    return gates.refresh.waiting() > 0 ? 'renewing' : 'inside';
  }
  if (new URL(page.url()).pathname === '/choose-project') return 'choosing';
  if (await visible(page, '#login')) return (await page.getByText('Your session has ended').isVisible()) ? 'expired' : 'outside';
  return 'starting';
}

/** The state once it has come to rest: the same for a third of a second. */
async function atRest(look: () => Promise<string>, page: Page): Promise<string> {
  let last = '';
  for (let looks = 0, same = 0; looks < 80 && same < 6; looks += 1) {
    const now = await look();
    same = now === last ? same + 1 : 0;
    last = now;
    await page.waitForTimeout(60);
  }
  return last;
}

async function teller(): Promise<Teller> {
  const stored = await remembered();
  context = await browser.newContext({ baseURL: server.url, locale: 'en-GB', reducedMotion: 'reduce' });
  const page = await context.newPage();
  const gates = {
    profile: await setGate(page, (path, method) => path === '/profile' && method === 'GET'),
    refresh: await setGate(page, (path) => path === '/refresh'),
    login: await setGate(page, (path) => path === '/login'),
    logout: await setGate(page, (path) => path.startsWith('/logout')),
  };
  const rejected = await setGate(page, (path) => path === '/users');
  for (const gate of [gates.profile, gates.login, gates.logout, gates.refresh]) gate.hold();
  const otherTab = async (act: (tab: Page) => Promise<void>) => {
    const tab = await context?.newPage();
    if (!tab) return;
    await tab.goto('/icon.svg');
    await act(tab);
    await tab.close();
  };
  await context.addInitScript((items) => {
    if (!sessionStorage.getItem('told')) for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value);
    sessionStorage.setItem('told', 'yes');
  }, stored);
  await page.goto('/login');

  let login = 'concierge';
  const forget = () => page.evaluate(() => localStorage.clear());
  const menu = async (entry: string) => {
    await page.locator('.person-button').click();
    await page.getByRole('button', { name: entry, exact: true }).click();
    if (entry === 'Sign out everywhere') await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere', exact: true }).click();
  };
  let wasInside = false;
  // Both the refused memory and the ended session lead to the same login page with the same sentence.
  const look = async () => {
    const seen = await atRest(() => where(page, gates), page);
    wasInside ||= seen === 'inside';
    return seen === 'expired' && !wasInside ? 'outside' : seen;
  };
  const inside = async () => ['inside', 'renewing', 'renewingLater'].includes(await where(page, gates));
  const enter = async () => {
    await page.locator('#login').fill(login);
    await page.locator('#password').fill(demoPassword);
    await page.locator('form button[type=submit]').click();
  };
  const some =
    (...selectors: string[]) =>
    () =>
      visible(page, ...selectors);
  return {
    where: look,
    words: {
      remembered: () => gates.profile.decide('through'),
      nothingRemembered: async () => {
        await forget();
        await page.reload();
      },
      rememberedButRefused: async () => {
        await gates.profile.decide(refused);
        await gates.refresh.decide(refused);
        // Another tab's newer pair is waited for half a second before the refusal counts.
        await page.waitForTimeout(600);
      },
      unreachable: async () => {
        if (await inside()) return gates.refresh.decide('lost');
        return gates.profile.decide('lost');
      },
      tryAgain: async () => {
        gates.profile.hold();
        gates.refresh.hold();
        await page.getByRole('button', { name: 'Try again' }).click();
      },
      timePasses: async () => {
        gates.profile.hold();
        gates.refresh.hold();
        await page.waitForTimeout(6_000);
      },
      enter,
      oneProject: async () => {
        await gates.login.decide('through');
        await gates.profile.decide('through');
      },
      severalProjects: async () => {
        const { body } = await api<{ data: { sessions: Grant[] } }>(server, 'POST', '/login', { body: { login: 'dealer', password: demoPassword } });
        await page.unroute('**/api/v0/login');
        await page.route('**/api/v0/login', (route) => route.fulfill({ json: body }));
        await gates.login.decide({ status: 409, code: 'conflict', message: 'again' });
        login = 'dealer';
        await enter();
        await gates.profile.decide('through');
      },
      wrongPassword: () => gates.login.decide({ status: 401, code: 'incorrect_login', message: 'incorrect login/password' }),
      tooSlow: () => page.waitForTimeout(3_300),
      choose: () => page.getByRole('button', { name: /Harbour/ }).click(),
      tokenExpires: async () => {
        rejected.hold();
        await page.getByRole('link', { name: 'Users', exact: true }).first().click();
        await rejected.decide(refused);
      },
      renewed: async () => {
        await rejected.decide('through');
        await gates.refresh.decide('through');
      },
      refused: async () => {
        await gates.refresh.decide(refused);
        await page.waitForTimeout(600);
      },
      leave: async () => {
        if (await visible(page, '.person-button')) return menu('Sign out');
        return page.getByRole('button', { name: /Sign in anew|Sign in with another account/ }).click();
      },
      leaveEverywhere: () => menu('Sign out everywhere'),
      serverHeard: () => gates.logout.decide('through'),
      serverSilent: async () => {
        await page.waitForTimeout(2_300);
        // The request may hang on; the person no longer waits for it.
        await page.locator('form[aria-busy=false]').waitFor();
        await gates.logout.decide('lost');
      },
      otherTabLeaves: () =>
        otherTab((tab) =>
          tab.evaluate(() => {
            localStorage.clear();
          }),
        ),
    },
    buttons: [
      { name: 'sign in', words: ['enter'], isThere: some('form[aria-busy=false] button[type=submit]') },
      { name: 'sign out everywhere', words: ['leaveEverywhere'], isThere: some('.person-button') },
    ],
  };
}

describe('the session tells its story in the browser', () => {
  const sayable = new Set([
    'xstate.init',
    'remembered',
    'nothingRemembered',
    'rememberedButRefused',
    'unreachable',
    'tryAgain',
    'timePasses',
    'enter',
    'oneProject',
    'wrongPassword',
    'tooSlow',
    'tokenExpires',
    'renewed',
    'refused',
    'leave',
    'leaveEverywhere',
    'serverHeard',
    'serverSilent',
    'otherTabLeaves',
  ]);
  tellStory(sessionStory, teller, (words) => words.every((word) => sayable.has(word)));
});
