import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Header } from './write.ts';

export const realm = 'doorward';
/** How long a nonce is good for, ms. */
export const nonceLife = 5 * 60_000;
const mostNonces = 100_000;

export type Algorithm = 'MD5' | 'SHA-256';
const hash = (algorithm: Algorithm, text: string): string =>
  createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
    .update(text)
    .digest('hex');

/** What a client shows in an Authorization header. */
export interface Shown {
  username: string;
  realm: string;
  nonce: string;
  uri: string;
  response: string;
  algorithm: Algorithm;
  qop: string;
  cnonce: string;
  nc: string;
}

/** Reads the parameters after `Digest`. @returns null where it is no digest */
export function readParameters(value: string): Map<string, string> | null {
  const list = /^\s*Digest\s+(.*)$/i.exec(value)?.[1];
  if (list === undefined) return null;
  const found = new Map<string, string>();
  for (const [, name = '', quoted, plain] of list.matchAll(/([\w-]{1,32})\s*=\s*(?:"((?:[^"\\]|\\.){0,1024})"|([^\s",]{1,1024}))/g)) {
    const key = name.toLowerCase();
    if (found.has(key)) return null;
    found.set(key, quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? '');
  }
  return found;
}

/** Reads an Authorization header. @returns null for what is no digest that we could check */
export function readShown(value: string | null): Shown | null {
  const found = value === null ? null : readParameters(value);
  if (!found) return null;
  const of = (name: string) => found.get(name) ?? '';
  const algorithm = (found.get('algorithm') ?? 'MD5').toUpperCase();
  if (algorithm !== 'MD5' && algorithm !== 'SHA-256') return null;
  const shown = {
    username: of('username'),
    realm: of('realm'),
    nonce: of('nonce'),
    uri: of('uri'),
    response: of('response').toLowerCase(),
    algorithm,
    qop: of('qop'),
    cnonce: of('cnonce'),
    nc: of('nc'),
  } as const;
  const isWhole = shown.username !== '' && shown.cnonce !== '' && /^[\da-f]{32,64}$/.test(shown.response) && /^[\da-f]{8}$/i.test(shown.nc);
  return isWhole ? shown : null;
}

/** What proves the knowledge of a password (RFC 7616 section 3.4.1). */
export function responseOf(shown: Omit<Shown, 'response'>, method: string, password: string): string {
  const { algorithm, username, nonce, nc, cnonce, qop, uri } = shown;
  const secret = hash(algorithm, `${username}:${shown.realm}:${password}`);
  return hash(algorithm, `${secret}:${nonce}:${nc}:${cnonce}:${qop}:${hash(algorithm, `${method}:${uri}`)}`);
}

const isSame = (one: string, other: string): boolean => one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** So many passwords are looked at at least: a number of one's own, and as many sessions as somebody usually has. */
const leastLooks = 8;

/**
 * The password that was shown to be known, of those that are right; null for none. Who has fewer passwords, or none, as a number that
 * there is not, takes as long.
 */
export function passwordShown(shown: Shown, method: string, passwords: readonly string[]): string | null {
  let found: string | null = null;
  for (let at = 0; at < Math.max(leastLooks, passwords.length); at += 1) {
    const password = passwords[at];
    const isRight = isSame(responseOf(shown, method, password ?? 'nobody has this password'), shown.response);
    if (isRight && password !== undefined) found = password;
  }
  return found;
}

/**
 * Makes the challenges and remembers what was answered (RFC 7616, RFC 8760): a nonce is good for five minutes and for each
 * count once, so that nothing overheard can be shown again.
 */
export class Nonces {
  readonly #secret = randomBytes(32);
  readonly #now: () => number;
  /** The highest count shown with a nonce, in the order of their first use. */
  readonly #counts = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  #seal(head: string): string {
    return createHmac('sha256', this.#secret).update(head).digest('hex').slice(0, 32);
  }

  /** The challenge, in these algorithms; all with one nonce. */
  challenge(header: 'WWW-Authenticate' | 'Proxy-Authenticate', algorithms: readonly Algorithm[], stale: boolean): Header[] {
    const head = `${this.#now().toString(36)}-${randomBytes(9).toString('hex')}`;
    const nonce = `${head}-${this.#seal(head)}`;
    const text = (algorithm: Algorithm) =>
      `Digest realm="${realm}", nonce="${nonce}", ${stale ? 'stale=true, ' : ''}algorithm=${algorithm}, qop="auth"`;
    return algorithms.map((algorithm) => [header, text(algorithm)]);
  }

  /** Whether a nonce is ours and not too old. */
  isFresh(nonce: string): boolean {
    const [time = '', salt = '', seal = '', ...more] = nonce.split('-');
    if (more.length > 0 || !isSame(seal, this.#seal(`${time}-${salt}`))) return false;
    const age = this.#now() - Number.parseInt(time, 36);
    return age >= 0 && age <= nonceLife;
  }

  /** Uses up one count of a nonce. @returns false where it, or one after it, was used before */
  use({ nonce, nc }: Shown): boolean {
    const count = Number.parseInt(nc, 16);
    const last = this.#counts.get(nonce) ?? 0;
    if (count <= last) return false;
    this.#counts.set(nonce, count);
    if (this.#counts.size > mostNonces) this.#removeOld();
    return true;
  }

  #removeOld(): void {
    for (const nonce of this.#counts.keys()) if (!this.isFresh(nonce)) this.#counts.delete(nonce);
  }
}
