import type { Packet } from './rtp.ts';
import type { Heard } from './rtcp.ts';

const cycle = 2 ** 16;

/** Counts what comes from one sender, for the reports to it (RFC 3550 appendix A). */
export class Meter {
  #ssrc: number | null = null;
  #first = 0;
  #highest = 0;
  #received = 0;
  #before = { expected: 0, received: 0 };
  #jitter = 0;
  #transit: number | null = null;
  #report = { ntp: 0, at: 0 };
  /** When something came last, in ms of the process. */
  heardAt = 0;

  #late = 0;

  /** Something came that was not heard: for the sender it is lost. */
  missed(): void {
    this.heardAt = performance.now();
    this.#late += 1;
  }
  /** How many came too late since this was asked last. */
  takeLate(): number {
    const late = this.#late;
    this.#late = 0;
    return late;
  }
  note({ ssrc, sequence, timestamp }: Packet, clock: number): void {
    const now = performance.now();
    this.heardAt = now;
    if (this.#ssrc !== ssrc) this.#begin(ssrc, sequence);
    const ahead = (sequence - (this.#highest % cycle) + cycle) % cycle;
    if (ahead < cycle / 2) this.#highest += ahead;
    this.#received += 1;
    const transit = (now / 1_000) * clock - timestamp;
    // A jump is another time base, and no jitter.
    if (this.#transit !== null && Math.abs(transit - this.#transit) < clock) this.#jitter += (Math.abs(transit - this.#transit) - this.#jitter) / 16;
    this.#transit = transit;
  }
  #begin(ssrc: number, sequence: number): void {
    this.#ssrc = ssrc;
    this.#first = sequence;
    this.#highest = sequence;
    this.#received = 0;
    this.#before = { expected: 0, received: 0 };
    this.#transit = null;
    this.#jitter = 0;
  }
  get ssrc(): number | null {
    return this.#ssrc;
  }
  reported(ssrc: number, ntp: number): void {
    if (ssrc === this.#ssrc) this.#report = { ntp, at: performance.now() };
  }
  /** What there is to report since the last time; null where nothing was ever heard. */
  heard(): Heard | null {
    if (this.#ssrc === null) return null;
    const expected = this.#highest - this.#first + 1;
    const [wanted, came] = [expected - this.#before.expected, this.#received - this.#before.received];
    this.#before = { expected, received: this.#received };
    const missed = Math.max(0, wanted - came);
    return {
      ssrc: this.#ssrc,
      fraction: wanted > 0 ? Math.min(255, Math.floor((missed * 256) / wanted)) : 0,
      lost: Math.max(0, expected - this.#received),
      highest: this.#highest >>> 0,
      jitter: Math.round(this.#jitter),
      lastReport: this.#report.ntp,
      delay: this.#report.at ? Math.round(((performance.now() - this.#report.at) / 1_000) * 65_536) : 0,
    };
  }
}
