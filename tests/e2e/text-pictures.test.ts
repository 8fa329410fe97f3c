import { randomUUID } from 'node:crypto';
import AxeBuilder from '@axe-core/playwright';
import { Transformer } from '@napi-rs/image';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { inTime } from '#tests/support/in-time.ts';
import { atWork } from './support/person.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();
const findings = async (page: Page): Promise<string[]> =>
  (await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 80)).join(' | ')}`);
const photo = async () => ({
  name: 'photo.png',
  mimeType: 'image/png',
  buffer: await Transformer.fromRgbaPixels(Buffer.alloc(640 * 480 * 4, 120), 640, 480).png(),
});
/** How wide a picture is that has really come, px; 0 of one that has not. */
const widthOf = (picture: Locator) =>
  expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth), { timeout: inTime(5_000) });

it('a picture in an announcement is described, read by its recipients, and shown on their screens', async () => {
  const title = `Lobby ${randomUUID().slice(0, 6)}`;
  const manager = await atWork(stage, 'manager');
  const { page } = manager;
  await page.goto('/announces/add');
  await manager.fill('Title', title);
  await page.getByRole('textbox', { name: 'Text' }).fill('This is how the lobby will look:');
  await page.getByLabel('Picture for the text').setInputFiles({ ...(await photo()), buffer: Buffer.from('<svg onload="alert(1)"/>'.padEnd(64)) });
  await page.locator('.rich-issue').waitFor();
  await page.getByLabel('Picture for the text').setInputFiles(await photo());
  const picture = page.locator('.tiptap img');
  await widthOf(picture).toBe(640);
  await picture.click();
  await page.getByRole('textbox', { name: 'What the picture shows' }).fill('The lobby, painted <b>white</b>');
  expect(await findings(page)).toEqual([]);
  await page.getByRole('checkbox', { name: 'Device screens' }).check();
  await manager.choose('domains', 'Tower B');
  await manager.press('Save');
  await page.locator('tbody tr', { hasText: title }).click();
  await manager.press('Send');
  const dialog = page.locator('dialog.modal[open]');
  await widthOf(dialog.getByRole('img', { name: 'The lobby, painted <b>white</b>' })).toBe(640);
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });

  const resident = await atWork(stage, 'resident');
  await resident.page.locator('.home-row', { hasText: title }).first().click();
  const read = resident.page.getByRole('img', { name: 'The lobby, painted <b>white</b>' });
  await widthOf(read).toBe(640);
  expect(await findings(resident.page)).toEqual([]);

  // Whatever a server sends, no more than formatting and its own pictures is drawn.
  await resident.page.route('**/api/v0/announces/token/*', async (route) => {
    const answer = await route.fetch();
    const json = (await answer.json()) as { data: { body: string } };
    json.data.body +=
      '<p onclick="alert(1)">hostile</p><svg onload="alert(1)"></svg><img src="https://e.example/x.png" onerror="alert(1)"><iframe src="/"></iframe>';
    await route.fulfill({ response: answer, json });
  });
  await resident.page.reload();
  await resident.page.getByText('hostile').waitFor();
  expect(
    await resident.page.locator('.rich-text').evaluate((text) => text.querySelectorAll('svg, iframe, [onclick], [onerror], img:not([alt])').length),
  ).toBe(0);
  expect(await resident.page.locator('.rich-text img').count()).toBe(1);

  const stager = await atWork(stage, 'admin');
  await stager.page.goto('/simulator');
  await stager.page.getByRole('searchbox', { name: 'Find a device' }).fill('Monitor B 22');
  await stager.page.locator('.simulator-row', { hasText: 'Monitor B 22' }).first().click();
  const screen = stager.page.getByRole('region', { name: 'On the screen' });
  await screen.getByRole('heading', { name: title }).waitFor({ timeout: inTime(30_000) });
  await widthOf(screen.locator('img')).toBe(640);
  for (const one of [manager, resident, stager]) await one.close();
}, 180_000);

it('pictures go with a message, are taken off before, and come to the other side live', async () => {
  const subject = `Leak ${randomUUID().slice(0, 6)}`;
  const [resident, desk] = [await atWork(stage, 'resident'), await atWork(stage, 'concierge')];
  const { page } = resident;
  await page.getByRole('link', { name: 'Message the front desk' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('listitem').filter({ hasText: 'Marcus Webb' }).first().waitFor();
  await dialog.getByRole('textbox', { name: 'Subject', exact: true }).fill(subject);
  await dialog.getByRole('textbox', { name: 'Message', exact: true }).fill('Water comes through the ceiling');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await page.getByLabel('Picture to attach').setInputFiles(await photo());
  await page.getByRole('img', { name: 'Attached picture 1' }).waitFor();
  await page.getByLabel('Picture to attach').setInputFiles(await photo());
  await page.getByRole('button', { name: 'Remove attached picture 2' }).click();
  // What is attached stays over a reload, as what is typed does.
  await page.reload();
  await widthOf(page.getByRole('img', { name: 'Attached picture 1' })).toBe(640);
  expect(await findings(page)).toEqual([]);
  await desk.page.goto('/conversations');
  await desk.page.getByRole('link', { name: subject }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await widthOf(desk.page.locator('.talk-pictures img')).toBe(640);
  await desk.page.locator('.talk-line', { hasText: subject }).getByText('1 picture').waitFor();
  expect(await findings(desk.page)).toEqual([]);
  await resident.close();
  await desk.close();
}, 180_000);
