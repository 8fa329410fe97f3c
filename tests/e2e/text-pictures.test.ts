import { randomUUID } from 'node:crypto';
import { Transformer } from '@napi-rs/image';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { inTime } from '#tests/support/in-time.ts';
import { barriers } from './support/barriers.ts';
import { atWork } from './support/person.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();
const photo = async () => ({
  name: 'photo.png',
  mimeType: 'image/png',
  buffer: await Transformer.fromRgbaPixels(Buffer.alloc(640 * 480 * 4, 120), 640, 480).png(),
});
/** Waits until a picture has really come. */
async function hasCome(picture: Locator): Promise<void> {
  await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth), { timeout: inTime(5_000) }).toBe(640);
}

it('a picture in an announcement is described, read by its recipients, and shown on their screens', async () => {
  const title = `Lobby ${randomUUID().slice(0, 6)}`;
  const manager = await atWork(stage, 'manager', { at: '/announces/add' });
  const { page } = manager;
  await manager.fill('Title', title);
  await page.getByRole('textbox', { name: 'Text' }).fill('This is how the lobby will look:');
  await page.getByLabel('Picture for the text').setInputFiles({ ...(await photo()), buffer: Buffer.from('<svg onload="alert(1)"/>'.padEnd(64)) });
  await page.locator('.rich-issue').waitFor();
  await page.getByLabel('Picture for the text').setInputFiles(await photo());
  const picture = page.locator('.tiptap img');
  await hasCome(picture);
  await picture.click();
  await page.getByRole('textbox', { name: 'What the picture shows' }).fill('The lobby, painted <b>white</b>');
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('checkbox', { name: 'Device screens' }).check();
  await manager.choose('domains', 'Tower B');
  await manager.press('Save');
  await page.locator('tbody tr', { hasText: title }).click();
  await manager.press('Send');
  const dialog = page.locator('dialog.modal[open]');
  await hasCome(dialog.getByRole('img', { name: 'The lobby, painted <b>white</b>' }));
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });

  const resident = await atWork(stage, 'resident');
  await resident.page.getByRole('link', { name: title }).click();
  const read = resident.page.getByRole('img', { name: 'The lobby, painted <b>white</b>' });
  await hasCome(read);
  expect(await barriers(resident.page)).toEqual([]);

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

  await resident.page.unrouteAll({ behavior: 'ignoreErrors' });
  // The browser says of each handler that it was not run; nothing else may have gone wrong.
  expect(resident.errors.filter((error) => !error.startsWith('Executing inline event handler violates'))).toEqual([]);
  await resident.context.close();

  const stager = await atWork(stage, 'admin', { at: '/simulator' });
  await stager.page.getByRole('searchbox', { name: 'Find a device' }).fill('Monitor B 22');
  await stager.page.locator('.simulator-row', { hasText: 'Monitor B 22' }).first().click();
  const screen = stager.page.getByRole('region', { name: 'On the screen' });
  await screen.getByRole('heading', { name: title }).waitFor({ timeout: inTime(30_000) });
  await hasCome(screen.locator('img'));
  for (const one of [manager, stager]) await one.close();
});

it('pictures go with a message, are taken off before, and come to the other side live', async () => {
  const subject = `Leak ${randomUUID().slice(0, 6)}`;
  const [resident, desk] = [await atWork(stage, 'resident'), await atWork(stage, 'concierge')];
  const { page } = resident;
  await page.getByRole('link', { name: 'Message the front desk' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('listitem').filter({ hasText: 'Marcus Webb' }).first().waitFor();
  await dialog.getByRole('textbox', { name: 'Subject', exact: true }).fill(subject);
  // A picture says enough to begin with.
  await dialog.getByLabel('Picture to attach').setInputFiles(await photo());
  await hasCome(dialog.getByRole('img', { name: 'Attached picture 1' }));
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Send' }).click();
  await hasCome(page.locator('.talk-pictures img'));
  await page.getByLabel('Picture to attach').setInputFiles(await photo());
  await page.getByRole('img', { name: 'Attached picture 1' }).waitFor();
  await page.getByLabel('Picture to attach').setInputFiles(await photo());
  await page.getByRole('button', { name: 'Remove attached picture 2' }).click();
  // What is attached stays over a reload, as what is typed does.
  await page.reload();
  await hasCome(page.getByRole('img', { name: 'Attached picture 1' }));
  expect(await barriers(page)).toEqual([]);
  await desk.page.goto('/conversations');
  await desk.page.getByRole('link', { name: subject }).click();
  await hasCome(desk.page.locator('.talk-pictures img'));
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await hasCome(desk.page.locator('.talk-pictures img').nth(1));
  await desk.page.locator('.talk-line', { hasText: subject }).getByText('1 picture').waitFor();
  expect(await barriers(desk.page)).toEqual([]);
  await resident.close();
  await desk.close();
});
