import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { crc32 } from 'werift';

const cookie = 0x2112a442;
const headerLength = 20;
const attribute = {
  username: 0x0006,
  integrity: 0x0008,
  priority: 0x0024,
  useCandidate: 0x0025,
  mapped: 0x0020,
  fingerprint: 0x8028,
  controlling: 0x802a,
} as const;
const integrityLength = 24;

/** A message of STUN (RFC 8489) as far as ICE needs it. */
export interface StunMessage {
  kind: 'request' | 'answer' | 'other';
  transaction: string;
  username: string | null;
  useCandidate: boolean;
  /** Where its MESSAGE-INTEGRITY begins; null without one. */
  integrityAt: number | null;
}
const kinds: Readonly<Record<number, StunMessage['kind']>> = { 0x0001: 'request', 0x0101: 'answer' };

/** @returns null for what is no whole message of STUN */
export function readStun(bytes: Buffer): StunMessage | null {
  if (bytes.length < headerLength || bytes.readUInt32BE(4) !== cookie || bytes.readUInt16BE(2) + headerLength !== bytes.length) return null;
  const message: StunMessage = {
    kind: kinds[bytes.readUInt16BE(0)] ?? 'other',
    transaction: bytes.toString('hex', 8, 20),
    username: null,
    useCandidate: false,
    integrityAt: null,
  };
  for (let at = headerLength; at + 4 <= bytes.length;) {
    const [type, length] = [bytes.readUInt16BE(at), bytes.readUInt16BE(at + 2)];
    if (at + 4 + length > bytes.length) return null;
    // What stands behind the integrity is not protected by it.
    if (message.integrityAt === null) {
      if (type === attribute.username) message.username = bytes.toString('utf8', at + 4, at + 4 + length);
      if (type === attribute.useCandidate) message.useCandidate = true;
      if (type === attribute.integrity && length === 20) message.integrityAt = at;
    }
    at += 4 + length + ((4 - (length % 4)) % 4);
  }
  return message;
}

function integrityOf(before: Buffer, password: string): Buffer {
  const covered = Buffer.from(before);
  covered.writeUInt16BE(before.length - headerLength + integrityLength, 2);
  return createHmac('sha1', password).update(covered).digest();
}
/** Whether a message was written by somebody who knows the password. */
export function isGenuine(bytes: Buffer, { integrityAt }: StunMessage, password: string): boolean {
  if (integrityAt === null) return false;
  return timingSafeEqual(bytes.subarray(integrityAt + 4, integrityAt + integrityLength), integrityOf(bytes.subarray(0, integrityAt), password));
}

const attributeOf = (type: number, value: Buffer): Buffer => {
  const padded = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4);
  padded.writeUInt16BE(type, 0);
  padded.writeUInt16BE(value.length, 2);
  value.copy(padded, 4);
  return padded;
};
function written(type: number, transaction: Buffer, attributes: readonly Buffer[], password: string): Buffer {
  const header = Buffer.alloc(headerLength);
  header.writeUInt16BE(type, 0);
  header.writeUInt32BE(cookie, 4);
  transaction.copy(header, 8);
  const body = Buffer.concat([header, ...attributes]);
  const sealed = Buffer.concat([body, attributeOf(attribute.integrity, integrityOf(body, password))]);
  sealed.writeUInt16BE(sealed.length - headerLength + 8, 2);
  const check = Buffer.alloc(4);
  check.writeUInt32BE((crc32(sealed) ^ 0x5354554e) >>> 0);
  return Buffer.concat([sealed, attributeOf(attribute.fingerprint, check)]);
}

function addressBytes(host: string): Buffer {
  if (isIPv4(host)) return Buffer.from(host.split('.').map(Number));
  const [head = '', tail] = (host.split('%', 1)[0] ?? '').split('::');
  const groups = (text: string): number[] => (text ? text.split(':').map((part) => Number.parseInt(part, 16)) : []);
  const [before, after] = [groups(head), groups(tail ?? '')];
  const all = [...before, ...Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0), ...after];
  return Buffer.from(all.slice(0, 8).flatMap((group) => [group >> 8, group & 255]));
}
/** Answers a request: here is where you come from. */
export function stunAnswer(request: Buffer, from: { host: string; port: number }, password: string): Buffer {
  const transaction = request.subarray(8, 20);
  const address = addressBytes(from.host);
  const mask = request.subarray(4, 20);
  const mapped = Buffer.alloc(4 + address.length);
  mapped[1] = address.length === 4 ? 1 : 2;
  mapped.writeUInt16BE(from.port ^ (cookie >>> 16), 2);
  address.forEach((byte, at) => (mapped[4 + at] = byte ^ (mask[at] ?? 0)));
  return written(0x0101, transaction, [attributeOf(attribute.mapped, mapped)], password);
}

/** A check by the controlling side, which chooses the path it is sent on. */
export function stunCheck(username: string, password: string, tieBreaker: Buffer): { bytes: Buffer; transaction: string } {
  const transaction = randomBytes(12);
  const priority = Buffer.alloc(4);
  priority.writeUInt32BE((110 << 24) + (65_535 << 8) + 255);
  const attributes = [
    attributeOf(attribute.username, Buffer.from(username)),
    attributeOf(attribute.priority, priority),
    attributeOf(attribute.controlling, tieBreaker),
    attributeOf(attribute.useCandidate, Buffer.alloc(0)),
  ];
  return { bytes: written(0x0001, transaction, attributes, password), transaction: transaction.toString('hex') };
}
