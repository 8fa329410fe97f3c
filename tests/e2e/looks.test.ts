import AxeBuilder from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from './support/browser.ts';
import { sitDown } from './support/person.ts';
import { api, type RunningServer, startServer, tokenOf } from './support/server.ts';

let server: RunningServer;
let browser: Browser;
let token: string;
const payloads = [
  '<img src=x onerror=canary(1)>',
  '"><script>canary(2)</script>',
  "'-canary(3)-'",
  '<svg/onload=canary(4)>',
  '{{constructor.constructor("canary(5)")()}}',
  'javascript:canary(6)',
  '</title><script>canary(7)</script>',
  '${canary(8)}',
  '<iframe srcdoc="<script>parent.canary(9)</script>">',
  '&lt;script&gt;canary(10)&lt;/script&gt;',
];
beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  token = await tokenOf(server, 'admin');
});
afterAll(async () => {
  await browser.close();
  await server.discard();
});

const screens = [
  '/home',
  '/users',
  '/users/add',
  '/roles',
  '/roles/add',
  '/groups',
  '/groups/add',
  '/markers',
  '/group-types',
  '/audit-events',
  '/profile',
  '/mails',
  '/nowhere',
];

describe.each([
  { locale: 'en-GB', dark: false, width: 1440 },
  { locale: 'ru-RU', dark: true, width: 1440 },
  { locale: 'ru-RU', dark: false, width: 390 },
  { locale: 'en-GB', dark: true, width: 390 },
])('every screen in $locale, dark $dark, $width px wide', ({ locale, dark, width }) => {
  it('is accessible, fits, speaks in words and throws nothing', async () => {
    const { page, signIn, close } = await sitDown(browser, server.url, { locale, dark, width, height: width === 390 ? 844 : 900 });
    const found: string[] = [];
    const look = async (path: string) => {
      const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze();
      found.push(...violations.map(({ id, nodes }) => `${path}: ${id}: ${nodes[0]?.html.slice(0, 160) ?? ''}`));
      const { overflow, words } = await page.evaluate(() => ({
        overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        words: document.body.innerText,
      }));
      if (overflow > 1) found.push(`${path}: ${overflow} px too wide`);
      const raw = /\b(?:interface|areas|list|errors|validation|permissions)\.[a-z_-]+\.[\w.-]+|\bnull\b|\bundefined\b|\[object/.exec(words);
      if (raw) found.push(`${path}: says ${raw[0]}`);
    };
    await page.goto('/login');
    await page.locator('#login').waitFor();
    await page.getByRole('button', { name: locale === 'ru-RU' ? 'Русский' : 'English' }).click();
    await look('/login');
    await page.goto(`/registration/${'x'.repeat(43)}`);
    await page.locator('.session-note-bad').waitFor();
    await look('/registration');
    await signIn('admin');
    await page.waitForURL('**/home');
    for (const path of screens) {
      await page.goto(path);
      await page.locator('main h1, main h2, .top-title, main form').first().waitFor();
      await page.waitForFunction(() => !document.querySelector('.bone, [aria-busy=true]'), undefined, { timeout: 10_000 });
      await look(path);
    }
    expect(found).toEqual([]);
    await close();
  });
});

it('text that pretends to be code stays text, wherever it is shown', async () => {
  const person = await sitDown(browser, server.url);
  const executed: unknown[] = [];
  await person.page.exposeFunction('canary', (mark: unknown) => executed.push(mark));
  for (const [at, payload] of payloads.entries()) {
    const made = await api(server, 'PUT', '/roles', {
      token,
      body: { name: `Payload ${at}`, description: payload, permissions: [], available_roles: [] },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
  }
  await person.signIn('admin');
  await person.page.waitForURL('**/home');
  await person.page.goto('/roles?columns=name,description&size=50');
  await person.page.locator('tbody tr', { hasText: 'Payload 0' }).waitFor();
  expect(await person.page.locator('tbody').innerText()).toContain(payloads[0]);
  await person.page.locator('tbody tr', { hasText: 'Payload 1' }).first().click();
  await person.frame('description').waitFor();
  await person.page.goto('/audit-events');
  await person.page.locator('tbody tr', { hasText: 'Payload 3' }).first().click();
  await person.page.waitForTimeout(300);
  for (const payload of payloads.slice(0, 4))
    await person.page.goto(`/users?search=${encodeURIComponent(payload)}&filters=${encodeURIComponent(payload)}`);
  await person.page.waitForTimeout(300);
  expect(executed).toEqual([]);
  await person.close();
});
