import { createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto';
import { lengthOf } from '#models/time.ts';
import type { Services } from '../context.ts';
import { seal, unseal } from '../devices/secrets.ts';
import { lastingFact } from '../licences/instance.ts';

/** The key by which push services know this installation (RFC 8292). */
export interface VapidKey {
  publicKey: string;
  privateKey: KeyObject;
}

const newKey = (): string => JSON.stringify(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }));

/** Makes the key once; it stays with the installation, sealed. Browsers that subscribed with another one would hear nothing. */
export async function vapidKey(services: Pick<Services, 'db' | 'config'>): Promise<VapidKey> {
  const stored = await lastingFact(services.db, 'push.vapid', () => seal(services, newKey()));
  const jwk = JSON.parse(unseal(services, stored)) as JsonWebKey;
  const point = [jwk.x ?? '', jwk.y ?? ''].map((part) => Buffer.from(part, 'base64url'));
  return { publicKey: Buffer.concat([Buffer.from([4]), ...point]).toString('base64url'), privateKey: createPrivateKey({ key: jwk, format: 'jwk' }) };
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** What a push service is shown: who sends, and that it is meant for no other service. */
export function vapidHeader({ publicKey, privateKey }: VapidKey, endpoint: string, contact: string, at: Date): string {
  const until = Math.floor((at.getTime() + lengthOf(12, 'hour')) / 1_000);
  const token = `${part({ typ: 'JWT', alg: 'ES256' })}.${part({ aud: new URL(endpoint).origin, exp: until, sub: contact })}`;
  const signature = sign('sha256', Buffer.from(token), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${token}.${signature.toString('base64url')}, k=${publicKey}`;
}
