import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** RFC 6238 as all authenticator apps do it: HMAC-SHA-1, six digits, 30 seconds. */
const period = 30_000;
const digits = 6;
/** Clocks of phones are off by a little: the codes before and after count too. */
const drift = 1;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Bytes in base32 (RFC 4648) without padding, as authenticator apps read it. */
export function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((part) => alphabet[Number.parseInt(part.padEnd(5, '0'), 2)]).join('');
}

/** A fresh shared secret of 160 bits, in base32. */
export const makeSecret = (): string => toBase32(randomBytes(20));

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The code of a step (RFC 4226, 5.3). */
export function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0');
}

/** The number of a moment's step. */
export const stepOf = (at: Date): number => Math.floor(at.getTime() / period);

/** The step a code belongs to, near a moment; null for a wrong one. */
export function stepOfCode(secret: string, code: string, at: Date): number | null {
  const given = Buffer.from(code.padEnd(digits).slice(0, digits));
  const now = stepOf(at);
  const steps = Array.from({ length: 2 * drift + 1 }, (_, place) => now - drift + place);
  return steps.find((step) => code.length === digits && timingSafeEqual(Buffer.from(codeOf(secret, step)), given)) ?? null;
}

/** What an authenticator app reads from the QR code. */
export const otpauthUri = (secret: string, { issuer, account }: { issuer: string; account: string }): string =>
  `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
