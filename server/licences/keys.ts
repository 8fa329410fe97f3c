import { createPublicKey, type KeyObject } from 'node:crypto';

/**
 * A public key from its PEM, or from the base64 of its DER.
 * @throws when the text is neither, or the key is not Ed25519
 */
export function readPublicKey(text: string): KeyObject {
  const key = text.includes('BEGIN')
    ? createPublicKey(text.replaceAll(String.raw`\n`, '\n'))
    : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('not an Ed25519 key');
  return key;
}

/** Can this setting be used as the vendor's key? */
export function isPublicKey(text: string): boolean {
  try {
    return readPublicKey(text).type === 'public';
  } catch {
    return false;
  }
}
