import type { UserAgentCommand, UserAgentReport } from '#machines/phone/ports.ts';
import type { PhoneSettings } from '#models/phone-calls.ts';
import { sipConstants } from '#models/sip.ts';
import { readIncoming } from './incoming.ts';
import type { Agent, AgentSetup, Session } from './jssip-parts.ts';
import type { Leg } from './leg.ts';
import type { Line } from './leg-session.ts';
import { readyConnection } from './readied.ts';
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
  createSocket: (url: string) => SipSocket;
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

/** Where SIP is spoken (clause SIP-01), and the host that stands in its addresses. */
function addressOf({ sip }: PhoneSettings, own: string): { url: string; host: string } {
  const name = sip.host ?? own;
  const host = name.includes(':') && !name.startsWith('[') ? `[${name}]` : name;
  return { url: `${sip.secure ? 'wss' : 'ws'}://${host}:${sip.port}`, host };
}

interface Connected {
  line: Line;
  watchdog: ReturnType<typeof watchConnection>;
}
interface Hearer {
  connected: () => void;
  lost: () => void;
  registered: () => void;
  unregistered: () => void;
  failed: (isInvalid: boolean) => void;
}

/** Makes the agent of a number and hears it; it neither connects nor registers by itself. */
function createLine(world: UserAgentWorld, number: string, account: SipAccount, settings: PhoneSettings, hearer: Hearer, report: Report): Connected {
  const { url, host } = addressOf(settings, world.host);
  const target = (wanted: string): string => `sip:${wanted}@${host}`;
  const incoming = new Map<string, { session: Session; offer: string | null }>();
  const socket = world.createSocket(url);
  const agent = world.createAgent({ socket, uri: target(number), ...account, registerSeconds: sipConstants.registerSeconds });
  agent.on('connected', hearer.connected);
  agent.on('disconnected', hearer.lost);
  agent.on('registered', hearer.registered);
  agent.on('unregistered', hearer.unregistered);
  agent.on('registrationFailed', ({ response }) => {
    // Without an answer the connection is lost, which is told as such.
    if (response || agent.isConnected()) hearer.failed(invalid.includes(response?.status_code ?? 0));
  });
  agent.on('newRTCSession', ({ originator, session, request }) => {
    if (originator !== 'remote') return;
    const sipId = world.freshId();
    incoming.set(sipId, { session, offer: request.body });
    for (const name of ['ended', 'failed'] as const) session.on(name, () => void incoming.delete(sipId));
    report({ type: 'sip.incoming', call: readIncoming(sipId, session, request, world) });
  });
  const iceServers = settings.ice_servers.map(({ urls, username, credential }) => ({
    urls,
    ...(username !== undefined && { username }),
    ...(credential !== undefined && { credential }),
  }));
  // Many may ring at once; the first is the one that will be answered, and the others cost nothing.
  let isReadied = false;
  const waiting: (() => void)[] = [];
  agent.on('connected', () => waiting.splice(0).forEach((work) => work()));
  return {
    line: {
      agent,
      target,
      own: target(number),
      incoming: (sipId) => incoming.get(sipId)?.session,
      ready(sipId) {
        if (isReadied) return null;
        const make = (): RTCPeerConnection => world.createConnection({ iceServers });
        const readied = readyConnection(incoming.get(sipId)?.offer ?? null, make, () => (isReadied = false));
        isReadied = readied !== null;
        return readied;
      },
      iceServers: () => iceServers,
      whenConnected: (work) => void waiting.push(work),
      now: world.now,
      chance: world.chance,
    },
    watchdog: watchConnection({ agent, socket, target: target(number), now: world.now }),
  };
}

/** Opens the user agent of a number (clauses SIP-01 to SIP-07); it connects and registers when told to, once each time. */
export function openUserAgent(world: UserAgentWorld, number: string, report: Report): UserAgent {
  const legs = new Map<string, Leg>();
  let up: Connected | null = null;
  let isOver = false;
  let isLeaving = false;
  let isStarting = false;
  let wasLost = false;

  const failed = (isInvalid: boolean): void => {
    if (!isOver) report({ type: 'sip.failed', invalid: isInvalid, chance: world.chance() });
  };
  const hearer: Hearer = {
    connected: () => up?.line.agent.register(),
    lost() {
      wasLost = true;
      for (const leg of legs.values()) leg.disconnected();
      failed(false);
    },
    registered() {
      report({ type: 'sip.registered' });
      // A registration alone does not tell a server that its calls go over the new connection.
      if (wasLost) for (const leg of legs.values()) leg.reconnected();
      wasLost = false;
    },
    unregistered: () => void (isLeaving && report({ type: 'sip.unregistered' })),
    failed,
  };
  const start = async (): Promise<void> => {
    const account = world.secret.of(number);
    if (!account) return failed(true);
    const settings = await world.settings().catch(() => null);
    if (isOver) return;
    if (!settings) return failed(false);
    up = createLine(world, number, account, settings, hearer, report);
    up.line.agent.start();
  };
  const register = (): void => {
    isLeaving = false;
    if (up) {
      const { agent } = up.line;
      if (!agent.isConnected()) agent.transport.connect();
      else if (agent.isRegistered()) report({ type: 'sip.registered' });
      else agent.register();
    } else if (!isStarting) {
      isStarting = true;
      void start().finally(() => {
        isStarting = false;
      });
    }
  };
  const unregister = (): void => {
    isLeaving = true;
    if (up?.line.agent.isConnected() && up.line.agent.isRegistered()) up.line.agent.unregister();
    else report({ type: 'sip.unregistered' });
  };
  const refuse = (sipId: string): void => {
    const session = up?.line.incoming(sipId);
    if (session && !session.isEnded()) session.terminate({ status_code: busyHere });
  };
  /** A reload tells nobody by itself. JsSIP's own farewell would refuse what rings; that the connection is gone is told by its end. */
  const leavePage = (): void => {
    for (const leg of legs.values()) leg.leave();
    up?.watchdog.stop();
    up?.line.agent.transport.disconnect();
  };
  world.page.addEventListener('pagehide', leavePage);

  return {
    legs,
    line: () => up?.line ?? null,
    obey(command) {
      switch (command.type) {
        case 'sip.register':
          return register();
        case 'sip.unregister':
          return unregister();
        case 'sip.probe':
          return up?.watchdog.ask();
        case 'sip.refuse':
          return refuse(command.sipId);
      }
    },
    close() {
      isOver = true;
      world.page.removeEventListener('pagehide', leavePage);
      for (const leg of legs.values()) leg.close();
      up?.watchdog.stop();
      up?.line.agent.stop();
    },
  };
}
