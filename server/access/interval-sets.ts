import { type Interval, merged } from '#models/schedule-times.ts';

// Sets of moments as intervals in order and apart from each other.

/** What lies in both. */
export function inBothTimes(one: readonly Interval[], other: readonly Interval[]): Interval[] {
  return merged(
    one.flatMap((mine) =>
      other.flatMap((theirs) => {
        const [from, to] = [Math.max(mine.from, theirs.from), Math.min(mine.to, theirs.to)];
        return from < to ? [{ from, to }] : [];
      }),
    ),
  );
}

/** What lies in none of them, between two moments. */
export function gapsIn(times: readonly Interval[], { from, to }: Interval): Interval[] {
  const gaps: Interval[] = [];
  let at = from;
  for (const time of merged(times)) {
    if (time.from > at) gaps.push({ from: at, to: Math.min(time.from, to) });
    at = Math.max(at, time.to);
  }
  gaps.push({ from: at, to });
  return gaps.filter((gap) => gap.from < gap.to);
}

/** What lies in the first and not in the second. */
export const withoutTimes = (times: readonly Interval[], taken: readonly Interval[]): Interval[] => times.flatMap((time) => gapsIn(taken, time));
