import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Services } from '../context.ts';
import { derivedKey } from '../derived-key.ts';

type Sealer = Pick<Services, 'config'>;

const keyOf = (sealer: Sealer): Buffer => derivedKey(sealer, 'device secrets');

/** A secret that must be told to a device later, as the database keeps it: AES-256-GCM under the installation's secret. */
export function seal(sealer: Sealer, text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(sealer), nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
}

/** The secret again. @throws when it was sealed under another secret or was tampered with */
export function unseal(sealer: Sealer, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(sealer), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}
