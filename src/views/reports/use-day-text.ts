import { useCallback, useContext } from 'react';
import { writeDay } from '#src/components/day-text.ts';
import { ClockworkContext } from '#src/components/when.tsx';
import { asLocal } from './report-address.ts';

/** Days in the person's order: one, one without its year, and from one to another. */
export function useDayText() {
  const { timeFormat } = useContext(ClockworkContext);
  const whole = useCallback((day: string): string => writeDay(asLocal(day), timeFormat, false), [timeFormat]);
  const short = useCallback(
    (day: string): string =>
      whole(day)
        .replace(/-?\d{4}-?/, '')
        .replace('-', timeFormat.startsWith('DD') ? '.' : '/'),
    [whole, timeFormat],
  );
  const span = useCallback(
    ({ from, to }: { from: string; to: string }): string => (from === to ? whole(from) : `${whole(from)} – ${whole(to)}`),
    [whole],
  );
  return { short, span };
}
