/** Failures within a minute before a pause: of one number from one address, and of one address with whatever numbers. */
const triesPerNumber = 5;
const triesPerAddress = 20;
const minute = 60_000;
/** Pauses double, as with sign-in, from a minute to a quarter of an hour. */
const longestPause = 15 * minute;
const mostKeys = 50_000;

interface Count {
  failures: number;
  since: number;
  pauses: number;
  until: number;
}

/**
 * Slows down who guesses passwords. It counts failures only, at once and in memory: many phones behind one address may all come
 * back in the same second, and a flood must not reach the database. Numbers are counted by address, so that nobody can lock out another.
 */
export class GuessBrake {
  readonly #now: () => number;
  readonly #counts = new Map<string, Count>();

  constructor(now: () => number) {
    this.#now = now;
  }

  #keys(number: string, address: string): [key: string, tries: number][] {
    return [
      [`${address} ${number}`, triesPerNumber],
      [address, triesPerAddress],
    ];
  }

  /** Seconds left of a pause; 0 where a try may be made. */
  wait(number: string, address: string): number {
    const until = Math.max(...this.#keys(number, address).map(([key]) => this.#counts.get(key)?.until ?? 0));
    return Math.max(0, Math.ceil((until - this.#now()) / 1_000));
  }

  failed(number: string, address: string): void {
    if (this.#counts.size > mostKeys) this.#tidy();
    for (const [key, tries] of this.#keys(number, address)) this.#fail(key, tries);
  }

  #fail(key: string, tries: number): void {
    const now = this.#now();
    const known = this.#counts.get(key);
    const count = known && now - known.since < longestPause * 2 ? known : { failures: 0, since: now, pauses: 0, until: 0 };
    if (now - count.since >= minute && now >= count.until) Object.assign(count, { failures: 0, since: now });
    count.failures += 1;
    if (count.failures >= tries) {
      count.until = now + Math.min(longestPause, minute * 2 ** count.pauses);
      Object.assign(count, { failures: 0, since: now, pauses: count.pauses + 1 });
    }
    this.#counts.set(key, count);
  }

  /** A number proved who it is. */
  succeeded(number: string, address: string): void {
    this.#counts.delete(`${address} ${number}`);
  }

  #tidy(): void {
    const now = this.#now();
    for (const [key, count] of this.#counts) if (now >= count.until && now - count.since > minute) this.#counts.delete(key);
    if (this.#counts.size > mostKeys) this.#counts.clear();
  }
}
