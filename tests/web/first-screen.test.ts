import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { afterScreen } from '#src/adapters/first-screen.ts';

vi.unmock('#src/adapters/first-screen.ts');

/** What the page is told of files that came, as a browser tells it. */
class Observer {
  static notifyEntries: () => void = () => {};
  static pending = 0;
  constructor(callback: () => void) {
    Observer.notifyEntries = callback;
  }
  observe(): void {}
  disconnect(): void {}
  takeRecords(): unknown[] {
    return Array.from({ length: Observer.pending }, () => ({}));
  }
}
const stands = (): (() => boolean) => {
  let isThere = false;
  void afterScreen().then(() => (isThere = true));
  return () => isThere;
};
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('PerformanceObserver', Observer);
  Observer.pending = 0;
  document.body.innerHTML = '<main></main>';
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('waits until nothing has come for 0.2 s', async () => {
  const isThere = stands();
  await vi.advanceTimersByTimeAsync(150);
  Observer.notifyEntries();
  await vi.advanceTimersByTimeAsync(199);
  expect(isThere()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isThere()).toBe(true);
});

it('counts what came during a long task and is not told yet', async () => {
  const isThere = stands();
  Observer.pending = 1;
  await vi.advanceTimersByTimeAsync(200);
  Observer.pending = 0;
  expect(isThere()).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(isThere()).toBe(true);
});

it.each([
  ['there is no screen yet', ''],
  ['it shows where rows will be', '<main><span class="bone"></span></main>'],
  ['it is at work', '<main><table aria-busy="true"></table></main>'],
])('waits while %s, however long nothing comes', async (_, html) => {
  document.body.innerHTML = html;
  const isThere = stands();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(isThere()).toBe(false);
  document.body.innerHTML = '<main><table></table></main>';
  await vi.advanceTimersByTimeAsync(200);
  expect(isThere()).toBe(true);
});

it('waits 6 s at most: a call may be ringing', async () => {
  const isThere = stands();
  for (let at = 0; at < 59; at += 1) {
    await vi.advanceTimersByTimeAsync(100);
    Observer.notifyEntries();
  }
  expect(isThere()).toBe(false);
  await vi.advanceTimersByTimeAsync(100);
  expect(isThere()).toBe(true);
});

it('does not wait for what comes only after the screen, whose place is marked', async () => {
  document.body.innerHTML = '<main><div data-later=""><span class="bone"></span></div></main>';
  const isThere = stands();
  await vi.advanceTimersByTimeAsync(200);
  expect(isThere()).toBe(true);
});
