import { expect, it } from 'vitest';
import { barriers } from './support/barriers.ts';
import { atWork } from './support/person.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

it('pages are gone to by number', async () => {
  const admin = await atWork(stage, 'admin', { at: '/users' });
  const { page } = admin;
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await pages.getByRole('button', { name: 'Page 1', exact: true, disabled: false }).waitFor();
  const last = pages.getByRole('button', { name: /^Page \d+$/ }).last();
  const number = (await last.textContent()) ?? '';
  await last.click();
  await page.waitForURL(`**/users?**page=${number}**`);
  await pages.locator('[aria-current="page"]', { hasText: number }).waitFor();
  expect(await pages.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
  await pages.getByRole('button', { name: 'Page 1', exact: true }).click();
  await pages.locator('[aria-current="page"]', { hasText: /^1$/ }).waitFor();
  await admin.close();
});

it('on a phone the order is chosen from a list', async () => {
  const admin = await atWork(stage, 'admin', { at: '/users', width: 390, height: 844 });
  const { page } = admin;
  const sort = page.getByRole('combobox', { name: 'Sorted by' });
  await sort.waitFor();
  expect(await sort.inputValue()).toBe('name');
  const first = page.locator('tbody tr').first();
  const before = await first.textContent();
  await sort.selectOption('-name');
  await page.waitForURL('**sort=-name**');
  await expect.poll(() => first.textContent()).not.toBe(before);
  expect(await barriers(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await admin.close();
});
