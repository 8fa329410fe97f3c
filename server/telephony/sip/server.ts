import { dialable } from '#models/sip.ts';
import type { Config } from '#server/config.ts';
import type { Limiter, Limits } from '#server/limiter.ts';
import { reasonOf, StartError } from '#server/start-error.ts';
import { Authority } from './authority.ts';
import type { DialogLeg, LegPlace } from './dialog-leg.ts';
import { currentOf, type Flow, type SipTimes, usualTimes } from './flow.ts';
import { sessionOf } from './in-dialog.ts';
import { IncomingLeg } from './incoming-leg.ts';
import type { Binding, Invite, OutgoingInvite, Party, SipAccount, SipLeg, SipServer } from './leg.ts';
import { headerOf } from './message.ts';
import { sdpOf } from './offers.ts';
import { OutgoingLeg } from './outgoing-leg.ts';
import { Registrar } from './registrar.ts';
import type { ServerTransaction } from './server-transaction.ts';
import { type SipLog, Stack } from './stack.ts';
import { type Trunk, type TrunkAccount, trunkPlace } from './trunk.ts';
import { openUdp, type OpenUdp } from './udp.ts';
import { openWebSockets, type SocketConfig, type SocketTimes, usualSocketTimes } from './websocket.ts';
import { clean } from './write.ts';

export interface SipOptions {
  config: SocketConfig & Pick<Config, 'sipPort' | 'sipUdp'>;
  log: SipLog;
  now: () => Date;
  /** Who a number is; null for one that there is not, that is switched off or has no licence. */
  accountOf: (number: string) => Promise<SipAccount | null>;
  /** The trunk that calls from this address and port without a password; null where none does: then who calls has to prove itself. */
  trunkAt?: (address: string, port: number) => Promise<Trunk | null>;
  /** The trunks that call in with this login. */
  trunksOf?: (login: string) => Promise<readonly TrunkAccount[]>;
  /** Somebody guesses the password of a name from an address; told once an hour of both. */
  limited?: (login: string, address: string) => void;
  /** Counts failures where others see them too. */
  limiter?: (limits: Limits, now: () => number) => Limiter;
  /** The host by which a far side of UDP finds us, where that is another than the public one. */
  hostFor?: (address: string) => string | null;
  /** Whether a page of the console is being loaded from an address, as far as is known. */
  isLoading?: (address: string) => boolean;
  times?: Partial<SipTimes & SocketTimes>;
}

/** The SIP side of the server, and what only it can tell. */
export interface OpenSip extends SipServer {
  /** Looks again whether the passwords of a number's registrations hold (somebody signed out, a number was taken away), or of all. */
  recheck: (number?: string) => Promise<void>;
  /** What is under way: transactions, dialogs, legs. */
  readonly load: { servers: number; clients: number; dialogs: number; legs: number };
}

/** Who calls: a number, or a trunk. */
interface Caller {
  account: SipAccount | null;
  trunk: Trunk | null;
  byAddress: boolean;
  projectId: string;
}
const ofNumber = (account: SipAccount): Caller => ({ account, trunk: null, byAddress: false, projectId: account.projectId });
const ofTrunk = (trunk: Trunk, byAddress: boolean): Caller => ({ account: null, trunk, byAddress, projectId: trunk.projectId });

class Server implements OpenSip {
  readonly #options: SipOptions;
  readonly #stack: Stack;
  readonly #authority: Authority;
  readonly #registrar: Registrar;
  readonly #legs = new Map<string, DialogLeg>();
  /** Requests of which somebody is still being looked up. */
  readonly #underWay = new Set<Promise<void>>();
  #isClosing = false;
  readonly #domain: string;
  #handler: ((leg: SipLeg, invite: Invite) => void) | null = null;
  #sockets: { port: number; close: () => Promise<void> } | null = null;
  #udp: OpenUdp | null = null;

  constructor(options: SipOptions) {
    this.#options = options;
    const times = { ...usualTimes, ...options.times };
    const now = () => options.now().getTime();
    this.#domain = new URL(options.config.publicUrl).hostname;
    this.#stack = new Stack(times, options.log, options.isLoading);
    this.#authority = new Authority(options, now);
    this.#registrar = new Registrar({ authority: this.#authority, now, reattach: times.reattach, moved: () => this.#noteFlows() });
    this.#stack.onRequest = (transaction) => this.#request(transaction);
  }

  async open(): Promise<this> {
    const { config, times } = this.#options;
    const receive = (flow: Flow, text: string) => this.#stack.receive(flow, text);
    const closed = (flow: Flow): void => {
      this.#registrar.flowClosed(flow);
      this.#noteFlows();
    };
    const isStranger = (flow: Flow) => flow.accounts.size === 0 && ![...this.#legs.values()].some(({ dialog }) => currentOf(dialog.flow) === flow);
    this.#sockets = await openWebSockets(config, config.sipPort, { ...usualSocketTimes, ...times }, { receive, closed, isStranger });
    const { sipUdp } = config;
    this.#udp =
      sipUdp &&
      (await openUdp(sipUdp.host, sipUdp.port, (address) => this.#options.hostFor?.(address) ?? this.#domain, receive).catch((error: unknown) =>
        this.#cannotListen(sipUdp, error),
      ));
    return this;
  }

  async #cannotListen({ host, port }: { host: string; port: number }, error: unknown): Promise<never> {
    await this.close();
    throw new StartError(`The server cannot listen on ${host}:${port} for SIP over UDP: ${reasonOf(error)}. Check DOORWARD_SIP_UDP.`);
  }

  get #place(): LegPlace {
    return { stack: this.#stack, legs: this.#legs };
  }

  get ports(): SipServer['ports'] {
    return { ws: this.#sockets?.port ?? 0, udp: this.#udp?.port ?? null };
  }

  get load(): OpenSip['load'] {
    return { ...this.#stack.sizes, legs: this.#legs.size };
  }

  onInvite(handler: (leg: SipLeg, invite: Invite) => void): void {
    this.#handler = handler;
  }

  onReachable(listener: (number: string, reachable: boolean) => void): () => void {
    return this.#registrar.listen(listener);
  }

  bindings(number: string): readonly Binding[] {
    return this.#registrar
      .reachable(number)
      .map(({ instance, kind, userAgent, expiresAt, flow: { address } }) => ({ number, instance, kind, userAgent, expiresAt, address }));
  }

  async recheck(number?: string): Promise<void> {
    for (const one of number === undefined ? this.#registrar.numbers : [number]) await this.#registrar.recheck(one);
  }

  invite(binding: Binding, call: OutgoingInvite): SipLeg {
    const registration = this.#registrar.reachable(binding.number).find(({ instance }) => instance === binding.instance);
    if (!registration) return new OutgoingLeg(this.#place, { flow: gone, uri: `sip:${binding.number}@invalid`, domain: this.#domain }, call);
    return new OutgoingLeg(this.#place, { flow: registration.flow, uri: registration.contact, domain: this.#domain }, call);
  }

  inviteTrunk({ uri, address, login, password }: Parameters<SipServer['inviteTrunk']>[0], call: OutgoingInvite): SipLeg {
    const place = trunkPlace(uri);
    const flow = place && address !== null && this.#udp ? this.#udp.to(address, place.port) : gone;
    const credentials = login === null || password === null ? {} : { credentials: { login, password } };
    return new OutgoingLeg(this.#place, { flow, uri: place?.uri ?? 'sip:invalid', domain: place?.domain ?? this.#domain, ...credentials }, call);
  }

  #noteFlows(): void {
    for (const leg of this.#legs.values()) leg.noteFlow();
  }

  #request(transaction: ServerTransaction): void {
    transaction.onCancel = () => transaction.respond(487);
    if (this.#isClosing) return void transaction.respond(503, [['Retry-After', '5']]);
    const asked = transaction.request.method === 'REGISTER' ? this.#registrar.register(transaction) : this.#invited(transaction);
    const work = asked.catch((error: unknown) => {
      this.#options.log.warn({ err: error, method: transaction.request.method }, 'a SIP request could not be worked on');
      transaction.respond(503, [['Retry-After', '5']]);
    });
    this.#underWay.add(work);
    void work.finally(() => this.#underWay.delete(work));
  }

  /** Who calls: a number that registered over this flow, that proves itself now, or a trunk. @returns null where it was answered */
  async #caller(transaction: ServerTransaction): Promise<Caller | null> {
    const { request, flow } = transaction;
    const number = request.from.uri.user ?? '';
    if (flow.reliable && flow.accounts.size > 0) {
      const registration = this.#registrar.over(flow, number);
      if (!registration) {
        transaction.respond(403);
        return null;
      }
      const account = await this.#authority.stillHolds(number, registration.proof);
      if (account) return ofNumber(account);
    }
    const trunk = flow.transport === 'UDP' && flow.port !== null ? await this.#options.trunkAt?.(flow.address, flow.port) : null;
    if (trunk) return ofTrunk(trunk, true);
    const proven = await this.#authority.proveCaller(transaction, number);
    return proven && ('passwords' in proven ? ofNumber(proven) : ofTrunk(proven, false));
  }

  async #invited(transaction: ServerTransaction): Promise<void> {
    const caller = await this.#caller(transaction);
    if (!caller || transaction.state !== 'proceeding') return;
    const { request } = transaction;
    const target = request.uri.user ?? '';
    const sdp = sdpOf(request);
    if (!dialable.test(target)) return void transaction.respond(404);
    if (request.contacts.length !== 1) return void transaction.respond(400);
    if (request.body !== '' && sdp === null) return void transaction.respond(415, [['Accept', 'application/sdp']]);
    if (sessionOf(request) === 'too-small') return void transaction.respond(422, [['Min-SE', '90']]);
    if (!this.#handler) return void transaction.respond(503, [['Retry-After', '5']]);
    const { account, trunk, byAddress, projectId } = caller;
    transaction.respond(100);
    const leg = new IncomingLeg(this.#place, transaction, account ? { number: account.number, name: account.name } : partyOf(transaction));
    const header = (name: string): string | null => {
      const value = headerOf(request, name);
      return value === null ? null : clean(value);
    };
    this.#handler(leg, { target, account: account?.number ?? null, trunk, byAddress, projectId, sdp, header });
    leg.noteFlow();
  }

  /** Hangs up all calls and listens no more; nobody is looked up any more after it. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const leg of this.#legs.values()) leg.end({ status: 503, reason: { cause: 503, text: 'The server stops' } });
    this.#registrar.close();
    await this.#sockets?.close();
    await this.#udp?.close();
    await Promise.all(this.#underWay);
    this.#stack.close();
  }
}

/** The place of a flow that is not there: what is sent over it fails as if the far side had gone. */
const gone: Flow = {
  id: 'gone',
  transport: 'WS',
  reliable: true,
  local: 'invalid',
  address: '',
  port: null,
  accounts: new Set(),
  isOpen: false,
  next: null,
  send: () => {},
  close: () => {},
};

function partyOf({ request: { from } }: ServerTransaction): Party {
  const number = from.uri.user ?? '';
  const name = from.name === null ? '' : clean(from.name).slice(0, 100);
  return { number: dialable.test(number) ? number : 'anonymous', name: name === '' ? null : name };
}

/** Opens the SIP side: WebSocket for browsers and panels, UDP for plain phones and trunks. @throws Error where a port is taken */
export const openSip = (options: SipOptions): Promise<OpenSip> => new Server(options).open();
