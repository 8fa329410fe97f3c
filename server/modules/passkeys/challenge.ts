import { randomBytes } from 'node:crypto';
import { hashToken } from '#server/access/principal.ts';
import type { Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { oneTimeLinks } from '#server/db/schema/index.ts';
import { seal, unseal } from '#server/devices/secrets.ts';
import { HttpError } from '#server/http-error.ts';
import { passkeyTime } from '#models/passkey-calls.ts';

/** What an authenticator was asked to sign, for whom (nobody yet at sign-in) and until when. */
interface Asked {
  kind: 'passkey';
  userId: string | null;
  challenge: string;
  until: number;
}

/** A fresh challenge, and the same sealed: the server keeps nothing of those that nobody answers. */
export function makePasskeyChallenge(services: Services, userId: string | null) {
  const challenge = randomBytes(32).toString('base64url');
  const asked: Asked = { kind: 'passkey', userId, challenge, until: services.now().getTime() + passkeyTime };
  return { challenge, sealed: seal(services, JSON.stringify(asked)) };
}

/** The challenge that was sealed for this account, or for a sign-in. @throws HttpError `passkey_invalid` for one that is over, of another or made up */
export function readPasskeyChallenge(services: Services, sealed: string, userId: string | null): Asked {
  try {
    const asked = JSON.parse(unseal(services, sealed)) as Asked;
    if (asked.kind === 'passkey' && asked.userId === userId && asked.until > services.now().getTime()) return asked;
  } catch {
    // Not of this installation.
  }
  throw new HttpError('passkey_invalid');
}

/** Uses a challenge up. @returns whether it had not been used before */
export async function useChallenge(tx: Db, { challenge, until }: Asked, userId: string, at: Date): Promise<boolean> {
  const used = await tx
    .insert(oneTimeLinks)
    .values({ hash: hashToken(challenge), kind: 'passkey', userId, expiresAt: new Date(until), usedAt: at })
    .onConflictDoNothing()
    .returning({ hash: oneTimeLinks.hash });
  return used.length > 0;
}
