import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server';
import { and, asc, eq, ne } from 'drizzle-orm';
import type { BodyOf, calls } from '#models/api.ts';
import { mostPasskeys, type Passkey } from '#models/passkey-calls.ts';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { passkeys, projects, sessions, users } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { mailPasskey } from '../account-mails.ts';
import { provenAccounts } from '../profile/change.ts';
import { isOn, isRequired } from '../second-factor/own.ts';
import { makePasskeyChallenge, readPasskeyChallenge, useChallenge } from './challenge.ts';
import { countPasskeys } from './stored.ts';
import { relyingParty } from './relying-party.ts';

type Row = typeof passkeys.$inferSelect;
const toPasskey = ({ id, name, createdAt, lastUsedAt, isSynced }: Row): Passkey => ({
  id,
  name,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
  is_synced: isSynced,
});
const ofPrincipal = ({ id }: Principal) => eq(passkeys.userId, id);

/** The passkeys of the principal. */
export async function readPasskeys(services: Services, principal: Principal) {
  const rows = await services.db.select().from(passkeys).where(ofPrincipal(principal)).orderBy(asc(passkeys.createdAt));
  return {
    items: rows.map(toPasskey),
    is_required: (await isRequired(services, principal)) && !(await isOn(services, principal)),
  };
}

const limit = async (db: Db, userId: string): Promise<void> => {
  const used = await countPasskeys(db, userId);
  if (used >= mostPasskeys) throw new HttpError('limit_exceeded', { used, max: mostPasskeys });
};

/** What an authenticator is asked for. @throws HttpError `wrong_old_password`, `limit_exceeded` */
export async function beginPasskey(services: Services, principal: Principal, password: string) {
  await provenAccounts(services, principal, password);
  await limit(services.db, principal.id);
  const [user] = await services.db
    .select({ login: users.login, name: users.name, project: projects.name })
    .from(users)
    .innerJoin(projects, eq(projects.id, users.projectId))
    .where(eq(users.id, principal.id));
  if (!user) throw new HttpError('not_authorized');
  const known = await services.db.select().from(passkeys).where(ofPrincipal(principal));
  const { challenge, sealed } = makePasskeyChallenge(services, principal.id);
  const options = await generateRegistrationOptions({
    rpName: 'Doorward',
    rpID: relyingParty(services).id,
    userID: new Uint8Array(Buffer.from(principal.id)),
    // The same person may have an account in several projects: authenticators list what tells them apart.
    userName: `${user.login} (${user.project})`,
    userDisplayName: user.name,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId: id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    timeout: 300_000,
  });
  return { challenge: sealed, options: { ...options } };
}

async function verified(services: Services, challenge: string, response: BodyOf<typeof calls.addPasskey>['response']) {
  const { origin, id } = relyingParty(services);
  const { verified: isRight, registrationInfo } = await verifyRegistrationResponse({
    response: response as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
  }).catch((error: unknown) => {
    services.log.info({ err: error }, 'a passkey was refused');
    throw new HttpError('passkey_invalid');
  });
  if (!isRight || !registrationInfo) throw new HttpError('passkey_invalid');
  return registrationInfo;
}

const trail = { area: 'users', action: 'update' } as const;
const trailOf = ({ id, name }: Principal, before: string | null, after: string | null) => ({
  ...trail,
  entityId: id,
  entityName: name,
  changes: { passkey: { before, after } },
});

async function notifyOwner(tx: Db, services: Services, principal: Principal, what: 'passkey_added' | 'passkey_removed', name: string): Promise<void> {
  const [user] = await tx.select().from(users).where(eq(users.id, principal.id));
  if (user) await mailPasskey(tx, services, user, principal, what, name);
}

/**
 * Adds the passkey that was made; its owner is told. The session counts as one with a second factor; where the role requires one, sessions
 * begun without it are over.
 * @throws HttpError `passkey_invalid`, `not_unique` for one that is there already, `limit_exceeded`
 */
export async function addPasskey(services: Services, principal: Principal, body: BodyOf<typeof calls.addPasskey>): Promise<Passkey> {
  const asked = readPasskeyChallenge(services, body.challenge, principal.id);
  const { credential, credentialBackedUp } = await verified(services, asked.challenge, body.response);
  const at = services.now();
  return services.db.transaction(async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, principal.id)).for('update');
    if (!(await useChallenge(tx, asked, principal.id, at))) throw new HttpError('passkey_invalid');
    await limit(tx, principal.id);
    const [made] = await tx
      .insert(passkeys)
      .values({
        userId: principal.id,
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: credential.transports ?? [],
        isSynced: credentialBackedUp,
        name: body.name,
        createdAt: at,
      })
      .onConflictDoNothing()
      .returning();
    if (!made) throw new HttpError('not_unique');
    await tx.update(sessions).set({ withSecondFactor: true }).where(eq(sessions.id, principal.sessionId));
    if (await isRequired({ db: tx }, principal))
      await tx
        .delete(sessions)
        .where(and(eq(sessions.userId, principal.id), ne(sessions.id, principal.sessionId), eq(sessions.withSecondFactor, false)));
    await audit(tx, principal, trailOf(principal, null, made.name), at);
    await notifyOwner(tx, services, principal, 'passkey_added', made.name);
    return toPasskey(made);
  });
}

/** @throws HttpError `not_found` for one that is not the principal's */
export async function renamePasskey(services: Services, principal: Principal, id: string, name: string): Promise<Passkey> {
  return services.db.transaction(async (tx) => {
    const one = and(ofPrincipal(principal), eq(passkeys.id, id));
    const [before] = await tx.select().from(passkeys).where(one).for('update');
    if (!before) throw new HttpError('not_found');
    if (before.name === name) return toPasskey(before);
    await tx.update(passkeys).set({ name }).where(one);
    await audit(tx, principal, trailOf(principal, before.name, name), services.now());
    return toPasskey({ ...before, name });
  });
}

/** Removes a passkey; its owner is told. @throws HttpError `wrong_old_password`, `not_found`, `second_factor_required` for the last one where the role requires it */
export async function removePasskey(services: Services, principal: Principal, id: string, password: string): Promise<void> {
  await provenAccounts(services, principal, password);
  await services.db.transaction(async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, principal.id)).for('update');
    const [gone] = await tx
      .delete(passkeys)
      .where(and(ofPrincipal(principal), eq(passkeys.id, id)))
      .returning();
    if (!gone) throw new HttpError('not_found');
    const isLast = (await countPasskeys(tx, principal.id)) === 0 && !(await isOn({ db: tx }, principal));
    if (isLast && (await isRequired({ db: tx }, principal))) throw new HttpError('second_factor_required');
    await audit(tx, principal, trailOf(principal, gone.name, null), services.now());
    await notifyOwner(tx, services, principal, 'passkey_removed', gone.name);
  });
}
