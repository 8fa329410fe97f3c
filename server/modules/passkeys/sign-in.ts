import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server';
import { and, eq, lt, or, sql } from 'drizzle-orm';
import type { BodyOf, calls } from '#models/api.ts';
import type { Services } from '#server/context.ts';
import { passkeys, projects, users } from '#server/db/schema/index.ts';
import { recipientColumns } from '../account-mails.ts';
import { prove } from '../session/limiter.ts';
import { begin } from '../session/sign-in.ts';
import type { Origin } from '../session/tokens.ts';
import { makePasskeyChallenge, readPasskeyChallenge, useChallenge } from './challenge.ts';
import { relyingParty } from './relying-party.ts';

/** What an authenticator is asked for at sign-in: whichever passkey of this console it has. Nothing is written. */
export async function beginPasskeySignIn(services: Services) {
  const { challenge, sealed } = makePasskeyChallenge(services, null);
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(services).id,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    userVerification: 'required',
    timeout: 300_000,
  });
  return { challenge: sealed, options: { ...options } };
}

type Shown = BodyOf<typeof calls.passkeySignIn>;

const ownerOf = ({ db }: Services, credentialId: string) =>
  db
    .select({ passkey: passkeys, account: recipientColumns, project: { id: projects.id, uid: projects.uid, name: projects.name } })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .innerJoin(projects, eq(projects.id, users.projectId))
    .where(eq(passkeys.credentialId, credentialId));

/** The count after this use, if it was shown as it must be; null otherwise. */
async function countShown(
  services: Services,
  { publicKey, credentialId, counter }: typeof passkeys.$inferSelect,
  challenge: string,
  response: Shown['response'],
) {
  const { origin, id } = relyingParty(services);
  return verifyAuthenticationResponse({
    response: response as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    credential: { id: credentialId, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter },
  }).then(
    ({ verified, authenticationInfo }) => (verified ? authenticationInfo : null),
    (error: unknown) => {
      services.log.info({ err: error }, 'a passkey was refused');
      return null;
    },
  );
}

/**
 * Signs in to the account whose passkey is shown; no further factor is asked for.
 * @throws HttpError `passkey_invalid`, limited like passwords
 */
export async function passkeySignIn(services: Services, { challenge: sealed, response }: Shown, origin: Origin) {
  const asked = readPasskeyChallenge(services, sealed, null);
  const [owner] = await ownerOf(services, response.id);
  const login = `passkey of ${owner?.account.id ?? response.id.slice(0, 60)}`;
  const account = await prove(services, { login, origin, wrong: 'passkey_invalid' }, async () => {
    const info = owner ? await countShown(services, owner.passkey, asked.challenge, response) : null;
    if (!owner || !info) return null;
    const at = services.now();
    // Of two that show the same count or the same challenge at the same moment one gets in.
    const isFirst = await services.db.transaction(async (tx) => {
      if (!(await useChallenge(tx, asked, owner.account.id, at))) return false;
      const used = await tx
        .update(passkeys)
        .set({ counter: info.newCounter, lastUsedAt: at, isSynced: info.credentialBackedUp })
        .where(
          and(
            eq(passkeys.id, owner.passkey.id),
            or(lt(passkeys.counter, info.newCounter), and(eq(passkeys.counter, 0), sql`${info.newCounter} = 0`)),
          ),
        )
        .returning({ id: passkeys.id });
      return used.length > 0;
    });
    return isFirst ? { ...owner.account, project: owner.project } : null;
  });
  return begin(services, [account], origin, new Set([account.id]));
}
