import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SharedTextContext } from '#src/components/shared-text.ts';
import { ClockworkContext, When } from '#src/components/when.tsx';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

const start = Date.parse('2026-11-21T09:30:00.000Z');
const host = document.createElement('div');
let root = createRoot(host);
beforeEach(() => {
  vi.useFakeTimers({ now: start });
  root = createRoot(host);
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.useRealTimers();
});
const show = (at: string) =>
  act(async () =>
    root.render(
      <SharedTextContext value={{ t: (key) => key, has: () => true, locale: 'en' }}>
        <ClockworkContext value={{ zoneHours: 0, zoneName: null, timeFormat: 'DD-MM-YYYY', now: Date.now }}>
          <When at={at} />
          <When at={at} exact />
        </ClockworkContext>
      </SharedTextContext>,
    ),
  );
const words = () => [...host.querySelectorAll('time')].map(({ textContent }) => textContent);

it('a moment that was just now is a minute ago after a minute, and an hour ago after an hour', async () => {
  await show(new Date(start).toISOString());
  expect(words()).toEqual(['just now', '21-11-2026 09:30:00']);
  await act(async () => vi.advanceTimersByTime(65_000));
  expect(words()).toEqual(['a minute ago', '21-11-2026 09:30:00']);
  await act(async () => vi.advanceTimersByTime(3_600_000));
  expect(words()).toEqual(['an hour ago', '21-11-2026 09:30:00']);
});

it('no clock runs once no moment is shown', async () => {
  await show(new Date(start).toISOString());
  expect(vi.getTimerCount()).toBe(1);
  await act(async () => root.render(null));
  expect(vi.getTimerCount()).toBe(0);
});
