import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from './support/browser.ts';
import { sitDown } from './support/person.ts';
import { type RunningServer, startServer } from './support/server.ts';

let server: RunningServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([
    startServer({ env: { DOORWARD_SIGN_IN_TRIES: '500', DOORWARD_SIGN_IN_TRIES_PER_IP: '500' } }),
    launchBrowser(),
  ]);
});
afterAll(async () => {
  await browser.close();
  await server.discard();
});

const unauthenticated = { status: 401, json: { message: 'Unauthenticated', error: { code: 'not_authorized', message: 'Unauthenticated' } } };

const broken = { status: 500, json: { message: 'internal server error', error: { code: 'internal', message: 'internal server error' } } };

/** From now on the server seems to reject the token the page holds, until it has been exchanged. Counts the exchanges. */
async function expireToken(
  page: Page,
  refreshAnswer?: { status: number; delay?: number },
): Promise<{ refreshes: () => number; rejected: () => number }> {
  const old = await page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]));
  let refreshes = 0;
  let rejected = 0;
  await page.route('**/api/v0/**', async (route) => {
    const token = route.request().headers()['authorization']?.slice('Bearer '.length);
    if (route.request().url().endsWith('/refresh')) {
      refreshes += 1;
      if (refreshAnswer?.delay) await new Promise((done) => setTimeout(done, refreshAnswer.delay));
      if (refreshAnswer && refreshAnswer.status !== 200) return route.fulfill(refreshAnswer.status === 401 ? unauthenticated : broken);
      return route.continue();
    }
    if (token && old.includes(token)) {
      rejected += 1;
      return route.fulfill(unauthenticated);
    }
    return route.continue();
  });
  return { refreshes: () => refreshes, rejected: () => rejected };
}

describe('an outdated token', () => {
  it('is exchanged once for all requests that wait, however slow the exchange', async () => {
    const { page, signIn, close } = await sitDown(browser, server.url);
    await signIn('admin');
    await page.waitForURL('**/home');
    await page.getByRole('navigation').getByRole('link', { name: 'Users' }).click();
    await page.locator('tbody tr').nth(5).waitFor();
    const seen = await expireToken(page, { status: 200, delay: 3_000 });
    await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
    await page.getByText(/^See all \d+ users$/).waitFor();
    expect(await page.locator('.alert-error').count()).toBe(0);
    expect(seen.refreshes()).toBe(1);
    expect(seen.rejected()).toBeGreaterThan(1);
    await close();
  });

  it('whose exchange is refused leads to sign-in once, remembers where one was, and asks no more', async () => {
    const { page, signIn, close } = await sitDown(browser, server.url);
    await signIn('admin');
    await page.waitForURL('**/home');
    const seen = await expireToken(page, { status: 401 });
    await page.getByRole('navigation').getByRole('link', { name: 'Users' }).click();
    await page.waitForURL(/\/login\?redirect=/);
    expect(new URL(page.url()).searchParams.get('redirect')).toMatch(/^\/users/);
    await page.getByText('Your session has ended').waitFor();
    const before = seen.rejected() + seen.refreshes();
    await page.waitForTimeout(1_500);
    expect(seen.rejected() + seen.refreshes()).toBe(before);
    expect(seen.refreshes()).toBe(1);
    await page.unroute('**/api/v0/**');
    await signIn('admin');
    await page.waitForURL(/\/users/);
    await close();
  });

  it('whose exchange fails otherwise keeps the session and tries again', async () => {
    const { page, signIn, close } = await sitDown(browser, server.url);
    await signIn('admin');
    await page.waitForURL('**/home');
    const answer = { status: 500 };
    await expireToken(page, answer);
    await page.getByRole('navigation').getByRole('link', { name: 'Users' }).click();
    await page.getByText('There is no connection to the server').waitFor();
    expect(page.url()).not.toContain('/login');
    answer.status = 200;
    await page.locator('tbody tr').nth(5).waitFor();
    await close();
  });

  it('of two tabs is exchanged by one of them', async () => {
    const one = await sitDown(browser, server.url);
    await one.signIn('manager', undefined, true);
    await one.page.waitForURL('**/home');
    const two = await one.context.newPage();
    await two.goto('/home');
    await two.getByRole('heading', { name: 'Home' }).waitFor();
    const [first, second] = [await expireToken(one.page), await expireToken(two)];
    await Promise.all([one.open('Users'), two.getByRole('navigation').getByRole('link', { name: 'Users' }).click()]);
    await Promise.all([one.page.locator('tbody tr').nth(3).waitFor(), two.locator('tbody tr').nth(3).waitFor()]);
    expect(first.refreshes() + second.refreshes()).toBe(1);
    await one.close();
  });
});

describe('signing out', () => {
  it('in one tab signs out all, and the token is dead', async () => {
    const { page, context, signIn, close } = await sitDown(browser, server.url);
    await signIn('concierge', undefined, true);
    await page.waitForURL('**/home');
    const others = await Promise.all([context.newPage(), context.newPage()]);
    await Promise.all(
      others.map(async (tab) => {
        await tab.goto('/users');
        await tab.locator('tbody tr').first().waitFor();
      }),
    );
    const request = page.waitForRequest('**/api/v0/users*');
    await page.getByRole('navigation').getByRole('link', { name: 'Users' }).click();
    const token = (await request).headers()['authorization'] ?? '';
    await page.getByRole('button', { name: /^Profile menu/ }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    const started = performance.now();
    await Promise.all([page, ...others].map((tab) => tab.waitForURL(/\/login/)));
    expect(performance.now() - started).toBeLessThan(5_000);
    const answer = await fetch(`${server.url}/api/v0/profile`, { headers: { authorization: token } });
    expect(answer.status).toBe(401);
    await close();
  });
});

describe('staying signed in', () => {
  it.each([
    { remember: true, newTab: 'home' },
    { remember: false, newTab: 'login' },
  ])('remember me $remember: another tab shows $newTab', async ({ remember, newTab }) => {
    const { page, context, signIn, close } = await sitDown(browser, server.url);
    await signIn('concierge', undefined, remember);
    await page.waitForURL('**/home');
    await page.reload();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    const tab = await context.newPage();
    await tab.goto('/home');
    await tab.waitForURL(new RegExp(`/${newTab}`));
    await close();
  });
});

describe('several projects', () => {
  it('are offered after signing in, and the wanted page opens in the chosen one', async () => {
    const { page, signIn, close } = await sitDown(browser, server.url);
    await page.goto('/groups');
    await page.waitForURL(/\/login\?redirect=/);
    await signIn('dealer');
    await page.waitForURL(/\/choose-project\?redirect=/);
    await page.getByRole('button', { name: /Harbour/ }).click();
    await page.waitForURL(/\/groups/);
    await page.getByRole('treeitem', { name: /Harbour/ }).waitFor();
    await close();
  });
});

describe('a redirect', () => {
  it.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/%5Cevil.example',
    'data:text/html,x',
    '/a/../..//evil.example',
    'java\tscript:alert(1)',
  ])('to %s stays here', async (target) => {
    const { page, signIn, close } = await sitDown(browser, server.url);
    await page.goto(`/login?redirect=${encodeURIComponent(target)}`);
    await signIn('resident');
    await page.waitForURL((url) => !url.pathname.startsWith('/login'));
    expect(new URL(page.url()).origin).toBe(server.url);
    await close();
  });
});

describe('signing in', () => {
  it('with a wrong password says so in the language of the page and keeps the login', async () => {
    const { page, signIn, close } = await sitDown(browser, server.url, { locale: 'ru-RU' });
    await page.goto('/login');
    await page.getByRole('button', { name: 'Русский' }).click();
    await signIn('admin', 'not the password');
    await page.getByRole('alert').filter({ hasText: /[а-я]/i }).first().waitFor();
    expect(await page.locator('#login').inputValue()).toBe('admin');
    await close();
  });

  it('slower than 3 s gives up with a sentence, and the button works again', async () => {
    const { page, signIn, close } = await sitDown(browser, server.url);
    let requests = 0;
    await page.route('**/api/v0/login', async (route) => {
      requests += 1;
      await new Promise((done) => setTimeout(done, 3_600));
      await route.continue().catch(() => {});
    });
    await signIn('admin');
    await page.getByRole('alert').first().waitFor({ timeout: 6_000 });
    expect(requests).toBe(1);
    await page.unroute('**/api/v0/login');
    await page.locator('form button[type=submit]').click();
    await page.waitForURL('**/home');
    await close();
  });
});

it('a changed role is in force with the next request, and the menu follows', async () => {
  const admin = await sitDown(browser, server.url);
  await admin.signIn('admin');
  await admin.page.waitForURL('**/home');
  const manager = await sitDown(browser, server.url);
  await manager.signIn('manager');
  await manager.page.waitForURL('**/home');
  await manager.open('Users');
  await manager.page.getByRole('button', { name: 'Add user' }).waitFor();
  await admin.open('Roles');
  await admin.page.locator('tbody tr', { hasText: 'Property manager' }).click();
  await admin.page.getByRole('searchbox', { name: 'Find a permission' }).fill('roles');
  for (const box of await admin.page.getByRole('checkbox', { name: /roles/i }).all()) if (await box.isChecked()) await box.uncheck();
  await admin.press('Save');
  await admin.told('Done');
  await manager.open('Groups');
  await manager.page.getByRole('navigation').getByRole('link', { name: 'Roles' }).waitFor({ state: 'detached', timeout: 4_000 });
  await manager.close();
  await admin.close();
});
