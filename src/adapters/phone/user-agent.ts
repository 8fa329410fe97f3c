import { constants } from '#models/constants.ts';
import type { UserAgentCommand, UserAgentReport } from '#machines/phone/ports.ts';
import type { PhoneSettings } from '#models/phone-calls.ts';
import { readIncoming } from './incoming.ts';
import type { Agent, AgentSetup, Session } from './jssip-parts.ts';
import type { Leg } from './leg.ts';
import type { Line } from './leg-session.ts';
import { type Readied, readyConnection } from './readied.ts';
import type { SipAccount, SipSecret } from './sip-secret.ts';
import type { SipSocket } from './sip-socket.ts';
import { watchConnection } from './watchdog.ts';

/** What the user agent needs of the world. */
export interface UserAgentWorld {
  settings: () => Promise<PhoneSettings>;
  secret: Pick<SipSecret, 'of'>;
  /** The host of the console's own server. */
  host: string;
  createAgent: (setup: AgentSetup) => Agent;
  createSocket: (url: string, others: readonly string[]) => SipSocket;
  createConnection: (settings: RTCConfiguration) => RTCPeerConnection;
  page: Pick<Window, 'addEventListener' | 'removeEventListener'>;
  now: () => number;
  /** 0 to 1. */
  chance: () => number;
  freshId: () => string;
  warn: (what: string, error: unknown) => void;
}
/** The user agent of one number, and the line its legs are on. */
export interface UserAgent {
  obey: (command: UserAgentCommand) => void;
  /** Null until it was told to register. */
  line: () => Line | null;
  /** Legs that are up, by speech id. */
  legs: Map<string, Leg>;
  close: () => void;
}
type Report = (fact: UserAgentReport) => void;

/** Number or password were refused: trying again at once is of no use. */
const invalid = [401, 403, 404, 407];
const busyHere = 486;

/** Where SIP is spoken (clause SIP-01), and the host or realm that stands in its addresses. */
function addressOf({ sip, nodes }: PhoneSettings, own: string): { url: string; others: string[]; host: string } {
  const written = (name: string): string => (name.includes(':') && !name.startsWith('[') ? `[${name}]` : name);
  const host = written(sip.host ?? own);
  const scheme = sip.secure ? 'wss' : 'ws';
  const others = nodes.map((node) => `${scheme}://${node}`);
  return { url: `${scheme}://${host}:${sip.port}`, others, host: sip.realm ? written(sip.realm) : host };
}

interface Connected {
  line: Line;
  watchdog: ReturnType<typeof watchConnection>;
}
interface Subscriber {
  connected: () => void;
  lost: () => void;
  registered: () => void;
  unregistered: () => void;
  failed: (isInvalid: boolean) => void;
}

const iceServersOf = ({ ice_servers }: PhoneSettings): RTCIceServer[] =>
  ice_servers.map(({ urls, username, credential }) => ({
    urls,
    ...(username !== undefined && { username }),
    ...(credential !== undefined && { credential }),
  }));

/** Readies one connection at a time: many may ring at once; the first is the one that will be answered, and the others cost nothing. */
function oneReadied(make: () => RTCPeerConnection): (offer: string | null) => Readied | null {
  let isReadied = false;
  return (offer) => {
    if (isReadied) return null;
    const readied = readyConnection(offer, make, () => (isReadied = false));
    isReadied = readied !== null;
    return readied;
  };
}

/** Makes the agent of a number and hears it; it neither connects nor registers by itself. */
function createLine(world: UserAgentWorld, number: string, account: SipAccount, settings: PhoneSettings, to: Subscriber, report: Report): Connected {
  const { url, others, host } = addressOf(settings, world.host);
  const target = (wanted: string): string => `sip:${wanted}@${host}`;
  const incoming = new Map<string, { session: Session; offer: string | null }>();
  const socket = world.createSocket(url, others);
  const agent = world.createAgent({ socket, uri: target(number), ...account, registerSeconds: constants.reregisterIntervalSeconds });
  agent.on('connected', to.connected);
  agent.on('disconnected', to.lost);
  agent.on('registered', to.registered);
  agent.on('unregistered', to.unregistered);
  agent.on('registrationFailed', ({ response }) => {
    // Without an answer the connection is lost, which is to as such.
    if (response || agent.isConnected()) to.failed(invalid.includes(response?.status_code ?? 0));
  });
  agent.on('newRTCSession', ({ originator, session, request }) => {
    if (originator !== 'remote') return;
    const sipId = world.freshId();
    incoming.set(sipId, { session, offer: request.body });
    for (const name of ['ended', 'failed'] as const) session.on(name, () => void incoming.delete(sipId));
    report({ type: 'sip.incoming', call: readIncoming(sipId, session, request, world) });
  });
  const iceServers = iceServersOf(settings);
  const readyOne = oneReadied(() => world.createConnection({ iceServers }));
  const waiting: (() => void)[] = [];
  agent.on('connected', () => waiting.splice(0).forEach((work) => work()));
  return {
    line: {
      agent,
      target,
      own: target(number),
      incoming: (sipId) => incoming.get(sipId)?.session,
      ready: (sipId) => readyOne(incoming.get(sipId)?.offer ?? null),
      iceServers: () => iceServers,
      whenConnected: (work) => void waiting.push(work),
      now: world.now,
      chance: world.chance,
    },
    watchdog: watchConnection({ agent, socket, target: target(number), now: world.now }),
  };
}

/** The number's user agent from its first registration on. */
class NumberAgent implements Subscriber {
  readonly legs = new Map<string, Leg>();
  readonly #world: UserAgentWorld;
  readonly #number: string;
  readonly #report: Report;
  #up: Connected | null = null;
  readonly #is = { over: false, leaving: false, starting: false };
  #wasLost = false;

  constructor(world: UserAgentWorld, number: string, report: Report) {
    this.#world = world;
    this.#number = number;
    this.#report = report;
    world.page.addEventListener('pagehide', this.#leavePage);
  }

  get line(): Line | null {
    return this.#up?.line ?? null;
  }
  readonly connected = (): void => this.#up?.line.agent.register();
  readonly lost = (): void => {
    this.#wasLost = true;
    for (const leg of this.legs.values()) leg.disconnected();
    this.failed(false);
  };
  readonly registered = (): void => {
    this.#report({ type: 'sip.registered' });
    // A registration alone does not tell a server that its calls go over the new connection.
    if (this.#wasLost) for (const leg of this.legs.values()) leg.reconnected();
    this.#wasLost = false;
  };
  readonly unregistered = (): void => void (this.#is.leaving && this.#report({ type: 'sip.unregistered' }));
  readonly failed = (isInvalid: boolean): void => {
    if (!this.#is.over) this.#report({ type: 'sip.failed', invalid: isInvalid, chance: this.#world.chance() });
  };

  obey(command: UserAgentCommand): void {
    switch (command.type) {
      case 'sip.register':
        return this.#register();
      case 'sip.unregister':
        return this.#unregister();
      case 'sip.probe':
        return this.#up?.watchdog.ask();
      case 'sip.refuse':
        return this.#refuse(command.sipId);
    }
  }
  close(): void {
    this.#is.over = true;
    this.#world.page.removeEventListener('pagehide', this.#leavePage);
    for (const leg of this.legs.values()) leg.close();
    this.#up?.watchdog.stop();
    this.#up?.line.agent.stop();
  }

  async #start(): Promise<void> {
    const account = this.#world.secret.of(this.#number);
    // It comes with the profile, which a console that opened without the server has not been told yet.
    if (!account) return this.failed(false);
    const settings = await this.#world.settings().catch(() => null);
    if (this.#is.over) return;
    if (!settings) return this.failed(false);
    this.#up = createLine(this.#world, this.#number, account, settings, this, this.#report);
    this.#up.line.agent.start();
  }
  #register(): void {
    this.#is.leaving = false;
    if (this.#up) {
      const { agent } = this.#up.line;
      if (!agent.isConnected()) agent.transport.connect();
      else if (agent.isRegistered()) this.#report({ type: 'sip.registered' });
      else agent.register();
    } else if (!this.#is.starting) {
      this.#is.starting = true;
      void this.#start().finally(() => {
        this.#is.starting = false;
      });
    }
  }
  #unregister(): void {
    this.#is.leaving = true;
    const agent = this.#up?.line.agent;
    if (agent?.isConnected() && agent.isRegistered()) agent.unregister();
    else this.#report({ type: 'sip.unregistered' });
  }
  #refuse(sipId: string): void {
    const session = this.#up?.line.incoming(sipId);
    if (session && !session.isEnded()) session.terminate({ status_code: busyHere });
  }
  /** A reload tells nobody by itself. JsSIP's own farewell would refuse what rings; that the connection is gone is told by its end. */
  readonly #leavePage = (): void => {
    for (const leg of this.legs.values()) leg.leave();
    this.#up?.watchdog.stop();
    this.#up?.line.agent.transport.disconnect();
  };
}

/** Opens the user agent of a number (clauses SIP-01 to SIP-07); it connects and registers when told to, once each time. */
export function openUserAgent(world: UserAgentWorld, number: string, report: Report): UserAgent {
  const agent = new NumberAgent(world, number, report);
  return { legs: agent.legs, line: () => agent.line, obey: (command) => agent.obey(command), close: () => agent.close() };
}
