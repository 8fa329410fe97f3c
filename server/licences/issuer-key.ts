import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Db } from '../db/database.ts';
import { lastingFact } from './instance.ts';

const makeKey = (): string => generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');

/** The key pair with which the demo's own issuer signs; made once, believed in the demo only. */
export async function issuerKey(db: Db): Promise<{ privateKey: KeyObject; publicKey: KeyObject }> {
  const stored = await lastingFact(db, 'demo.licence_issuer', makeKey);
  const privateKey = createPrivateKey({ key: Buffer.from(stored, 'base64'), format: 'der', type: 'pkcs8' });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}
