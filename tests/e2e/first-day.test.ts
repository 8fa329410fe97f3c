import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from './support/browser.ts';
import { sitDown } from './support/person.ts';
import { type RunningServer, startServer } from './support/server.ts';

let server: RunningServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await server.discard();
});

it('an administrator makes a group, a limited role and a person, who then sees only what they may', async () => {
  const admin = await sitDown(browser, server.url);
  await admin.signIn('admin');
  await admin.page.waitForURL('**/home');

  await admin.open('Groups');
  await admin.press('Add group');
  await admin.fill('Name', 'Annex');
  await admin.choose('parent_id', 'Tower A');
  await admin.choose('domain_type_id', 'Building');
  await admin.press('Save');
  await admin.page.waitForURL(/\/groups(\?|$)/);
  await admin.told('Done');

  await admin.open('Roles');
  await admin.press('Add role');
  await admin.fill('Name', 'Annex desk');
  await admin.page.getByRole('searchbox', { name: 'Find a permission' }).fill('view users');
  await admin.page.getByRole('checkbox', { name: 'View users', exact: true }).check();
  await admin.press('Save');
  await admin.page.waitForURL(/\/roles(\?|$)/);
  await admin.told('Done');

  await admin.open('Users');
  await admin.press('Add user');
  await admin.fill('Name', 'Noor Silva');
  await admin.fill('Login', 'noor');
  await admin.fill('E-mail', 'noor@annex.example');
  await admin.choose('role', 'Annex desk');
  await admin.choose('domains', 'Annex');
  await admin.press('Save');
  await admin.page.waitForURL(/\/users(\?|$)/);
  await admin.told('Done');

  await admin.page.getByRole('searchbox').fill('noor@annex');
  await admin.page.locator('tbody tr', { hasText: 'Noor Silva' }).first().click();
  await admin.press('Actions');
  await admin.page.getByRole('menuitem', { name: 'Change password' }).click();
  await admin.field('New password').fill('Annex-2026');
  await admin.field('New password once more').fill('Annex-2026');
  await admin.page.locator('dialog[open]').getByRole('button', { name: 'Save', exact: true }).click();
  await admin.told('Done');

  const noor = await sitDown(browser, server.url);
  await noor.signIn('noor', 'Annex-2026');
  await noor.page.waitForURL('**/home');
  expect(await noor.page.getByRole('navigation').getByRole('link', { name: 'Audit' }).count()).toBe(0);
  expect(await noor.page.getByRole('navigation').getByRole('link', { name: 'Roles' }).count()).toBe(0);
  await noor.open('Groups');
  await noor.page.getByRole('treeitem').first().waitFor();
  expect(await noor.page.getByRole('treeitem').count()).toBe(1);
  await noor.sees('Annex');
  await noor.open('Users');
  await noor.page.locator('tbody tr', { hasText: 'Noor Silva' }).waitFor();
  expect(await noor.page.locator('tbody tr').count()).toBe(1);
  expect(await noor.page.getByRole('button', { name: 'Add user' }).count()).toBe(0);

  await noor.page.getByText('RU', { exact: true }).click();
  await noor.page.getByRole('heading', { name: 'Пользователи' }).waitFor();
  await noor.page.reload();
  await noor.page.getByRole('heading', { name: 'Пользователи' }).waitFor();

  await admin.open('Audit');
  await admin.page.locator('tbody tr', { hasText: 'Noor Silva' }).first().click();
  await admin.sees('Anna Keller');
  await noor.close();
  await admin.close();
});
