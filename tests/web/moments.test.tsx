import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TextContext } from '#src/components/text.ts';
import { ClockworkContext, When } from '#src/components/when.tsx';

const start = Date.parse('2026-11-21T09:30:00.000Z');
beforeEach(() => void vi.useFakeTimers({ now: start }));
afterEach(() => void vi.useRealTimers());
const show = (at: string) =>
  render(
    <TextContext value={{ t: (key) => key, has: () => true, locale: 'en' }}>
      <ClockworkContext value={{ zoneHours: 0, zoneName: null, timeFormat: 'DD-MM-YYYY', now: Date.now }}>
        <When at={at} />
        <When at={at} exact />
      </ClockworkContext>
    </TextContext>,
  );
const words = () => screen.getAllByRole('time').map(({ textContent }) => textContent);

it('a moment that was just now is a minute ago after a minute, and an hour ago after an hour', () => {
  show(new Date(start).toISOString());
  expect(words()).toEqual(['just now', '21-11-2026 09:30:00']);
  act(() => void vi.advanceTimersByTime(65_000));
  expect(words()).toEqual(['a minute ago', '21-11-2026 09:30:00']);
  act(() => void vi.advanceTimersByTime(3_600_000));
  expect(words()).toEqual(['an hour ago', '21-11-2026 09:30:00']);
});

it('no clock runs once no moment is shown', () => {
  const { rerender } = show(new Date(start).toISOString());
  expect(vi.getTimerCount()).toBe(1);
  rerender(null);
  expect(vi.getTimerCount()).toBe(0);
});
