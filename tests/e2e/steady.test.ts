import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { frameOf, topics } from '#models/realtime.ts';
import { tapChannel } from './support/channel.ts';
import { atWork, type Person } from './support/person.ts';
import { make } from './support/records.ts';
import { api } from './support/server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

/** What the browser observed on a page since it was asked last. */
interface Observed {
  /** The sum of all shifts, those after a click too. */
  shift: number;
  moved: string[];
  longest: number;
}
declare global {
  var observed: Observed;
}

/** Runs in the page before anything else. */
function observe(): void {
  const blank = (): Observed => ({ shift: 0, moved: [], longest: 0 });
  globalThis.observed = blank();
  interface Shift extends PerformanceEntry {
    value: number;
    sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
  }
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as Shift[]) {
      globalThis.observed.shift += value;
      for (const { node, previousRect: was, currentRect: is } of sources) {
        const element = node instanceof Element ? node : node?.parentElement;
        globalThis.observed.moved.push(
          `${element?.tagName ?? ''}.${element?.className ?? ''} ${was.x},${was.y} > ${is.x},${is.y} (${value.toFixed(4)})`,
        );
      }
    }
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.observed.longest = Math.max(globalThis.observed.longest, duration);
  }).observe({ type: 'longtask', buffered: true });
}

/** How many requests of each page are on their way. */
const underWay = new WeakMap<Page, number>();
function count(page: Page): void {
  const step = (by: number) => () => underWay.set(page, (underWay.get(page) ?? 0) + by);
  page.on('request', step(1));
  page.on('requestfinished', step(-1));
  page.on('requestfailed', step(-1));
}

/** Waits until nothing is on its way any more, and says what was observed meanwhile. */
async function settled(page: Page): Promise<Observed> {
  for (let quiet = 0; quiet < 5; quiet = (underWay.get(page) ?? 0) > 0 ? 0 : quiet + 1) await page.waitForTimeout(50);
  await page.waitForFunction(() => !document.querySelector('.bone, .skeleton, main [aria-busy=true]'));
  await page.waitForTimeout(100);
  return page.evaluate(() => {
    const seen = globalThis.observed;
    globalThis.observed = { shift: 0, moved: [], longest: 0 };
    return seen;
  });
}

const screens = ['/users', '/roles', '/groups', '/audit-events', '/home', '/profile', '/users/add'];
const entries = ['/users', '/groups', '/roles', '/audit-events', '/home', '/users'];
const watched = async (width: number): Promise<Person> => {
  const person = await atWork(stage, 'admin', { width, height: width === 390 ? 844 : 900 });
  count(person.page);
  await person.page.addInitScript(observe);
  await person.page.reload();
  await settled(person.page);
  return person;
};
/** A click by script: unlike a person's it excuses no shift that follows. */
const goTo = async (page: Page, path: string): Promise<void> => {
  const menu = page.locator('.top-menu');
  if (await menu.isVisible()) await menu.click();
  await page.locator(`.side-menu a[href="${path}"]`).evaluate((link: HTMLElement) => link.click());
  await page.waitForURL(`**${path}`);
};
const judge = (where: string, { shift, moved }: Observed): string[] => (shift > 0.01 ? [`${where}: ${shift.toFixed(3)}: ${moved.join('; ')}`] : []);

describe.each([1440, 390])('at %i px width', (width) => {
  it('nothing moves while a screen loads, whether by its address or from the menu', async () => {
    const person = await watched(width);
    const { page } = person;
    // Slow enough that what stands in for rows and words is really seen.
    await page.route('**/api/v0/**', async (route) => wait(150).then(() => route.continue()));
    const faults: string[] = [];
    for (const path of screens) {
      await page.goto(path);
      await page.locator('main > *').first().waitFor();
      faults.push(...judge(path, await settled(page)));
    }
    await page.goto('/home');
    await settled(page);
    for (const path of entries) {
      await goTo(page, path);
      faults.push(...judge(`menu ${path}`, await settled(page)));
    }
    expect(faults).toEqual([]);
    await person.close();
  });
});

it('no task holds the page longer than 200 ms while one goes from screen to screen and from page to page', async () => {
  const person = await watched(1440);
  const { page } = person;
  const faults: string[] = [];
  const judgeTask = (where: string, { longest }: Observed): void => {
    if (longest > 200) faults.push(`${where}: ${longest} ms`);
  };
  for (const path of entries) {
    await goTo(page, path);
    judgeTask(path, await settled(page));
  }
  for (let turn = 0; turn < 5; turn += 1) {
    const first = await page.locator('tbody tr').first().innerText();
    await page.locator('.foot-turn').last().click();
    await page.waitForFunction((before) => document.querySelector<HTMLElement>('tbody tr')?.innerText !== before, first);
    judgeTask(`page ${turn + 2}`, await settled(page));
  }
  expect(faults).toEqual([]);
  await person.close();
});

it('5,000 events in 5 s leave the page quick, and the last one is not lost (R6)', async () => {
  const person = await watched(1440);
  const { page } = person;
  const { sendFrame } = await tapChannel(page);
  await page.goto('/markers');
  await page.locator('tbody tr').first().waitFor();
  await settled(page);
  const { data } = (await api<{ data: { id: string }[] }>(stage.server, 'GET', '/markers', { token: stage.token })).body;
  for (let count = 0; count < 5_000; count++) {
    sendFrame(frameOf(topics.area('markers'), 'RowsChanged', { area: 'markers', ids: [data[count % data.length]?.id ?? ''] }));
    if (count % 50 === 49) await wait(50);
  }
  const name = `After the storm ${Date.now()}`;
  await make(stage, 'markers', { name, color: '#112233' });
  await page.locator('tbody tr', { hasText: name }).waitFor();
  await page.getByRole('searchbox').fill(name);
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
  expect((await settled(page)).longest).toBeLessThan(200);
  await person.close();
});
