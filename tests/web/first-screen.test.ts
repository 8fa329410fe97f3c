import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { afterScreen } from '#src/adapters/first-screen.ts';

/** What the page is told of files that came, as a browser tells it. */
class Observer {
  static told: () => void = () => {};
  static untold = 0;
  constructor(told: () => void) {
    Observer.told = told;
  }
  observe(): void {}
  disconnect(): void {}
  takeRecords(): unknown[] {
    return Array.from({ length: Observer.untold }, () => ({}));
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
  Observer.untold = 0;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('waits until nothing has come for 0.2 s', async () => {
  const isThere = stands();
  await vi.advanceTimersByTimeAsync(150);
  Observer.told();
  await vi.advanceTimersByTimeAsync(199);
  expect(isThere()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isThere()).toBe(true);
});

it('counts what came during a long task and is not told yet', async () => {
  const isThere = stands();
  Observer.untold = 1;
  await vi.advanceTimersByTimeAsync(200);
  Observer.untold = 0;
  expect(isThere()).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(isThere()).toBe(true);
});

it('waits 1.5 s at most: a call may be ringing', async () => {
  const isThere = stands();
  for (let at = 0; at < 14; at += 1) {
    await vi.advanceTimersByTimeAsync(100);
    Observer.told();
  }
  expect(isThere()).toBe(false);
  await vi.advanceTimersByTimeAsync(100);
  expect(isThere()).toBe(true);
});
