import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gapsIn, inBothTimes, withoutTimes } from '#server/access/interval-sets.ts';
import { type Interval, merged } from '#models/schedule-times.ts';

const longest = 40;
const interval = fc
  .tuple(fc.nat(longest), fc.nat(longest))
  .map(([one, other]): Interval => ({ from: Math.min(one, other), to: Math.max(one, other) + 1 }));
/** As the functions want them: in order and apart. */
const set = fc.array(interval, { maxLength: 6 }).map((list) => merged(list));

/** Whether a moment lies in one of them; of each interval the end does not. */
const holds = (times: readonly Interval[], at: number): boolean => times.some(({ from, to }) => from <= at && at < to);
const moments = Array.from({ length: longest + 3 }, (_, at) => at - 1);
const inOrderAndApart = (times: readonly Interval[]): boolean =>
  times.every(({ from, to }, at) => from < to && (times[at + 1]?.from ?? Infinity) > to);

/** By every moment, which is how anybody would define them. */
const agrees = (found: readonly Interval[], wanted: (at: number) => boolean): boolean =>
  moments.every((at) => holds(found, at) === wanted(at)) && inOrderAndApart(found);

describe('sets of moments', () => {
  it('have in common what lies in both', () => {
    const common = fc.property(set, set, (one, other) => agrees(inBothTimes(one, other), (at) => holds(one, at) && holds(other, at)));
    expect(fc.check(common).counterexample).toBeNull();
  });

  it('lose what lies in the other', () => {
    const rest = fc.property(set, set, (times, taken) => agrees(withoutTimes(times, taken), (at) => holds(times, at) && !holds(taken, at)));
    expect(fc.check(rest).counterexample).toBeNull();
  });

  it('leave gaps between two moments, before the first and after the last too', () => {
    const gaps = fc.property(set, interval, (times, within) => agrees(gapsIn(times, within), (at) => holds([within], at) && !holds(times, at)));
    expect(fc.check(gaps).counterexample).toBeNull();
  });
});
