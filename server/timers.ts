import { setTimeout as pause } from 'node:timers/promises';

/** Something that is going to happen, and how it is taken back. */
export interface Timer {
  cancel: () => void;
}

/** How the server waits: for its own work, not for a peer's answer. Times in ms; nothing of it keeps a process alive. Tests turn it on with the clock. */
export interface Timers {
  after: (ms: number, run: () => void) => Timer;
  every: (ms: number, run: () => void) => Timer;
  /** Resolves after so long, or as soon as the signal says so. */
  pause: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Timers as charts want them. */
export interface Clock {
  setTimeout: (run: () => void, ms: number) => unknown;
  clearTimeout: (id: never) => void;
}

export const clockOf = ({ after }: Timers): Clock => ({
  setTimeout: (run, ms) => after(ms, run),
  clearTimeout: (timer: Timer | null) => timer?.cancel(),
});

/** Those of the machine. */
export const systemTimers: Timers = {
  after: (ms, run) => {
    const timer = setTimeout(run, ms).unref();
    return { cancel: () => clearTimeout(timer) };
  },
  every: (ms, run) => {
    const timer = setInterval(run, ms).unref();
    return { cancel: () => clearInterval(timer) };
  },
  pause: (ms, signal) => pause(ms, undefined, { ref: false, ...(signal && { signal }) }).catch(() => undefined),
};
