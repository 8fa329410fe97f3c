import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { AnswerOf, calls } from '#models/api.ts';
import { audit } from '#server/audit.ts';
import type { Services } from '#server/context.ts';
import { projects, users } from '#server/db/schema/index.ts';
import { type Recipient, recipientColumns } from '../account-mails.ts';
import { noticeDevice } from './devices.ts';
import { HttpError } from '#server/http-error.ts';
import { needingPasskey } from '../passkeys/stored.ts';
import { prove } from './limiter.ts';
import { fitsPassword } from './passwords.ts';
import { takeCode, withFactor } from '../second-factor/factor.ts';
import { accountsOfChallenge, makeChallenge, readChallenge } from './challenge.ts';
import { beginSession, type Origin } from './tokens.ts';

/** One account that a login names; the same login may name one in every project. */
export interface Account extends Recipient {
  passwordHash: string | null;
  project: { id: string; uid: string; name: string };
}

type SessionGrant = AnswerOf<typeof calls.secondStep>['sessions'][number];

/** More accounts under one login than anybody has; each costs a hash. */
const mostAccounts = 20;

const accountsOf = ({ db }: Services, login: string): Promise<Account[]> =>
  db
    .select({
      ...recipientColumns,
      passwordHash: users.passwordHash,
      project: { id: projects.id, uid: projects.uid, name: projects.name },
    })
    .from(users)
    .innerJoin(projects, eq(projects.id, users.projectId))
    .where(eq(sql`lower(${users.login})`, sql`lower(${login})`))
    .orderBy(projects.name)
    .limit(mostAccounts);

/** The accounts under a login whose password this is; it takes as long when there is none. */
export async function accountsThatFit(services: Services, login: string, password: string): Promise<Account[]> {
  const accounts = await accountsOf(services, login);
  const fits = await Promise.all((accounts.length > 0 ? accounts : [null]).map((account) => fitsPassword(account?.passwordHash, password)));
  return accounts.filter((_, index) => fits[index]);
}

/**
 * Signs in: one session for each project where the login has an account with this password; none yet where a second factor is to be shown.
 * Accounts whose role requires a second factor and which only have passkeys are left out: no password opens them.
 * @throws HttpError `incorrect_login`, `passkey_required` where none is left, `locked_out` (too many for this login from this address) or `too_many_requests` (from this address).
 */
export async function signIn(services: Services, login: string, password: string, origin: Origin): Promise<AnswerOf<typeof calls.signIn>> {
  const fitting = await prove(services, { login, origin, wrong: 'incorrect_login' }, async () => {
    const found = await accountsThatFit(services, login, password);
    return found.length > 0 ? found : null;
  });
  const closed = await needingPasskey(
    services.db,
    fitting.map(({ id }) => id),
  );
  const accounts = fitting.filter(({ id }) => !closed.has(id));
  if (accounts.length === 0) throw new HttpError('passkey_required');
  const withSecond = await withFactor(
    services.db,
    accounts.map(({ id }) => id),
  );
  if (withSecond.size > 0) return { sessions: [], challenge: makeChallenge(services, login, accounts) };
  return begin(services, accounts, origin);
}

/**
 * Completes a sign-in by a second factor: sessions for the accounts whose code it is, and for those that ask for none.
 * @throws HttpError `invalid_credentials` for a challenge that is over; `second_factor_invalid`, limited like passwords
 */
export async function secondStep(services: Services, challenge: string, code: string, origin: Origin): Promise<AnswerOf<typeof calls.secondStep>> {
  const proof = readChallenge(services, challenge);
  return prove(services, { login: `second factor of ${proof.login}`, origin, wrong: 'second_factor_invalid' }, async () => {
    const accounts = accountsOfChallenge(proof, await accountsOf(services, proof.login));
    const asked = await withFactor(
      services.db,
      accounts.map(({ id }) => id),
    );
    const shown: Account[] = [];
    for (const account of accounts) if (asked.has(account.id) && (await takeCode(services, services.db, account.id, code))) shown.push(account);
    if (shown.length === 0) return null;
    return begin(services, [...accounts.filter(({ id }) => !asked.has(id)), ...shown], origin, new Set(shown.map(({ id }) => id)));
  });
}

/** Begins a session for each account; `proven` are those whose second factor was shown. */
export async function begin(
  services: Services,
  accounts: readonly Omit<Account, 'passwordHash'>[],
  origin: Origin,
  proven: ReadonlySet<string> = new Set(),
): Promise<{ sessions: SessionGrant[] }> {
  const at = services.now();
  const sessions = await services.db.transaction(async (tx) => {
    const begun = [];
    const signInId = randomUUID();
    for (const account of accounts) {
      begun.push({
        ...(await beginSession(tx, account.id, origin, at, { signInId, withSecondFactor: proven.has(account.id) })),
        project: account.project,
      });
      await audit(tx, { ...account, ...origin }, { area: 'users', action: 'sign_in', entityId: account.id, entityName: account.name }, at);
    }
    await noticeDevice(tx, services, accounts, origin);
    return begun;
  });
  return { sessions };
}
