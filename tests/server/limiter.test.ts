import { describe, expect, it } from 'vitest';
import { Limiter } from '#server/limiter.ts';

const minute = 60_000;

/** A limiter of phones and the clock it goes by. */
function limiterAt(limits = { pair: 5, address: 60, name: 60, spare: 20 }) {
  const clock = { now: 0 };
  return { clock, limiter: new Limiter(limits, () => clock.now) };
}
const fail = (limiter: Limiter, times: number, name: string, address: string): void => {
  for (let time = 0; time < times; time += 1) limiter.failed(name, address);
};

describe('a limiter', () => {
  it('closes the pair that fails, after as many more looks as it has to spare', () => {
    const { limiter } = limiterAt();
    fail(limiter, 24, '1000', 'here');
    expect(limiter.closed('1000', 'here')).toBe(0);
    expect(limiter.failed('1000', 'here').pair).toBe(60);
    expect(limiter.closed('1000', 'here')).toBe(60);
    expect([limiter.closed('1000', 'elsewhere'), limiter.closed('1001', 'here')]).toEqual([0, 0]);
  });

  it('lengthens its pauses from a minute to a quarter of an hour', () => {
    const { limiter, clock } = limiterAt({ pair: 5, address: 1_000, name: 1_000, spare: 0 });
    const pauses = [];
    for (let round = 0; round < 6; round += 1) {
      fail(limiter, 5, '1000', 'here');
      pauses.push(limiter.closed('1000', 'here') / 60);
      clock.now += limiter.closed('1000', 'here') * 1_000;
      expect(limiter.closed('1000', 'here')).toBe(0);
    }
    expect(pauses).toEqual([1, 2, 4, 8, 15, 15]);
  });

  it('keeps who guesses as fast as it may below five guesses a minute', () => {
    const { limiter, clock } = limiterAt();
    let guesses = 0;
    for (; clock.now < 120 * minute; clock.now += 1_000)
      while (limiter.closed('1000', 'here') === 0) {
        limiter.failed('1000', 'here');
        guesses += 1;
      }
    expect(guesses / 120).toBeLessThan(5);
  });

  it.each([
    ['an address fails with many names', (limiter: Limiter, at: number) => limiter.failed(`${at}`, 'here'), ['9000', 'here'], ['9000', 'elsewhere']],
    ['a name fails from many addresses', (limiter: Limiter, at: number) => limiter.failed('9000', `${at}`), ['9000', 'here'], ['9001', 'here']],
  ] satisfies [string, (limiter: Limiter, at: number) => unknown, [string, string], [string, string]][])(
    'leaves a pair one failure where %s, and who has not failed is let in',
    (_what, failing, hit, free) => {
      const { limiter } = limiterAt();
      for (let at = 0; at < 60; at += 1) failing(limiter, at);
      expect([limiter.closed(...hit), limiter.closed(...free)]).toEqual([0, 0]);
      limiter.failed(...hit);
      limiter.failed(...free);
      expect([limiter.closed(...hit), limiter.closed(...free)]).toEqual([60, 0]);
    },
  );

  it('forgets the failures of who proves, and of who was quiet for half an hour', () => {
    const { limiter, clock } = limiterAt({ pair: 5, address: 60, name: 60, spare: 0 });
    fail(limiter, 4, '1000', 'here');
    limiter.succeeded('1000', 'here');
    fail(limiter, 4, '1000', 'here');
    expect(limiter.closed('1000', 'here')).toBe(0);
    limiter.failed('1000', 'here');
    clock.now += 30 * minute;
    fail(limiter, 5, '1000', 'here');
    expect(limiter.closed('1000', 'here')).toBe(60);
  });

  it('has news of a pair once an hour', () => {
    const { limiter, clock } = limiterAt();
    let news = 0;
    for (; clock.now < 60 * minute; clock.now += 10_000) if (limiter.failed('1000', 'here').isNews) news += 1;
    expect(news).toBe(1);
    for (; clock.now < 90 * minute; clock.now += 10_000) if (limiter.failed('1000', 'here').isNews) news += 1;
    expect(news).toBe(2);
  });

  it('remembers no more than it has room for', () => {
    const { limiter } = limiterAt();
    for (let at = 0; at < 60_000; at += 1) limiter.failed(`${at}`, `${at}`);
    expect(limiter.size).toBeLessThanOrEqual(100_000);
  });
});
