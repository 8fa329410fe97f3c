import { eq, sql } from 'drizzle-orm';
import type { Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { users } from '#server/db/schema/index.ts';
import { KeyedSemaphore } from '#server/keyed-semaphore.ts';
import { blocksOf } from '#server/blocks.ts';
import type { Limiter } from '#server/limiter.ts';
import { HttpError } from '#server/http-error.ts';
import { type Guessed, notifyLimited } from '#server/notify-limited.ts';
import type { Origin } from './tokens.ts';

/** What holds up guesses at people's passwords. */
interface Guard {
  limiter: Limiter;
  /** One try of a login from an address at a time, so that no more are made at once than may fail. */
  pairs: KeyedSemaphore;
  /** A look at a password costs 19 MiB and tens of milliseconds: an address gets two at a time. */
  addresses: KeyedSemaphore;
}

const guards = new WeakMap<Db, Guard>();
const leastWaiting = 100;
const mostOfPair = 1_000;
/** A login is tried from this many times more addresses than it may fail from one, before each may fail but once. */
const addressesOfLogin = 5;

function guardOf({ db, config, now }: Services): Guard {
  const { signInTries: pair, signInTriesPerIp: address } = config;
  const made = guards.get(db) ?? {
    limiter: blocksOf({ db }).limiter('sign_in', { pair, address, name: pair * addressesOfLogin, spare: 0 }, () => now().getTime()),
    pairs: new KeyedSemaphore(1, mostOfPair),
    addresses: new KeyedSemaphore(2, Math.max(leastWaiting, address)),
  };
  guards.set(db, made);
  return made;
}

const limitError = (code: 'locked_out' | 'too_many_requests', seconds: number): HttpError => new HttpError(code, { seconds }, seconds);
const full = (): HttpError => limitError('too_many_requests', 1);

const guessed = ({ db }: Services, login: string): Promise<Guessed[]> =>
  db
    .select({ id: users.id, name: users.name, projectId: users.projectId })
    .from(users)
    .where(eq(sql`lower(${users.login})`, login))
    .limit(20);

/**
 * Looks at a password shown for a login. Whoever fails too often from an address waits; the right one passes wherever others fail.
 * @throws HttpError `locked_out` while this login from this address waits; where the password is wrong `too_many_requests` while its
 * address waits, else `wrong`.
 */
export async function prove<T>(
  services: Services,
  {
    login,
    origin,
    wrong,
  }: { login: string; origin: Origin; wrong: 'incorrect_login' | 'wrong_old_password' | 'second_factor_invalid' | 'passkey_invalid' },
  look: () => Promise<T | null>,
): Promise<T> {
  const { limiter, pairs, addresses } = guardOf(services);
  const name = login.toLowerCase();
  const { ip } = origin;
  const pair = `${ip} ${name}`;
  if (pairs.isFull(pair)) throw full();
  return pairs.run(pair, async () => {
    const wait = limiter.closed(name, ip);
    if (wait > 0) throw limitError('locked_out', wait);
    if (addresses.isFull(ip)) throw full();
    // Whether the login is known is asked before the address has its turn back: no try passes between its failure and the count of it.
    const { found, isKnown } = await addresses.run(ip, async () => {
      const passed = await look();
      return { found: passed, isKnown: passed !== null || wrong !== 'incorrect_login' || (await guessed(services, name)).length > 0 };
    });
    if (found !== null) {
      limiter.succeeded(name, ip);
      return found;
    }
    const { address, isNews } = limiter.failed(name, ip, { cause: isKnown ? 'AUTH_FAILED' : 'UNKNOWN' });
    if (isNews) void notifyLimited(services, { area: 'users', name, ip, userAgent: origin.userAgent ?? '' }, () => guessed(services, name));
    if (address > 0) throw limitError('too_many_requests', address);
    throw new HttpError(wrong);
  });
}

/** Forgets the failures of a login from an address: whoever is there has proved who they are in another way. */
export const forgive = (services: Services, login: string, { ip }: Origin): void => guardOf(services).limiter.succeeded(login.toLowerCase(), ip);
