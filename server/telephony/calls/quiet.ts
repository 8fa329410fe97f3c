import type { Clock } from '#server/timers.ts';
import type { MediaStanding } from '../media/port.ts';

/** A leg that neither signals nor sends any more is given up after so long, ms. */
const goneAfter = 10_000;
/** One whose media is lost for good, though it signals, after so long: its own attempts to find another path have failed. */
const deadAfter = 35_000;
/** The media say so only when it was quiet for so long already. */
const silence = 4_000;

/** Watches whether the far side of a leg is still there (faults D7, D35): its socket, and its media. */
export class Quiet {
  readonly #clock: Clock;
  readonly #lost: (why: 'gone' | 'dead') => void;
  readonly #isPlain: boolean;
  #unreachable = false;
  #quiet: 'silent' | 'broken' | null = null;
  #timer: unknown = null;
  /** What the timer that runs will say. */
  #running: 'gone' | 'dead' | null = null;

  /** `isPlain`: a phone without ICE, which may fall silent by itself. */
  constructor(clock: Clock, isPlain: boolean, lost: (why: 'gone' | 'dead') => void) {
    this.#clock = clock;
    this.#isPlain = isPlain;
    this.#lost = lost;
  }

  signalling(isThere: boolean): void {
    this.#unreachable = !isThere;
    this.#look(0);
  }

  media(event: MediaStanding): void {
    const before = this.#quiet;
    if (event === 'heard' || event === 'connected') this.#quiet = null;
    else if (event === 'silent') this.#quiet ??= 'silent';
    else this.#quiet = 'broken';
    if (before !== this.#quiet) this.#look(event === 'silent' ? silence : 0);
  }

  close(): void {
    this.#clear();
    this.#quiet = null;
  }

  #clear(): void {
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer as never);
    this.#timer = null;
    this.#running = null;
  }

  #look(already: number): void {
    const why = this.#unreachable ? 'gone' : 'dead';
    const mayEnd = this.#quiet === 'broken' || (this.#quiet === 'silent' && this.#unreachable);
    if (!mayEnd || (this.#isPlain && !this.#unreachable)) return this.#clear();
    // Worse news of the same kind does not begin the wait anew.
    if (this.#running === why) return;
    this.#clear();
    this.#running = why;
    const timeout = why === 'gone' ? goneAfter : deadAfter;
    this.#timer = this.#clock.setTimeout(() => this.#lost(why), Math.max(0, timeout - already));
  }
}
