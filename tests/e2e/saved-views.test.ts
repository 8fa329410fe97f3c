import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { atWork } from './support/person.ts';
import { api } from './support/server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

it('a list as somebody has arranged it is kept, stands in the menu, and reaches those with whose role it is shared', async () => {
  // A try that is repeated meets no view of the one before.
  const name = `Panels ${randomUUID().slice(0, 6)}`;
  const anna = await atWork(stage, 'admin', { at: '/devices?search=gate&sort=-name', width: 1280, height: 720 });
  const { page } = anna;
  await page.locator('tbody tr', { hasText: 'gate' }).first().waitFor();
  await anna.press('Views');
  await anna.press('Save this view…');
  await anna.press('Save');
  await anna.sees('Required');
  await anna.fill('Name', name);
  await page.getByRole('checkbox', { name: 'Show in the menu' }).check();
  await anna.press('Share with a role');
  const sheet = page.locator('dialog.sheet[open]');
  await sheet.getByRole('searchbox').fill('Concierge');
  await sheet
    .locator('.sheet-line', { hasText: /^Concierge/ })
    .first()
    .click();
  await page.locator('dialog.modal[open]').getByRole('button', { name: 'Save', exact: true }).click();
  await anna.showsNotice('Done');
  const menu = page.getByRole('navigation', { name: 'Menu' });
  await menu.getByRole('link', { name, exact: true }).waitFor();
  await anna.open('Home');
  await page.waitForURL('**/home**');
  await menu.getByRole('link', { name, exact: true }).click();
  await page.waitForURL(
    (url) => url.pathname === '/devices' && url.searchParams.get('search') === 'gate' && url.searchParams.get('sort') === '-name',
  );
  await menu.locator('a[aria-current="page"]', { hasText: name }).waitFor();

  const marcus = await atWork(stage, 'concierge');
  await marcus.page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name, exact: true }).click();
  await marcus.page.waitForURL((url) => url.pathname === '/devices' && url.searchParams.get('search') === 'gate');
  await marcus.press('Views');
  const views = marcus.page.getByRole('dialog', { name: 'Views' });
  await views.getByText(name).waitFor();
  // Others use it; its owner alone takes it away.
  expect(await views.getByRole('button', { name: `Delete “${name}”` }).count()).toBe(0);
  await marcus.close();

  await anna.press('Views');
  await page.getByRole('button', { name: `Delete “${name}”` }).click();
  await menu.getByRole('link', { name, exact: true }).waitFor({ state: 'detached' });
  await anna.close();
});

it('a link to a log shows the same later, whatever has been written since', async () => {
  const anna = await atWork(stage, 'admin', { at: '/audit-events', width: 1280, height: 720 });
  const { page } = anna;
  await page.locator('tbody tr').first().waitFor();
  await anna.press('Views');
  await anna.press('Link to this view…');
  const href = await page.getByRole('textbox', { name: 'Link to this view' }).inputValue();
  await page.locator('dialog.modal[open]').getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.goto(href);
  const some = page.getByRole('button', { name: /^Export [1-9]/ });
  await some.waitFor();
  const before = await some.innerText();
  const login = { login: 'concierge', password: 'Doorward-2026' };
  // Signing in is an entry of the trail.
  await api(stage.server, 'POST', '/login', { body: login });
  await page.goto('/audit-events');
  await some.waitFor();
  expect(await some.innerText()).not.toBe(before);
  await page.goto(href);
  await page.getByRole('button', { name: before, exact: true }).waitFor();
  await anna.close();
});
