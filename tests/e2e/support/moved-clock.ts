import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs in the server before anything else: its clock is ahead by as many ms as the file says. Timers run as they do. */
const shim = `
import { readFileSync } from 'node:fs';
const Real = Date;
let ahead = 0;
const read = () => { try { ahead = Number(readFileSync(process.env.MOVED_CLOCK, 'utf8')) || 0; } catch {} };
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
  /** From now on it shows this moment. */
  moveTo: (moment: number) => void;
  discard: () => void;
}

/** Makes a clock that shows a moment. */
export function movedClock(moment: number): MovedClock {
  const folder = mkdtempSync(join(tmpdir(), 'doorward-clock-'));
  const file = join(folder, 'ahead');
  let ahead = 0;
  const moveTo = (at: number): void => {
    ahead = Math.round(at - Date.now());
    writeFileSync(file, String(ahead));
  };
  moveTo(moment);
  return {
    env: { MOVED_CLOCK: file, NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(shim)}` },
    now: () => Date.now() + ahead,
    moveTo,
    discard: () => rmSync(folder, { recursive: true, force: true }),
  };
}
