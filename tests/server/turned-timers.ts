import type { Timer, Timers } from '#server/timers.ts';

interface Waiting {
  due: number;
  run: () => void;
  /** Again and again after so many ms. */
  again: number | null;
  real?: NodeJS.Timeout;
}

/**
 * Timers that run by themselves, and that a test can turn on by so many ms: what is due by then happens at once, in order, and what repeats happens
 * once, as after a computer has slept.
 */
export function turnedTimers(): { timers: Timers; pass: (ms: number) => void } {
  let shift = 0;
  const waiting = new Set<Waiting>();
  const now = (): number => performance.now() + shift;
  const arm = (one: Waiting): void => {
    one.real = setTimeout(happen, Math.max(0, one.due - now()), one).unref();
  };
  const happen = (one: Waiting): void => {
    if (one.again === null) waiting.delete(one);
    else {
      one.due = now() + one.again;
      arm(one);
    }
    one.run();
  };
  const add = (ms: number, run: () => void, again: number | null): Timer => {
    const one: Waiting = { due: now() + ms, run, again };
    waiting.add(one);
    arm(one);
    return {
      cancel: () => {
        waiting.delete(one);
        clearTimeout(one.real);
      },
    };
  };
  const timers: Timers = {
    after: (ms, run) => add(ms, run, null),
    every: (ms, run) => add(ms, run, ms),
    pause: (ms, signal) =>
      new Promise((done) => {
        if (signal?.aborted) return done();
        const timer = add(ms, done, null);
        signal?.addEventListener('abort', () => (timer.cancel(), done()), { once: true });
      }),
  };
  return {
    timers,
    pass: (ms) => {
      shift += ms;
      // Back again: what waits has as long to wait as before.
      if (ms < 0) for (const one of waiting) one.due += ms;
      for (const one of waiting) clearTimeout(one.real);
      const due = [...waiting].filter((one) => one.due <= now()).toSorted((a, b) => a.due - b.due);
      for (const one of waiting) if (!due.includes(one)) arm(one);
      // One that runs may take another back.
      for (const one of due) if (waiting.has(one)) happen(one);
    },
  };
}
