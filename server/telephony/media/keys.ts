import type { Packet } from './rtp.ts';
import type { Sender } from './sender.ts';

const digits = '0123456789*#ABCD';
const step = 20;
const [endMark, volume] = [0x80, 10];
const shortest = 40;
const longest = 8_000;

/** A key that was pressed, `duration` in ms. */
export interface Key {
  digit: string;
  duration: number;
}

/** Hears keys out of telephone-event packets (RFC 4733), each once, however often its end is said. */
export class KeyEar {
  #ended: number | null = null;

  /** @returns the key that has ended with this packet */
  take({ payload, timestamp }: Packet, clock: number): Key | null {
    const [event = 255, flags = 0] = payload;
    const digit = digits[event];
    if (payload.length < 4 || digit === undefined || (flags & endMark) === 0 || this.#ended === timestamp) return null;
    this.#ended = timestamp;
    return { digit, duration: Math.round((payload.readUInt16BE(2) / clock) * 1_000) };
  }
}

/** Presses a key on a stream: packets while it is down, its end three times over. Resolves when it is up again. */
export async function pressKey(sender: Sender, { digit, duration }: Key, type: number, clock: number, isGone: () => boolean): Promise<void> {
  const event = digits.indexOf(digit.toUpperCase());
  const time = Math.max(shortest, Math.min(duration, longest));
  const timestamp = sender.now(clock);
  const say = (ms: number, isEnd: boolean, isFirst: boolean): void => {
    const payload = Buffer.from([event, (isEnd ? endMark : 0) | volume, 0, 0]);
    payload.writeUInt16BE(Math.min(0xffff, Math.round((ms / 1_000) * clock)), 2);
    sender.insert(type, timestamp, isFirst, payload, clock);
  };
  const begun = performance.now();
  for (let ms = step; ms < time && !isGone(); ms += step) {
    say(ms, false, ms === step);
    await new Promise((done) => setTimeout(done, Math.max(0, begun + ms - performance.now())));
  }
  for (let times = 0; times < 3 && !isGone(); times += 1) say(time, true, false);
}
/** Whether a character is a key of a phone. */
export const isKey = (digit: string): boolean => digit.length === 1 && digits.includes(digit.toUpperCase());
