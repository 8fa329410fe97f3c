import { createHash } from 'node:crypto';
import { GuessBrake } from './brake.ts';
import { Nonces, passwordShown, readShown, realm, type Shown } from './digest.ts';
import type { SipAccount } from './leg.ts';
import { headerOf, type SipRequest } from './message.ts';
import type { ServerTransaction } from './server-transaction.ts';

/** Who a request comes from, and a mark of the password that proved it. */
export interface Proven {
  account: SipAccount;
  proof: string;
}

const proofOf = (password: string): string => createHash('sha256').update(`proof ${password}`).digest('base64');
/** Looked at in the place of the passwords of a number that there is not, so that it takes as long. */
const nobody = ['nobody has this password'];

/**
 * The stronger stands first, as RFC 8760 wants it; JsSIP takes the last. Plain phones of some makes (libre before 2022) give up on a
 * challenge they do not know instead of passing it over: they are asked in the one that all know.
 */
const algorithmsOf = { WS: ['SHA-256', 'MD5'], WSS: ['SHA-256', 'MD5'], UDP: ['MD5'] } as const;

/** Asks for passwords and looks at what is shown (RFC 3261 section 22, RFC 8760). */
export class Authority {
  readonly #nonces: Nonces;
  readonly #brake: GuessBrake;
  readonly #accountOf: (number: string) => Promise<SipAccount | null>;

  constructor(accountOf: (number: string) => Promise<SipAccount | null>, now: () => number) {
    this.#accountOf = accountOf;
    this.#nonces = new Nonces(now);
    this.#brake = new GuessBrake(now);
  }

  /** Whether a password that was right when it was shown still is. */
  async stillHolds(number: string, proof: string): Promise<SipAccount | null> {
    const account = await this.#accountOf(number);
    return account?.passwords.some((password) => proofOf(password) === proof) ? account : null;
  }

  /** Who sends a request in the name of a number. @returns null where it was answered with a challenge or a refusal */
  async prove(transaction: ServerTransaction, number: string): Promise<Proven | null> {
    const { request, flow } = transaction;
    const shown = readShown(headerOf(request, 'authorization') ?? headerOf(request, 'proxy-authorization'));
    if (!shown) return this.#challenge(transaction, false);
    if (shown.realm !== realm || shown.username !== number || shown.qop !== 'auth' || !isForThis(shown, request)) return refuse(transaction);
    const wait = this.#brake.wait(number, flow.address);
    if (wait > 0) return refuse(transaction, 503, wait);
    if (!this.#nonces.isFresh(shown.nonce)) return this.#challenge(transaction, true);
    const account = await this.#accountOf(number);
    const password = passwordShown(shown, request.method, account?.passwords ?? nobody);
    // Guesses sent at once are all under way before the first has failed: the pause is looked at again.
    const braked = this.#brake.wait(number, flow.address);
    if (braked > 0) return refuse(transaction, 503, braked);
    if (!account || password === null) {
      this.#brake.failed(number, flow.address);
      return refuse(transaction);
    }
    if (!this.#nonces.use(shown)) return this.#challenge(transaction, true);
    this.#brake.succeeded(number, flow.address);
    return { account, proof: proofOf(password) };
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
