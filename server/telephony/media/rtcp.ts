/** What a receiver says of one sender it hears (RFC 3550 section 6.4.1). */
export interface Heard {
  ssrc: number;
  /** Lost of 256 since the last report. */
  fraction: number;
  lost: number;
  highest: number;
  jitter: number;
  /** Middle of the sender's last NTP time, and how long ago that came, in 1/65536 s. */
  lastReport: number;
  delay: number;
}
export interface Sent {
  ssrc: number;
  timestamp: number;
  packets: number;
  bytes: number;
}
const fromUnix = 2_208_988_800;

/** The present moment as NTP: whole seconds and their 2^32nd parts. */
export function ntpNow(): [number, number] {
  const seconds = Date.now() / 1_000 + fromUnix;
  const whole = Math.floor(seconds);
  return [whole >>> 0, Math.floor((seconds - whole) * 2 ** 32) >>> 0];
}

function packet(type: number, count: number, words: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 + words.length * 4);
  bytes[0] = 0x80 | count;
  bytes[1] = type;
  bytes.writeUInt16BE(words.length, 2);
  words.forEach((word, at) => bytes.writeUInt32BE(word >>> 0, 4 + at * 4));
  return bytes;
}
const block = ({ ssrc, fraction, lost, highest, jitter, lastReport, delay }: Heard): number[] => [
  ssrc,
  ((fraction & 255) << 24) | (Math.max(0, Math.min(lost, 0x7f_ffff)) & 0xff_ffff),
  highest,
  jitter,
  lastReport,
  delay,
];
/** A report of what was sent and heard; a receiver's report where nothing was sent. */
export function report(ssrc: number, sent: Sent | null, heard: readonly Heard[]): Buffer {
  const blocks = heard.flatMap(block);
  if (!sent) return packet(201, heard.length, [ssrc, ...blocks]);
  return packet(200, heard.length, [ssrc, ...ntpNow(), sent.timestamp, sent.packets, sent.bytes, ...blocks]);
}
/** Asks a sender for a whole picture (RFC 4585 section 6.3.1). */
export const pictureLoss = (ssrc: number, of: number): Buffer => Buffer.concat([report(ssrc, null, []), packet(206, 1, [ssrc, of])]);

export type Control = { type: 'picture' } | { type: 'sender'; ssrc: number; ntp: number };

/** What a far side says by RTCP, as far as it concerns us; never throws. */
export function readControl(bytes: Buffer): Control[] {
  const said: Control[] = [];
  for (let at = 0; at + 8 <= bytes.length;) {
    const [count, type, length] = [(bytes[at] ?? 0) & 31, bytes[at + 1] ?? 0, (bytes.readUInt16BE(at + 2) + 1) * 4];
    // PLI is 1 (RFC 4585), FIR is 4 (RFC 5104): both ask for a whole picture.
    if (type === 206 && (count === 1 || count === 4)) said.push({ type: 'picture' });
    if (type === 200 && at + 16 <= bytes.length)
      said.push({
        type: 'sender',
        ssrc: bytes.readUInt32BE(at + 4),
        ntp: ((bytes.readUInt32BE(at + 8) << 16) | (bytes.readUInt32BE(at + 12) >>> 16)) >>> 0,
      });
    at += length;
  }
  return said;
}
