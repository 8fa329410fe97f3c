import type { BlockCause, BlockedWay } from '#models/ip-blocking.ts';

const minute = 60_000;
/** Pauses double from a minute to a quarter of an hour; twice as long without a failure forgets all. */
const longestPause = 15 * minute;
const forgetAfter = 2 * longestPause;
const hour = 60 * minute;
const mostKeys = 50_000;
/** Names come from strangers; nobody's is longer. */
const longestName = 100;

/** Failures within a minute before a pause. */
export interface Limits {
  /** Of one name from one address. */
  pair: number;
  /** Of one address, whatever the names. */
  address: number;
  /** Of one name, whatever the addresses. */
  name: number;
  /** How many more of a pair in its pause are looked at, so that the right proof passes; then none before its end. */
  spare: number;
}

/** What a failure met: the seconds left of the pauses it fell into, 0 where there was none. */
export interface Failure {
  pair: number;
  address: number;
  /** The pair's pause begins with it, and nobody was told within the hour. */
  isNews: boolean;
}

/** Why something failed, where more is known than that it did. */
interface FailureCause {
  cause?: BlockCause;
  way?: BlockedWay;
}

/** A pause that an address has fallen into, and what was said of its last failure. */
export interface Pause {
  address: string;
  about: FailureCause;
  tries: number;
  since: number;
  until: number;
}

interface Count {
  failures: number;
  /** All failures since it was last forgotten, and when the first was. */
  tries: number;
  first: number;
  about: FailureCause;
  since: number;
  pauses: number;
  until: number;
  notifiedAt: number;
}

/** Counts by key, in two generations: when the young are half of what there is room for, they grow old and the old are forgotten. */
class Counts {
  #young = new Map<string, Count>();
  #old = new Map<string, Count>();

  #find(key: string): Count | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  read(key: string, now: number): Count {
    const stored = this.#find(key);
    const fresh = { failures: 0, tries: 0, first: now, about: {}, since: now, pauses: 0, until: 0, notifiedAt: -Infinity };
    if (!stored) return fresh;
    if (now - stored.since >= forgetAfter) return { ...fresh, notifiedAt: stored.notifiedAt };
    return now - stored.since >= minute && now >= stored.until ? { ...stored, failures: 0, since: now } : stored;
  }

  /** Counts a failure. @returns whether a pause begins */
  fail(key: string, tries: number, now: number, about: FailureCause): boolean {
    const count = { ...this.read(key, now), about };
    count.failures += 1;
    count.tries += 1;
    const begins = now >= count.until && count.failures >= tries;
    if (begins) {
      count.until = now + Math.min(longestPause, minute * 2 ** count.pauses);
      Object.assign(count, { failures: 0, since: now, pauses: count.pauses + 1 });
    }
    this.#store(key, count);
    return begins;
  }

  /** @returns whether it is to be told now */
  markNotified(key: string, now: number): boolean {
    const count = this.read(key, now);
    if (now - count.notifiedAt < hour) return false;
    this.#store(key, { ...count, notifiedAt: now });
    return true;
  }

  #store(key: string, count: Count): void {
    this.#old.delete(key);
    this.#young.set(key, count);
    if (this.#young.size < mostKeys / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
  }

  /** Forgets the failures; that somebody was told stays. */
  clear(key: string): void {
    const stored = this.#find(key);
    if (stored) this.#store(key, { ...stored, failures: 0, tries: 0, pauses: 0, until: 0 });
  }

  /** Whoever is in a pause, by key. */
  *paused(now: number): Generator<[string, Count]> {
    for (const [key, count] of [...this.#young, ...this.#old]) if (count.until > now) yield [key, count];
  }

  get keys(): string[] {
    return [...this.#young.keys(), ...this.#old.keys()];
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }
}

/**
 * Slows down who guesses secrets: a name from an address, never the name alone, or anybody could lock out anybody. It counts failures
 * only, in memory: many may come back in the same second, and a flood must not reach the database. Where an address fails with many
 * names, or a name from many addresses, a pair of theirs may fail but once; who has not failed is not touched by it.
 */
export class Limiter {
  readonly #limits: Limits;
  readonly #now: () => number;
  readonly #isTrusted: (address: string) => boolean;
  readonly #pairs = new Counts();
  readonly #wide = new Counts();

  /** `isTrusted`: whose failures do not count. */
  constructor(limits: Limits, now: () => number, isTrusted: (address: string) => boolean = () => false) {
    this.#isTrusted = isTrusted;
    this.#limits = limits;
    this.#now = now;
  }

  #keys(name: string, address: string): { pair: string; byAddress: string; byName: string } {
    const short = name.slice(0, longestName);
    return { pair: `${address} ${short}`, byAddress: `address ${address}`, byName: `name ${short}` };
  }

  #left(counts: Counts, key: string): number {
    const now = this.#now();
    return Math.max(0, Math.ceil((counts.read(key, now).until - now) / 1_000));
  }

  #isWide(name: string, address: string): boolean {
    const { byAddress, byName } = this.#keys(name, address);
    return this.#left(this.#wide, byAddress) > 0 || this.#left(this.#wide, byName) > 0;
  }

  /** Seconds for which nothing is looked at; 0 where a proof is. */
  closed(name: string, address: string): number {
    if (this.#isTrusted(address)) return 0;
    const { pair } = this.#keys(name, address);
    const left = this.#left(this.#pairs, pair);
    const spare = this.#isWide(name, address) ? 0 : this.#limits.spare;
    return left > 0 && this.#pairs.read(pair, this.#now()).failures >= spare ? left : 0;
  }

  failed(name: string, address: string, about: FailureCause = {}): Failure {
    if (this.#isTrusted(address)) return { pair: 0, address: 0, isNews: false };
    const now = this.#now();
    const { pair, byAddress, byName } = this.#keys(name, address);
    const met = { pair: this.#left(this.#pairs, pair), address: this.#left(this.#wide, byAddress) };
    const begins = this.#pairs.fail(pair, this.#isWide(name, address) ? 1 : this.#limits.pair, now, about);
    this.#wide.fail(byAddress, this.#limits.address, now, about);
    this.#wide.fail(byName, this.#limits.name, now, about);
    return { ...met, isNews: begins && this.#pairs.markNotified(pair, now) };
  }

  /** A name proved who it is. */
  succeeded(name: string, address: string): void {
    this.#pairs.clear(this.#keys(name, address).pair);
  }

  /** The addresses that wait, each with what it failed with in all. */
  paused(): Pause[] {
    const now = this.#now();
    const found = new Map<string, Pause>();
    for (const [key, { about, tries, first, until }] of [...this.#pairs.paused(now), ...this.#wide.paused(now)]) {
      if (key.startsWith('name ')) continue;
      // An address that fails with many names counts each failure; its names must not count it again.
      const isWide = key.startsWith('address ');
      const address = isWide ? key.slice('address '.length) : key.slice(0, key.indexOf(' '));
      const known = found.get(address);
      found.set(address, {
        address,
        about,
        tries: isWide ? Math.max(tries, known?.tries ?? 0) : tries + (known?.tries ?? 0),
        since: Math.min(first, known?.since ?? first),
        until: Math.max(until, known?.until ?? until),
      });
    }
    return [...found.values()];
  }

  /** Forgets what failed from addresses, or from all. */
  forgive(chosen: ((address: string) => boolean) | null): void {
    for (const key of this.#pairs.keys) if (!chosen || chosen(key.slice(0, key.indexOf(' ')))) this.#pairs.clear(key);
    for (const key of this.#wide.keys) {
      if (!key.startsWith('address ')) {
        if (!chosen) this.#wide.clear(key);
      } else if (!chosen || chosen(key.slice('address '.length))) this.#wide.clear(key);
    }
  }

  /** How much is remembered. */
  get size(): number {
    return this.#pairs.size + this.#wide.size;
  }
}
