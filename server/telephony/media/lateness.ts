/** Voice that waited longer than this for us, in ms, is late: who hears it would rather have the next. */
const limit = 50;
/** How often the process looks whether it gets its turn. */
const tick = 20;

/** Less is no sleep, but the asking whether anything has come. */
const nap = 0.2;

/**
 * When this process could last read what comes: nothing that is read now waited for us since before that. A datagram does not tell when it
 * came, but a process that has fallen behind can: its turns grow long, or it does not get the processor when its timer is due.
 */
class Turns {
  #began = 0;
  #isIn = false;
  #idle = 0;
  #promptUntil = 0;
  #tickedAt = 0;
  #idleAtTick = 0;
  /** When the tick was due that came late. */
  #behindSince = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #users = 0;

  /** Is kept up to date for one more who reads. */
  join(): void {
    this.#users += 1;
    if (this.#timer) return;
    this.#tickedAt = performance.now();
    this.#timer = setInterval(() => this.#tick(), tick).unref();
  }
  leave(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
  #tick(): void {
    const now = performance.now();
    const due = this.#tickedAt + tick;
    this.#behindSince = now - due > tick ? due : Number.POSITIVE_INFINITY;
    this.#tickedAt = now;
    this.#idleAtTick = performance.eventLoopUtilization().idle;
  }
  /** How long what is read now may have waited for us at most, in ms. */
  waited(now: number): number {
    if (!this.#isIn) this.#begin(now);
    return now - this.#promptUntil;
  }
  #begin(now: number): void {
    const { idle } = performance.eventLoopUtilization();
    // Who slept was woken by what came; who did not has left it waiting through the turn before.
    const prompt = idle - this.#idle > nap ? now : this.#began;
    const behind = idle - this.#idleAtTick > nap ? now : this.#behindSince;
    this.#promptUntil = Math.min(prompt, behind, Math.max(this.#tickedAt + tick, this.#began));
    this.#idle = idle;
    this.#began = now;
    this.#isIn = true;
    setImmediate(() => (this.#isIn = false));
  }
}
/** The turns of this process. */
export const turns = new Turns();

const window = 5_000;
/** More than this is another time base of the sender. */
const jump = 2_000;

/** Knows by a sender's own clock (its RTP timestamps) how much later than usual its packets come. */
export class Punctuality {
  #ssrc: number | null = null;
  /** The quickest way of this span of time and of the one before. */
  #quickest = 0;
  #before = 0;
  #since = 0;
  readonly #waited: (now: number) => number;

  /** `waited`: how long what is read now may have waited for us at most. */
  constructor(waited: (now: number) => number = (now) => turns.waited(now)) {
    this.#waited = waited;
  }

  /** Whether a packet of voice comes too late to be of use, and through our fault: what the network was late with is passed on. */
  isLate(bytes: Buffer, clock: number, now: number): boolean {
    if (bytes.length < 12) return false;
    const way = now - (bytes.readUInt32BE(4) / clock) * 1_000;
    const ssrc = bytes.readUInt32BE(8);
    const begins = ((bytes[1] ?? 0) & 0x80) !== 0 || ssrc !== this.#ssrc;
    const usual = Math.min(this.#quickest, this.#before);
    if (begins || Math.abs(way - usual) > jump) {
      this.#ssrc = ssrc;
      this.#quickest = way;
      this.#before = way;
      this.#since = now;
      return false;
    }
    if (now - this.#since > window) {
      this.#before = this.#quickest;
      this.#quickest = way;
      this.#since = now;
    } else this.#quickest = Math.min(this.#quickest, way);
    return way - usual > limit && this.#waited(now) > limit;
  }
}
