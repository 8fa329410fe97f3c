import { randomInt } from 'node:crypto';
import type { Packet } from './rtp.ts';
import type { Sent } from './rtcp.ts';

const [sequences, timestamps] = [2 ** 16, 2 ** 32];

/** What is sent to a leg of one kind: one unbroken stream (RFC 3550), whichever of several sources it comes from at a time. */
export class Sender {
  readonly ssrc = randomInt(1, timestamps);
  readonly #send: (packet: Packet) => void;
  readonly #marksBeginning: boolean;
  #sequence = randomInt(sequences);
  #timestamp = randomInt(timestamps);
  #sentAt = 0;
  #clock = 48_000;
  #source: string | null = null;
  #shift = { sequence: 0, timestamp: 0 };
  #packets = 0;
  #bytes = 0;

  /** `marksBeginning`: the mark says that somebody begins to talk (RFC 3551 section 4.1); in pictures it says that one is complete. */
  constructor(send: (packet: Packet) => void, marksBeginning: boolean) {
    this.#send = send;
    this.#marksBeginning = marksBeginning;
  }

  /** The timestamp that fits the present moment. */
  now(clock = this.#clock): number {
    const passed = this.#sentAt === 0 ? 0 : Math.round(((performance.now() - this.#sentAt) / 1_000) * clock);
    return (this.#timestamp + passed) % timestamps;
  }
  /** What is passed on next fits on to the present moment, whatever it comes from. */
  part(): void {
    this.#source = null;
  }
  /** Passes a packet on as of type `type`; gaps and order of one source stay as they are. */
  pass(source: string, packet: Packet, type: number, clock: number): void {
    if (this.#source !== source) {
      this.#shift = {
        sequence: (this.#sequence + 1 - packet.sequence + sequences) % sequences,
        timestamp: (this.now(clock) - packet.timestamp + timestamps) % timestamps,
      };
    }
    const marker = packet.marker || (this.#marksBeginning && this.#source !== source);
    this.#source = source;
    const sequence = (packet.sequence + this.#shift.sequence) % sequences;
    this.#emit({ ...packet, ssrc: this.ssrc, type, marker, sequence, timestamp: (packet.timestamp + this.#shift.timestamp) % timestamps }, clock);
  }
  /** Sends something of our own at a timestamp of this stream. */
  insert(type: number, timestamp: number, marker: boolean, payload: Buffer, clock: number): void {
    this.#source = null;
    this.#emit({ ssrc: this.ssrc, type, marker, sequence: (this.#sequence + 1) % sequences, timestamp, payload }, clock);
  }
  #emit(packet: Packet, clock: number): void {
    // A late packet goes out late: what was latest stays so.
    if ((packet.sequence - this.#sequence + sequences) % sequences < sequences / 2) {
      this.#sequence = packet.sequence;
      if (this.#timestamp !== packet.timestamp || this.#sentAt === 0) this.#sentAt = performance.now();
      this.#timestamp = packet.timestamp;
      this.#clock = clock;
    }
    this.#packets += 1;
    this.#bytes += packet.payload.length;
    this.#send(packet);
  }
  /** What was sent until now; null when nothing was. */
  sent(): Sent | null {
    return this.#packets === 0 ? null : { ssrc: this.ssrc, timestamp: this.now(), packets: this.#packets >>> 0, bytes: this.#bytes >>> 0 };
  }
}
