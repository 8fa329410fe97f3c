import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { describe, pictureLinkSeconds } from '#models/define-model.ts';
import { withSources } from '#models/picture-sources.ts';
import type { Services } from '../context.ts';
import { derivedKey } from '../derived-key.ts';

type Signer = Pick<Services, 'config' | 'now'>;

const signatureOf = (signer: Signer, path: string, until: number): Buffer =>
  createHmac('sha256', derivedKey(signer, 'picture links')).update(`${until} ${path}`).digest();

/** A path that opens without a session for `seconds` and up to a quarter more: so long all who read it get the same link, which browsers keep. */
export function signLink(signer: Signer, path: string, seconds: number): string {
  const window = seconds / 4;
  const until = (Math.floor(signer.now().getTime() / 1_000 / window) + 5) * window;
  return `${path}?until=${until}&signature=${signatureOf(signer, path, until).toString('base64url')}`;
}

/** For how many seconds more a signed path opens; 0 when it does not, or was not signed here. */
export function secondsLeft(signer: Signer, path: string, { until, signature }: { until?: string; signature?: string }): number {
  const [given, right] = [Buffer.from(signature ?? '', 'base64url'), signatureOf(signer, path, Number(until))];
  if (given.length !== right.length || !timingSafeEqual(given, right)) return 0;
  return Math.max(0, Math.floor(Number(until) - signer.now().getTime() / 1_000));
}

/** Puts signatures to the addresses of pictures in a value; the value itself stays as it is. */
type SignIn = (value: unknown, signer: Signer) => unknown;

const lifeOf = (kind: string | undefined): number | null => (kind === 'picture' || kind === 'portrait' ? pictureLinkSeconds[kind] : null);
/** Pictures in formatted text. An ampersand in an attribute is written out. */
const signTexts: SignIn = (value, signer) =>
  typeof value === 'string'
    ? withSources(value, (address) => signLink(signer, address, pictureLinkSeconds['rich-text']).replaceAll('&', '&amp;'))
    : value;

/** How the pictures of an answer are signed, by what its schema calls one; null where there are none. */
export function signingOf(schema: z.ZodType, above: readonly z.ZodType[] = []): SignIn | null {
  const { kind, inner } = describe(schema);
  if (kind === 'rich-text') return signTexts;
  const seconds = lifeOf(kind);
  if (seconds !== null) return (value, signer) => (typeof value === 'string' && value !== '' ? signLink(signer, value, seconds) : value);
  if (above.includes(inner)) return null;
  const within = [...above, inner];
  if (inner instanceof z.ZodArray) {
    const item = signingOf(inner.element as z.ZodType, within);
    return item && ((value, signer) => (Array.isArray(value) ? value.map((one) => item(one, signer)) : value));
  }
  if (!(inner instanceof z.ZodObject)) return null;
  const parts = Object.entries(inner.shape).flatMap(([key, part]) => {
    const signIn = signingOf(part as z.ZodType, within);
    return signIn ? [[key, signIn] as const] : [];
  });
  return parts.length === 0 ? null : (value, signer) => signParts(value, signer, parts);
}

function signParts(value: unknown, signer: Signer, parts: readonly (readonly [string, SignIn])[]): unknown {
  if (value === null || typeof value !== 'object') return value;
  const object = value as Record<string, unknown>;
  return { ...object, ...Object.fromEntries(parts.flatMap(([key, signIn]) => (key in object ? [[key, signIn(object[key], signer)]] : []))) };
}
