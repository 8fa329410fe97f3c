import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { constants } from '#models/constants.ts';
import { goTo } from './support/looks.ts';
import { atWork } from './support/person.ts';
import { api } from './support/server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();
const lists = `/users /roles /markers /group-types /audit-events /announces /amenities /amenities/reservations /emergency-alerts /devices
  /devices/events /devices/tasks /devices/alarms /devices/alarms-calls /virtual-numbers /call-history /sip-trunks /forward-rules /guest-access
  /schedules /access-rules /identifiers /ukey2 /access-control/events /elevators /elevators/events /elevators/access-rules`.split(/\s+/);

it('columns are as wide as somebody dragged them, also after a reload; a double click restores them', async () => {
  const admin = await atWork(stage, 'admin', { at: '/users' });
  const { page } = admin;
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

/** What nobody should meet in a table: rows wider than their frame, words broken in heads, states and moments, states that leave their cell. */
const faultsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const frame = document.querySelector('.table-frame');
    if (!frame) return ['no table'];
    const beyond = (frame.querySelector('table')?.offsetWidth ?? 0) - frame.clientWidth;
    const faults = beyond > 0 ? [`${beyond} px too wide`] : [];
    for (const part of frame.querySelectorAll<HTMLElement>('th[data-column], td .tag, td time')) {
      const cell = part.closest('td, th')?.getBoundingClientRect();
      if (part.matches('.tag') && part.getBoundingClientRect().right > (cell?.right ?? 0)) faults.push(`"${part.innerText}" leaves its cell`);
      const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode())
        for (const { 0: word, index } of (text.textContent ?? '').matchAll(/[^\s–-]+/g)) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) faults.push(`"${word}" is broken`);
        }
    }
    return faults;
  });

it('no list breaks a word of a head or a state or hides the menus of its rows, in Russian on a small desk and on a tablet', async () => {
  const admin = await atWork(stage, 'admin', { locale: 'ru-RU', width: 1280, height: 720 });
  const { page } = admin;
  await page.getByRole('button', { name: 'Русский' }).click();
  await page.getByRole('heading', { name: 'Главная' }).waitFor();
  for (const list of lists) {
    await goTo(page, list);
    for (const width of [1280, 1024, 768]) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => faultsOf(page), { message: `${list} at ${width} px` }).toEqual([]);
    }
  }
  await admin.close();
});

it('names without a space, as long as names may be, leave lists within their frame', async () => {
  const long = 'Ы'.repeat(constants.nameLength.max);
  const renamed = async (area: string): Promise<void> => {
    const { body } = await api<{ data: { id: string }[] }>(stage.server, 'GET', `/${area}`, { token: stage.token });
    const [first] = body.data;
    const { status } = await api(stage.server, 'PATCH', `/${area}/${first?.id}`, { token: stage.token, body: { name: long } });
    if (status !== 200) throw new Error(`${area}: ${status}`);
  };
  for (const area of ['devices', 'users', 'groups', 'roles']) await renamed(area);
  const admin = await atWork(stage);
  const { page } = admin;
  for (const list of ['/devices', '/users', '/roles', '/devices/events']) {
    await goTo(page, list);
    await page.locator('tbody tr').first().waitFor();
    for (const width of [1440, 1280, 768, 390]) {
      await page.setViewportSize({ width, height: 900 });
      // On a phone rows are cards, in which words may break.
      const seen = async () => [
        await page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)),
        ...(width === 390 ? [] : await faultsOf(page)),
      ];
      await expect.poll(seen, { message: `${list} at ${width} px` }).toEqual([0]);
    }
  }
  await admin.close();
});
