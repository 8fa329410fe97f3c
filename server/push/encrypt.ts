import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';

/** Larger records are not needed: push services take 4,096 bytes at most (RFC 8030, 7.2). */
const recordSize = 4_096;

interface Fresh {
  ecdh: ECDH;
  salt: Buffer;
}
function fresh(): Fresh {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  return { ecdh, salt: randomBytes(16) };
}
const derive = (key: Uint8Array, salt: Uint8Array, info: Buffer, length: number): Buffer => Buffer.from(hkdfSync('sha256', key, salt, info, length));

/**
 * Encrypts a text for one browser (RFC 8291 over RFC 8188, one record). `made` are the key and salt of this one message.
 * @throws where the browser's public key is none
 */
export function encryptPush({ p256dh, auth }: { p256dh: string; auth: string }, text: string, made: Fresh = fresh()): Buffer {
  const theirs = Buffer.from(p256dh, 'base64url');
  const ours = made.ecdh.getPublicKey();
  const shared = made.ecdh.computeSecret(theirs);
  const key = derive(shared, Buffer.from(auth, 'base64url'), Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours]), 32);
  const cipher = createCipheriv(
    'aes-128-gcm',
    derive(key, made.salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16),
    derive(key, made.salt, Buffer.from('Content-Encoding: nonce\0'), 12),
  );
  // The byte behind the text says that this record is the last.
  const body = Buffer.concat([cipher.update(Buffer.concat([Buffer.from(text), Buffer.from([2])])), cipher.final(), cipher.getAuthTag()]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(recordSize);
  return Buffer.concat([made.salt, size, Buffer.from([ours.length]), ours, body]);
}
