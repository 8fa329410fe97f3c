import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { barriers } from './support/barriers.ts';
import { atWork, type Person } from './support/person.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();
const card = ({ page }: Person, name: string) => page.getByRole('region', { name });
/** Rows that have come, each with its menu; what stands in their place before has none. */
const rowsNow = ({ page }: Person) => page.locator('tbody tr', { has: page.getByRole('button', { name: 'Actions' }) });

/** Filters that a little more than so many people match. */
async function crowded(least: number): Promise<string> {
  const items: { field: string; rule: string; value: string }[] = [];
  for (const value of 'bcdefghijklmnopqrstuvwxyz') {
    items.push({ field: 'name', rule: 'begins_with', value });
    const filters = JSON.stringify({ match: 'match_any', items });
    const answer = await fetch(`${stage.server.url}/api/v0/users?size=1&filters=${encodeURIComponent(filters)}`, {
      headers: { authorization: `Bearer ${stage.token}` },
    });
    if (((await answer.json()) as { meta: { total: number } }).meta.total >= least) return filters;
  }
  throw new Error('there are not so many people');
}

/** A list of more than fifty people, all of whom are selected. */
async function selectCrowd(person: Person): Promise<void> {
  const { page } = person;
  await page.goto(`/users?filters=${encodeURIComponent(await crowded(51))}`);
  await rowsNow(person).first().waitFor();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await page.getByRole('button', { name: /^Select all \d+ matching rows$/ }).click();
}
async function choose({ page }: Person, action: string): Promise<void> {
  await page.locator('.foot-selection').getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

it('all that match get a marker by a job that is watched, taken back, and asks for a word first', async () => {
  const admin = await atWork(stage);
  const { page } = admin;
  const name = `Bulk ${crypto.randomUUID().slice(0, 8)}`;
  const made = await fetch(`${stage.server.url}/api/v0/markers`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${stage.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, color: '#336699' }),
  });
  expect(made.status).toBe(200);
  await selectCrowd(admin);
  await choose(admin, 'Add markers');
  const dialog = page.getByRole('dialog', { name: /^Add markers: \d+ users$/ });
  await dialog.getByText('You can undo this when it is done.').waitFor();
  expect(await barriers(page)).toEqual([]);
  const start = dialog.getByRole('button', { name: 'Add', exact: true });
  await start.click();
  await dialog.getByText('Type “confirm”').last().waitFor();
  await dialog.getByRole('searchbox').or(dialog.getByRole('combobox')).first().fill(name);
  await dialog.getByText(name, { exact: true }).first().click();
  await dialog.getByRole('textbox', { name: /Type “confirm”/ }).fill('Confirm');
  await start.click();
  await card(admin, 'Adding markers').getByText('Done').waitFor();
  await rowsNow(admin).first().getByText(name).waitFor();

  await card(admin, 'Adding markers').getByRole('button', { name: 'Undo' }).click();
  await card(admin, 'Undoing').getByText('Done').waitFor();
  await expect.poll(() => rowsNow(admin).first().getByText(name).count()).toBe(0);
  await card(admin, 'Undoing').getByRole('button', { name: 'Close' }).click();
  await admin.close();
});

it('the question says who is among them; what could not be done is told by row and as a file', async () => {
  const filters = JSON.stringify({ match: 'match_any', items: ['admin', 'dealer'].map((value) => ({ field: 'login', rule: 'equals', value })) });
  const admin = await atWork(stage, 'admin', { at: `/users?filters=${encodeURIComponent(filters)}` });
  const { page } = admin;
  await rowsNow(admin).first().waitFor();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await choose(admin, 'Send registration links');
  const dialog = page.getByRole('dialog', { name: 'Send registration links: 2 users' });
  await dialog.getByText('You are one of these users.').waitFor();
  await dialog.getByText(/administrator/).waitFor();
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  const job = card(admin, 'Sending registration links');
  await job.getByText('2 rows failed').click();
  await job.getByText('This user is already registered').first().waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), job.getByRole('button', { name: 'Download failed rows' }).click()]);
  expect(await readFile(await download.path(), 'utf8')).toContain('This user is already registered');
  await admin.close();
});

it('a number of rows that changed between question and start is asked about again', async () => {
  const admin = await atWork(stage);
  const { page } = admin;
  const prefix = `Crowd ${crypto.randomUUID().slice(0, 8)}`;
  const add = (name: string) =>
    fetch(`${stage.server.url}/api/v0/markers`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${stage.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name, color: '#336699' }),
    });
  for (let at = 0; at < 22; at += 1) await add(`${prefix} ${at}`);
  await page.goto(`/markers?search=${encodeURIComponent(prefix)}&size=20`);
  await rowsNow(admin).nth(19).waitFor();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await page.getByRole('button', { name: 'Select all 22 matching rows' }).click();
  await page.getByRole('button', { name: 'Delete 22 markers' }).click();
  const dialog = page.getByRole('dialog', { name: /^Delete: \d+ markers$/ });
  await dialog.getByText('This cannot be undone.').waitFor();
  await add(`${prefix} late`);
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog.getByText('It is now 23 markers').waitFor();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('No results').waitFor();
  await admin.close();
});
