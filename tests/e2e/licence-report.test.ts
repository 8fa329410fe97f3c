import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { signedIn } from './support/person.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

it('an administrator reads the licence report by month, of one group, and downloads it', async () => {
  const admin = await signedIn(stage, 'admin');
  const { page } = admin;
  await admin.open('Licence report');
  const now = page.getByRole('region', { name: 'In use now' });
  await now.getByText('Virtual numbers').first().waitFor();
  const period = page.getByRole('region', { name: 'In use by period', exact: true });
  await period.getByRole('img', { name: /^Mobile apps: \d+ at most/ }).waitFor();
  const rows = period.getByRole('row');
  await rows.nth(83).waitFor();
  // Twelve weeks and the headings; a day that has begun for the person and not for the project has no figures yet.
  expect([84, 85]).toContain(await rows.count());
  await period.getByText('Estimated', { exact: true }).first().waitFor();
  await period.getByText('Counted', { exact: true }).first().waitFor();

  await page.getByLabel('By', { exact: true }).selectOption('month');
  await rows.nth(83).waitFor({ state: 'detached' });
  expect(page.url()).toContain('step=month');
  const figure = await rows.nth(1).innerText();
  await page.reload();
  await rows.nth(1).waitFor();
  expect(await rows.nth(1).innerText()).toBe(figure);

  await page.getByRole('button', { name: 'Group: Whole project' }).click();
  const choice = page.getByRole('dialog', { name: 'Group' });
  await choice.getByRole('searchbox').fill('Riverside');
  await choice.getByText('Riverside', { exact: true }).first().click();
  await page.getByRole('button', { name: 'Group: Riverside' }).waitFor();
  await now.getByRole('row').nth(1).waitFor();
  await page.getByRole('button', { name: 'Show whole project' }).click();
  await page.getByRole('button', { name: 'Group: Whole project' }).waitFor();

  const download = page.waitForEvent('download');
  await period.getByRole('button', { name: 'CSV' }).click();
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^licenses-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/);
  expect(await readFile(await file.path(), 'utf8')).toMatch(/^\ufeffFrom,To,Source,Virtual numbers: In use,/);
  expect(admin.errors).toEqual([]);
  await admin.context.close();
});

it('a person without the permission has no entry in the menu and is told so at the address', async () => {
  const concierge = await signedIn(stage, 'concierge');
  await concierge.page.goto('/reports/licenses');
  await concierge.page.getByText('You do not have access').first().waitFor();
  expect(await concierge.page.getByRole('link', { name: 'Licence report' }).count()).toBe(0);
  await concierge.context.close();
});
