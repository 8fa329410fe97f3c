import { createHash } from 'node:crypto';
import { Limiter, type Limits } from '#server/limiter.ts';
import { Nonces, passwordShown, readShown, realm, type Shown } from './digest.ts';
import type { Flow } from './flow.ts';
import type { SipAccount } from './leg.ts';
import { headerOf, type SipRequest } from './message.ts';
import type { ServerTransaction } from './server-transaction.ts';
import type { Trunk, TrunkAccount } from './trunk.ts';

/** Who a request comes from, and a mark of the password that proved it. */
export interface Proven {
  account: SipAccount;
  proof: string;
}

/** Who is registered, and which trunks call in with a login. */
interface Directory {
  accountOf: (number: string) => Promise<SipAccount | null>;
  trunksOf?: (login: string) => Promise<readonly TrunkAccount[]>;
  /** Somebody guesses the password of a name from an address; told once an hour of both. */
  limited?: (login: string, address: string) => void;
  /** Counts failures where others see them too. */
  limiter?: (limits: Limits, now: () => number) => Limiter;
}
/** Somebody a name may stand for. */
interface Claimant<Who> {
  who: Who;
  passwords: readonly string[];
}
interface Proof<Who> {
  who: Who;
  password: string;
}

const ofNumber = (account: SipAccount | null): Claimant<SipAccount>[] => (account ? [{ who: account, passwords: account.passwords }] : []);
const proofOf = (password: string): string => createHash('sha256').update(`proof ${password}`).digest('base64');
/** A number may fail so often: a building's phones share an address, and one that mistypes must not silence them. */
const limits = { pair: 5, address: 30, name: 60, spare: 20 };

/**
 * The stronger stands first, as RFC 8760 wants it; JsSIP takes the last. Plain phones of some makes (libre before 2022) give up on a
 * challenge they do not know instead of passing it over: they are asked in the one that all know.
 */
const algorithmsOf = { WS: ['SHA-256', 'MD5'], WSS: ['SHA-256', 'MD5'], UDP: ['MD5'] } as const;

/** Asks for passwords and looks at what is shown (RFC 3261 section 22, RFC 8760). */
export class Authority {
  readonly #nonces: Nonces;
  readonly #limiter: Limiter;
  readonly #accountOf: (number: string) => Promise<SipAccount | null>;
  readonly #trunksOf: (login: string) => Promise<readonly TrunkAccount[]>;
  readonly #limited: (login: string, address: string) => void;

  constructor({ accountOf, trunksOf, limited, limiter }: Directory, now: () => number) {
    this.#accountOf = accountOf;
    this.#trunksOf = trunksOf ?? (async () => []);
    this.#nonces = new Nonces(now);
    this.#limiter = limiter?.(limits, now) ?? new Limiter(limits, now);
    this.#limited = limited ?? (() => undefined);
  }

  /** Whether a password that was right when it was shown still is. */
  async stillHolds(number: string, proof: string): Promise<SipAccount | null> {
    const account = await this.#accountOf(number);
    return account?.passwords.some((password) => proofOf(password) === proof) ? account : null;
  }

  /** Who sends a request in the name of a number. @returns null where it was answered with a challenge or a refusal */
  async prove(transaction: ServerTransaction, number: string): Promise<Proven | null> {
    const found = await this.#prove(transaction, async (login) => (login === number ? ofNumber(await this.#accountOf(number)) : null));
    return found && { account: found.who, proof: proofOf(found.password) };
  }

  /** Who calls: the number it calls under, or over UDP a trunk by its login. @returns null where it was answered with a challenge or a refusal */
  async proveCaller(transaction: ServerTransaction, number: string): Promise<SipAccount | Trunk | null> {
    const found = await this.#prove<SipAccount | Trunk>(transaction, async (login) => {
      const own = login === number ? ofNumber(await this.#accountOf(number)) : [];
      if (transaction.flow.transport !== 'UDP') return login === number ? own : null;
      return [...own, ...(await this.#trunksOf(login)).map(({ trunk, password }) => ({ who: trunk, passwords: [password] }))];
    });
    return found && found.who;
  }

  /** `claimants`: those whom a name may stand for; null where it stands for nobody who may ask this. */
  async #prove<Who>(
    transaction: ServerTransaction,
    claimants: (login: string) => Promise<readonly Claimant<Who>[] | null>,
  ): Promise<Proof<Who> | null> {
    const { request, flow } = transaction;
    const shown = readShown(headerOf(request, 'authorization') ?? headerOf(request, 'proxy-authorization'));
    if (!shown) return this.#challenge(transaction, false);
    const { username } = shown;
    if (shown.realm !== realm || shown.qop !== 'auth' || !isForThis(shown, request)) return refuse(transaction);
    if (!this.#nonces.isFresh(shown.nonce)) return this.#challenge(transaction, true);
    const wait = this.#closed(username, flow);
    if (wait > 0) return refuse(transaction, 503, wait);
    const all = await claimants(username);
    if (!all) return refuse(transaction);
    const password = passwordShown(
      shown,
      request.method,
      all.flatMap((one) => one.passwords),
    );
    // Guesses sent at once are all under way before the first has failed: the pause is looked at again.
    const closed = this.#closed(username, flow);
    if (closed > 0) return refuse(transaction, 503, closed);
    const found = password === null ? undefined : all.find((one) => one.passwords.includes(password));
    if (!found || password === null) return this.#failed(transaction, username, all.length > 0);
    if (!this.#nonces.use(shown)) return this.#challenge(transaction, true);
    this.#limiter.succeeded(username, flow.address);
    return { who: found.who, password };
  }

  /** Seconds for which nothing of a number from there is looked at; what comes over the connection it is registered over always is. */
  #closed(username: string, { reliable, accounts, address }: Flow): number {
    return reliable && accounts.has(username) ? 0 : this.#limiter.closed(username, address);
  }

  #failed(transaction: ServerTransaction, username: string, isKnown: boolean): null {
    const { address, transport } = transaction.flow;
    const failure = this.#limiter.failed(username, address, {
      cause: isKnown ? 'AUTH_FAILED' : 'WRONG_NUMBER',
      way: transport === 'UDP' ? 'sip_udp' : 'sip_ws',
    });
    if (failure.isNews) this.#limited(username, address);
    const wait = Math.max(failure.pair, failure.address);
    return wait > 0 ? refuse(transaction, 503, wait) : refuse(transaction);
  }

  #challenge(transaction: ServerTransaction, stale: boolean): null {
    const register = transaction.request.method === 'REGISTER';
    const algorithms = algorithmsOf[transaction.flow.transport];
    transaction.respond(register ? 401 : 407, this.#nonces.challenge(register ? 'WWW-Authenticate' : 'Proxy-Authenticate', algorithms, stale));
    return null;
  }
}

function refuse(transaction: ServerTransaction, status = 403, wait = 0): null {
  transaction.respond(status, wait > 0 ? [['Retry-After', String(wait)]] : []);
  return null;
}

/** Whether a proof was made for this request: some clients leave out port and parameters of the URI, none the rest. */
function isForThis({ uri }: Shown, request: SipRequest): boolean {
  const bare = (text: string): string =>
    text
      .replace(/[;?].*$/, '')
      .replace(/:\d+$/, '')
      .toLowerCase();
  return uri === request.uriText || bare(uri) === bare(request.uriText);
}
