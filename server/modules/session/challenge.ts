import type { Services } from '#server/context.ts';
import { hashToken } from '#server/access/principal.ts';
import { seal, unseal } from '#server/devices/secrets.ts';
import { HttpError } from '#server/http-error.ts';

const life = 5 * 60_000;

/** A password that was right, as it is handed to whoever must yet show a second factor: of use for nothing else, and not for long. */
interface Proof {
  kind: 'second factor';
  login: string;
  /** Hashed, so that a changed password ends it. */
  password: string;
  accounts: string[];
  until: number;
}
interface Proven {
  id: string;
  passwordHash: string | null;
}

const passwordsOf = (accounts: readonly Proven[]): string =>
  hashToken(
    accounts
      .map(({ id, passwordHash }) => `${id} ${passwordHash}`)
      .toSorted()
      .join('\n'),
  );

/** Seals what was proved. */
export function makeChallenge(services: Services, login: string, accounts: readonly Proven[]): string {
  const until = services.now().getTime() + life;
  const proof: Proof = { kind: 'second factor', login, password: passwordsOf(accounts), accounts: accounts.map(({ id }) => id), until };
  return seal(services, JSON.stringify(proof));
}

function opened(services: Services, challenge: string): Proof | null {
  try {
    const proof = JSON.parse(unseal(services, challenge)) as Proof;
    return proof.kind === 'second factor' && proof.until > services.now().getTime() ? proof : null;
  } catch {
    return null;
  }
}

/** The login of a challenge. @throws HttpError `invalid_credentials` for one that is over or was never made */
export function readChallenge(services: Services, challenge: string): Proof {
  const proof = opened(services, challenge);
  if (!proof) throw new HttpError('invalid_credentials');
  return proof;
}

/** The accounts of a challenge as they are now. @throws HttpError `invalid_credentials` where a password has changed meanwhile */
export function accountsOfChallenge<A extends Proven>(proof: Proof, accounts: readonly A[]): A[] {
  const found = accounts.filter(({ id }) => proof.accounts.includes(id));
  if (passwordsOf(found) !== proof.password) throw new HttpError('invalid_credentials');
  return found;
}
