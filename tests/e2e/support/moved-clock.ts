import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { inTime } from '#tests/support/in-time.ts';

/** Runs in the server before anything else: its clock is ahead by as many ms as the file says, and a file beside says what it shows. Timers run as they do. */
const shim = `
import { readFileSync, writeFileSync } from 'node:fs';
const Real = Date;
const file = process.env.MOVED_CLOCK;
let ahead = 0;
const read = () => {
  try {
    const asked = Number(readFileSync(file, 'utf8'));
    if (asked === ahead) return;
    ahead = asked;
    writeFileSync(file + '.shown', String(ahead));
  } catch {}
};
read();
setInterval(read, 50).unref();
globalThis.Date = new Proxy(Real, {
  construct: (target, given, self) => Reflect.construct(target, given.length > 0 ? given : [Real.now() + ahead], self),
  apply: () => new Real(Real.now() + ahead).toString(),
  get: (target, key) => (key === 'now' ? () => Real.now() + ahead : Reflect.get(target, key)),
});
`;

/** A clock of the server's own that a test moves. */
export interface MovedClock {
  /** What the server is to be started with. */
  env: Record<string, string>;
  /** What it shows, in ms since 1970. */
  now: () => number;
  /** Makes it show this moment, and waits until it does: what is asked of the server after that is asked at this moment. */
  moveTo: (moment: number) => Promise<void>;
  discard: () => void;
}

/** Makes a clock that shows a moment. */
export function movedClock(moment: number): MovedClock {
  const folder = mkdtempSync(join(tmpdir(), 'doorward-clock-'));
  const file = join(folder, 'ahead');
  let ahead = 0;
  const ask = (at: number): void => {
    ahead = Math.round(at - Date.now());
    // Renamed, since the server could read a file that is written at the moment as an empty one.
    writeFileSync(`${file}.next`, String(ahead));
    renameSync(`${file}.next`, file);
  };
  const shown = (): number => Number(readFileSync(`${file}.shown`, 'utf8'));
  ask(moment);
  return {
    env: { MOVED_CLOCK: file, NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(shim)}` },
    now: () => Date.now() + ahead,
    moveTo: async (at) => {
      ask(at);
      await expect.poll(shown, { timeout: inTime(10_000), interval: 10 }).toBe(ahead);
    },
    discard: () => rmSync(folder, { recursive: true, force: true }),
  };
}
