import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { barriers } from './support/barriers.ts';
import { simulated } from './support/alarms.ts';
import { openWindow } from './support/browser.ts';
import { atWork, type Person } from './support/person.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();
const rowOf = (person: Person, text: string) => person.page.locator('tbody tr', { hasText: text }).first();
const find = (person: Person, text: string) => person.page.getByRole('searchbox').first().fill(text);

it('a card is added by its decimal number, found by its HEX number, and revoked after a warning', async () => {
  const admin = await atWork(stage);
  await admin.open('Identifiers');
  await admin.press('Add identifier');
  await admin.fill('Name', 'Spare card');
  await admin.fill('Value', '3735928559');
  await admin.sees('HEX DEADBEEF');
  await admin.choose('owner', 'Boris');
  expect(await barriers(admin.page)).toEqual([]);
  await admin.press('Save');
  await admin.showsNotice('Done');
  await find(admin, 'deadbeef');
  await rowOf(admin, 'Spare card').getByText('3735928559').waitFor();
  await rowOf(admin, 'Spare card')
    .getByRole('button', { name: /Spare card/ })
    .click();
  await admin.page.getByRole('menuitem', { name: 'Revoke' }).click();
  await admin.page.getByRole('dialog').getByText('stops opening doors immediately').waitFor();
  await admin.page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await rowOf(admin, 'Spare card').getByText('Revoked').waitFor();
  await admin.close();
});

/** Holds a door's button as a thumb does. */
async function hold(page: Page, door: string): Promise<void> {
  const button = page.getByRole('button', { name: new RegExp(door) });
  await button.scrollIntoViewIfNeeded();
  const box = await button.boundingBox();
  if (!box) throw new Error(`${door} is not on the page`);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.locator('.door[data-held]').waitFor();
  await page.locator('.door[data-held]').waitFor({ state: 'detached' });
  await page.mouse.up();
}

it('a guest opens a gate from a telephone once; the second time the page says why it does not open', async () => {
  await simulated(stage, 'Main gate');
  const host = await atWork(stage);
  await host.open('Guest access');
  await host.press('Invite guest');
  await host.page.getByRole('textbox', { name: 'Guest', exact: true }).fill('Maria');
  await host.page.getByRole('checkbox', { name: /^Gates/ }).check();
  await host.press('24 hours');
  await host.page.getByRole('checkbox', { name: 'Limit the number of passes' }).check();
  await host.page.getByRole('textbox', { name: 'Passes allowed' }).fill('1');
  expect(await barriers(host.page)).toEqual([]);
  await host.page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click();
  await rowOf(host, 'Maria').getByRole('button', { name: 'Share' }).click();
  const link = await host.page.getByRole('textbox', { name: 'Link' }).inputValue();

  const telephone = await openWindow(stage.browser, stage.server.url, { width: 390, height: 844 });
  const { page } = telephone;
  const scripts: string[] = [];
  page.on('response', (response) => void (response.url().endsWith('.js') && scripts.push(new URL(response.url()).pathname)));
  await page.goto(new URL(link).pathname);
  await page.getByRole('heading', { name: 'Maria' }).waitFor();
  await page.getByText('1 pass left').waitFor();
  expect(await barriers(page)).toEqual([]);
  // What a guest is given unless the host chooses otherwise can be shown to a reader as well.
  await page.getByRole('img', { name: 'QR code for the reader' }).waitFor();
  // A page of its own: nothing of the console comes along.
  expect(scripts.map((path) => path.replace(/-[\w-]{8}\.js$/, ''))).toEqual(['/assets/guest', '/assets/code']);
  await hold(page, 'Main gate');
  await page.getByText('Main gate is open').waitFor();
  await page.getByText('All passes have been used').waitFor();
  await page.reload();
  await page.getByText('All passes have been used').waitFor();
  // A link that lost its end on the way is a guest's as well: nobody is asked to sign in.
  await page.goto(new URL(link).pathname.slice(0, -5));
  await page.getByText('This link is not valid').waitFor();
  expect(telephone.errors.filter((error) => !/410/.test(error))).toEqual([]);
  await telephone.context.close();
  await host.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await rowOf(host, 'Maria').getByText('No passes left').waitFor();
  await host.close();
});

const listOf = (rows: readonly string[][]): { name: string; mimeType: string; buffer: Buffer } => ({
  name: 'cards.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(rows.map((cells) => cells.join(';')).join('\r\n')),
});

it('cards are imported from a file: checked first, the bad row is named and fetched, a repeat finds nothing to do', async () => {
  const admin = await atWork(stage);
  const { page } = admin;
  await admin.open('Identifiers');
  const list = listOf([
    ['Type', 'Number', 'Name', 'Owner'],
    ['card', '4000000001', 'Imported one', ''],
    ['card', '4000000002', 'Imported two', ''],
    ['card', 'none', 'Imported three', ''],
  ]);
  const check = async () => {
    await admin.press('Import');
    await page.getByLabel('File', { exact: true }).setInputFiles(list);
    await page.getByRole('rowheader', { name: /^Value/ }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Value' }).inputValue()).toBe('1');
    await admin.press('Check the file');
    await page.getByRole('cell', { name: 'Enter a number or a HEX code' }).waitFor();
  };
  await check();
  expect(await barriers(page)).toEqual([]);
  const [download] = await Promise.all([page.waitForEvent('download'), admin.press('Download rows with errors')]);
  expect(download.suggestedFilename()).toBe('cards - errors.csv');
  await admin.press('Import 2 rows');
  await page.getByText('New: 2').waitFor();
  await find(admin, 'Imported two');
  await rowOf(admin, 'Imported two').waitFor();
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  await check();
  await page.getByText('all rows without errors are already up to date').waitFor();
  await admin.press('Cancel');
  await admin.close();
});
