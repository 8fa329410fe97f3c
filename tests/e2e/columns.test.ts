import { expect, it } from 'vitest';
import { atWork } from './support/person.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

it('columns are as wide as somebody dragged them, also after a reload; a double click restores them', async () => {
  const admin = await atWork(stage);
  const { page } = admin;
  await page.goto('/users');
  const head = (name: string) => page.getByRole('columnheader', { name, exact: true });
  const widthOf = async (name: string): Promise<number> => Math.round((await head(name).boundingBox())?.width ?? 0);
  const line = page.getByRole('separator', { name: 'Width of Login', exact: true });
  await line.waitFor();
  const before = await widthOf('Login');
  const others = await Promise.all(['Name', 'Groups'].map(widthOf));
  const box = await line.boundingBox();
  if (!box) throw new Error('the line has no place');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 30, y, { steps: 3 });
  await page.mouse.up();
  await expect.poll(async () => Math.abs((await widthOf('Login')) - before - 30)).toBeLessThanOrEqual(2);
  const held = await Promise.all(['Name', 'Groups'].map(widthOf));
  expect(held.map((width, at) => Math.abs(width - (others[at] ?? 0)))).toEqual(held.map(() => expect.toSatisfy((off: number) => off <= 2)));

  await page.reload();
  await line.waitFor();
  await expect.poll(async () => Math.abs((await widthOf('Login')) - before - 30)).toBeLessThanOrEqual(2);
  await line.focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(async () => Math.abs((await widthOf('Login')) - before - 14)).toBeLessThanOrEqual(2);
  await line.dblclick();
  await expect.poll(() => widthOf('Login')).toBe(before);

  // On a phone rows are cards: there is nothing to drag.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.getByRole('separator', { name: /^Width of/ }).count()).toBe(0);
  await admin.close();
});
