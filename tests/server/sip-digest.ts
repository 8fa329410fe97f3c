import { createHash, randomBytes } from 'node:crypto';

const hash = (algorithm: 'MD5' | 'SHA-256', text: string) =>
  createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
    .update(text)
    .digest('hex');
/** A parameter of a challenge by its name, or an empty string. */
export const param = (challenge: string, name: string): string => new RegExp(`${name}="?([^",]+)"?`).exec(challenge)?.[1] ?? '';

/** What proves a password to a challenge, as the value of an Authorization header. */
export function authorization(
  challenge: string,
  {
    number,
    password,
    method,
    uri,
    nc = '00000001',
    cnonce = randomBytes(8).toString('hex'),
  }: { number: string; password: string; method: string; uri: string; nc?: string; cnonce?: string },
): string {
  const algorithm = param(challenge, 'algorithm') === 'SHA-256' ? 'SHA-256' : 'MD5';
  const [realm, nonce] = [param(challenge, 'realm'), param(challenge, 'nonce')];
  const secret = hash(algorithm, `${number}:${realm}:${password}`);
  const response = hash(algorithm, `${secret}:${nonce}:${nc}:${cnonce}:auth:${hash(algorithm, `${method}:${uri}`)}`);
  return `Digest username="${number}", realm="${realm}", nonce="${nonce}", uri="${uri}", response="${response}", algorithm=${algorithm}, cnonce="${cnonce}", qop=auth, nc=${nc}`;
}
