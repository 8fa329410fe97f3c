import { hkdfSync } from 'node:crypto';
import type { Services } from './context.ts';

/** What keys are derived for. The words go into the key: one that is renamed makes what was sealed or signed with it unreadable. */
type Purpose = 'device secrets' | 'exchanged tokens' | 'picture links' | 'sip sessions';

/**
 * A key of 32 bytes for one purpose, derived from the installation's secret (HKDF with SHA-256, RFC 5869): who learns one key knows none
 * of the others.
 * @throws where the installation has no secret
 */
export function derivedKey({ config: { secret } }: Pick<Services, 'config'>, purpose: Purpose): Buffer {
  if (!secret) throw new Error(`the installation has no secret to derive a key from for ${purpose}`);
  return Buffer.from(hkdfSync('sha256', secret, '', `doorward ${purpose}`, 32));
}
