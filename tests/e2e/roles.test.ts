import { expect, it } from 'vitest';
import { atWork } from './support/person.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

it('a role is previewed: its menu, routes and actions, nothing written, and the way back always at hand', async () => {
  const admin = await atWork(stage);
  const { page } = admin;
  const link = (name: string) => page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name, exact: true });
  await page.goto('/users');
  await page.getByRole('button', { name: 'Add user', exact: true }).waitFor();
  await admin.open('Roles');
  await page.locator('tbody tr', { hasText: 'Concierge' }).first().click();
  await admin.press('Actions');
  await page.getByRole('menuitem', { name: 'View as this role' }).click();
  const dialog = page.getByRole('dialog', { name: /View as “/ });
  await dialog.getByRole('checkbox', { name: 'Telephony' }).uncheck();
  await dialog.getByRole('button', { name: 'View', exact: true }).click();
  await page.waitForURL('**/home');

  const banner = page.getByRole('status', { name: 'Role preview' });
  await banner.getByText('Nothing can be changed').waitFor();
  await link('Users').waitFor();
  expect(await Promise.all(['Roles', 'Audit log', 'General settings', 'Virtual numbers'].map((name) => link(name).count()))).toEqual([0, 0, 0, 0]);
  await admin.open('Users');
  await page.locator('tbody tr').first().waitFor();
  expect(await page.getByRole('button', { name: 'Add user', exact: true }).count()).toBe(0);

  // Of one's own record something may be changed in any role: the server is not asked.
  const writes: string[] = [];
  page.on('request', (request) => void (request.method() !== 'GET' && writes.push(request.url())));
  await page.locator('.person-button').click();
  await page.getByRole('link', { name: 'Profile' }).click();
  await admin.fill('Name', 'Somebody else');
  await admin.press('Save changes');
  await admin.sees('so nothing can be changed');
  expect(writes).toEqual([]);

  await banner.getByRole('button', { name: 'Licensed features' }).click();
  const change = page.getByRole('dialog', { name: /View as “/ });
  expect(await change.getByRole('checkbox', { name: 'Telephony' }).isChecked()).toBe(false);
  await change.getByRole('checkbox', { name: 'Telephony' }).check();
  await change.getByRole('button', { name: 'Apply' }).click();
  await link('Virtual numbers').waitFor();

  await banner.getByRole('button', { name: 'Stop viewing' }).click();
  await banner.waitFor({ state: 'detached' });
  await link('Roles').waitFor();
  await page.reload();
  await link('Roles').waitFor();
  await admin.close();
});

it('a page that the previewed role may not open says so, and a reload ends the preview', async () => {
  const admin = await atWork(stage, 'admin', { at: '/audit-events' });
  const { page } = admin;
  await admin.open('Roles');
  const row = page.locator('tbody tr', { hasText: 'Resident' }).first();
  await row.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'View as this role' }).click();
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await page.waitForURL('**/home');
  await page.getByRole('status', { name: 'Role preview' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor();
  await page.goBack();
  await admin.sees('You do not have access to this page');
  await page.reload();
  await page.locator('.audit-item, tbody tr').first().waitFor();
  expect(await page.getByRole('status', { name: 'Role preview' }).count()).toBe(0);
  await admin.close();
});

it('a role is duplicated: the form is filled in, and saving makes a new one', async () => {
  const admin = await atWork(stage, 'admin', { at: '/roles' });
  const { page } = admin;
  const row = page.locator('tbody tr', { hasText: 'Concierge' }).first();
  await row.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await page.waitForURL('**/roles/add**');
  const name = admin.field('Name');
  await expect.poll(() => name.inputValue()).toMatch(/^.*Concierge.* \(copy\)$/);
  const own = `Night desk ${crypto.randomUUID().slice(0, 8)}`;
  await name.fill(own);
  await admin.press('Save');
  await admin.showsNotice('Done');
  await page.waitForURL((url) => url.pathname === '/roles');
  await page.locator('tbody tr', { hasText: own }).click();
  await page.waitForURL(/\/roles\/[\w-]{36}/);
  await page.getByRole('button', { name: 'Actions', exact: true }).waitFor();
  await admin.press('Actions');
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect.poll(() => name.inputValue()).toBe(`${own} (copy)`);
  await admin.press('Cancel');
  await page.getByRole('button', { name: 'Leave' }).click();
  await admin.close();
});

it('two roles are compared: selected in the list, only what differs, then all, kept by the address', async () => {
  const admin = await atWork(stage, 'admin', { at: '/roles' });
  const { page } = admin;
  await page.getByRole('checkbox', { name: 'Select Concierge' }).check();
  await page.getByRole('checkbox', { name: 'Select Resident' }).check();
  await admin.press('Compare');
  await page.getByText(/^\d+ permissions differ$/).waitFor();
  const heads = page.getByRole('columnheader');
  expect(await heads.getByRole('link').allTextContents()).toEqual(['Concierge', 'Resident']);
  const lines = page.getByRole('table').getByRole('row');
  const differing = await lines.count();
  await page.getByRole('checkbox', { name: 'Only differences' }).click();
  await expect.poll(() => lines.count()).toBeGreaterThan(differing);
  await page.reload();
  await page.getByRole('columnheader').first().waitFor();
  expect(await page.getByRole('checkbox', { name: 'Only differences' }).isChecked()).toBe(false);
  expect(await heads.getByRole('link').allTextContents()).toEqual(['Concierge', 'Resident']);
  await admin.press('New role from Resident');
  await expect.poll(() => admin.field('Name').inputValue()).toBe('Resident (copy)');
  await admin.close();
});
