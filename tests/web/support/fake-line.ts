import { vi } from 'vitest';
import type {
  Agent,
  AgentSetup,
  RequestHandlers,
  Session,
  SessionEvents,
  SipMessage,
  Transaction,
  UserAgentEvents,
} from '#src/adapters/phone/jssip-parts.ts';

function emitter<Events extends object>() {
  const heard = new Map<keyof Events, Set<unknown>>();
  const heardOf = (name: keyof Events): Set<unknown> => heard.get(name) ?? heard.set(name, new Set()).get(name) ?? new Set();
  return {
    on: <Name extends keyof Events>(name: Name, listener: Events[Name]) => void heardOf(name).add(listener),
    off: <Name extends keyof Events>(name: Name, listener: Events[Name]) => void heardOf(name).delete(listener),
    emit: <Name extends keyof Events>(name: Name, ...event: Events[Name] extends (...args: infer Args) => void ? Args : never) => {
      for (const listener of heardOf(name)) (listener as (...args: unknown[]) => void)(...event);
    },
  };
}

/** A message of SIP with these headers. */
export const message = (headers: Record<string, string> = {}, more: Partial<SipMessage> = {}): SipMessage => ({
  body: null,
  ...more,
  getHeader: (name) => headers[name],
});

export class FakeTrack extends EventTarget {
  enabled = true;
  readyState: 'live' | 'ended' = 'live';
  muted = false;
  label = 'fake';
  readonly kind: 'audio' | 'video';
  constructor(kind: 'audio' | 'video') {
    super();
    this.kind = kind;
  }
  stop(): void {
    this.readyState = 'ended';
  }
}
export class FakeStream {
  readonly tracks: FakeTrack[];
  constructor(tracks: FakeTrack[] = []) {
    this.tracks = tracks;
  }
  getTracks = (): FakeTrack[] => this.tracks;
  getAudioTracks = (): FakeTrack[] => this.tracks.filter(({ kind }) => kind === 'audio');
  getVideoTracks = (): FakeTrack[] => this.tracks.filter(({ kind }) => kind === 'video');
}

/** One line of sound or picture. */
interface FakeLine {
  direction: string;
  currentDirection: string | null;
  receiver: { track: { kind: string } };
  sender: {
    track: FakeTrack | null;
    dtmf: { canInsertDTMF: boolean; toneBuffer: string; insertDTMF: (...args: unknown[]) => void } | null;
    replaceTrack: (track: FakeTrack | null) => Promise<void>;
  };
}
/** A peer connection that agrees to everything at once. */
export class FakeConnection extends EventTarget {
  connectionState = 'new';
  iceConnectionState = 'new';
  signalingState = 'stable';
  localDescription: { sdp: string } | null = null;
  offers: { iceRestart: boolean }[] = [];
  lines: FakeLine[] = [];
  stats: object[] = [];
  addTransceiver(what: FakeTrack | string, { direction }: { direction: string }): FakeLine {
    const kind = typeof what === 'string' ? what : what.kind;
    const agreed = { direction };
    const isClosed = (): boolean => this.signalingState === 'closed';
    const line: FakeLine = {
      get direction() {
        return agreed.direction;
      },
      set direction(wanted) {
        if (isClosed()) throw new DOMException('The peer connection is closed.', 'InvalidStateError');
        agreed.direction = wanted;
      },
      currentDirection: null,
      receiver: { track: { kind } },
      sender: {
        track: typeof what === 'string' ? null : what,
        dtmf: null,
        replaceTrack: async (track) => {
          line.sender.track = track;
        },
      },
    };
    this.lines.push(line);
    return line;
  }
  getTransceivers = () => this.lines;
  createOffer = async (options: { iceRestart: boolean }) => {
    this.offers.push(options);
    return { type: 'offer', sdp: 'offer' };
  };
  setLocalDescription = async ({ type, sdp }: { type: string; sdp?: string }): Promise<void> => {
    if (type === 'answer') {
      this.localDescription = { sdp: sdp ?? '' };
      return;
    }
    this.localDescription = { sdp: `offer ${this.offers.length}` };
    this.signalingState = type === 'rollback' ? 'stable' : 'have-local-offer';
    if (this.offers.at(-1)?.iceRestart) queueMicrotask(() => this.dispatchEvent(Object.assign(new Event('icecandidate'), { candidate: null })));
  };
  createAnswer = async () => ({ type: 'answer', sdp: 'answer' });
  async setRemoteDescription(): Promise<void> {
    this.signalingState = 'stable';
  }
  getStats = async () => new Map(this.stats.map((stat, index) => [String(index), stat]));
  close(): void {
    this.connectionState = 'closed';
    this.signalingState = 'closed';
  }
  become(state: 'connected' | 'disconnected' | 'failed'): void {
    this.connectionState = state;
    this.dispatchEvent(new Event('connectionstatechange'));
  }
}

/** A call of JsSIP, driven by hand. */
export function fakeSession(agent: { emitTransaction: (transaction: Transaction) => void }, direction: 'incoming' | 'outgoing', name?: string) {
  const events = emitter<SessionEvents>();
  const requests: { method: string; handlers: RequestHandlers | undefined; transaction: Transaction }[] = [];
  const state = { established: false, ended: false, connection: null as FakeConnection | null };
  const session = {
    direction,
    contact: '<sip:x>',
    get connection() {
      return state.connection as unknown as RTCPeerConnection | null;
    },
    remote_identity: { uri: { user: '2001' }, ...(name !== undefined && { display_name: name }) },
    isEnded: () => state.ended,
    isEstablished: () => state.established && !state.ended,
    answer: vi.fn<Session['answer']>(),
    terminate: vi.fn<Session['terminate']>(() => {
      state.ended = true;
    }),
    refer: vi.fn<Session['refer']>(),
    sendDTMF: vi.fn<Session['sendDTMF']>(),
    sendRequest: vi.fn<Session['sendRequest']>((method, options) => {
      const transaction: Transaction = {
        type: method === 'INVITE' ? 'ict' : 'nict',
        request: { call_id: 'c' },
        eventHandlers: { onReceiveResponse: () => {} },
      };
      requests.push({ method, handlers: options?.eventHandlers, transaction });
      if (method === 'INVITE') agent.emitTransaction(transaction);
      return { call_id: 'c' };
    }),
    onTransportError: vi.fn<() => void>(),
    onRequestTimeout: vi.fn<() => void>(),
    onDialogError: vi.fn<() => void>(),
    on: events.on,
    emit: (name: 'peerconnection', event: { peerconnection: RTCPeerConnection }) => events.emit(name, event),
    _connection: null,
    _createRTCConnection: () => {},
    _createLocalDescription: vi.fn<Session['_createLocalDescription']>(async () => 'gathered'),
  };
  /** The peer connection comes into being. */
  const connect = (): FakeConnection => {
    state.connection = new FakeConnection();
    events.emit('peerconnection', { peerconnection: state.connection as unknown as RTCPeerConnection });
    return state.connection;
  };
  const confirm = (): void => {
    state.established = true;
    events.emit('confirmed');
  };
  const end = (cause: string, sip: SipMessage | null = null, originator: 'local' | 'remote' = 'remote'): void => {
    state.ended = true;
    events.emit('ended', { originator, message: sip, cause });
  };
  return { session: session as Session & typeof session, emit: events.emit, requests, state, connect, confirm, end };
}
export type FakeSession = ReturnType<typeof fakeSession>;

/** The user agent of JsSIP, driven by hand. */
export function fakeAgent() {
  const events = emitter<UserAgentEvents>();
  const state = { connected: false, registered: false };
  const calls: FakeSession[] = [];
  const asked: (() => void)[] = [];
  const emitTransaction = (transaction: Transaction): void => events.emit('newTransaction', { transaction });
  const agent = {
    transport: { connect: vi.fn<() => void>(), disconnect: vi.fn<() => void>() },
    start: vi.fn<() => void>(),
    stop: vi.fn<() => void>(),
    register: vi.fn<() => void>(),
    unregister: vi.fn<() => void>(),
    isRegistered: () => state.registered,
    isConnected: () => state.connected,
    call: vi.fn<Agent['call']>((_target, options) => {
      const made = fakeSession({ emitTransaction }, 'outgoing');
      for (const [name, listener] of Object.entries(options.eventHandlers ?? {})) made.session.on(name as keyof SessionEvents, listener as never);
      calls.push(made);
      return made.session;
    }),
    sendOptions: vi.fn<Agent['sendOptions']>((_target, _body, { eventHandlers }) => void asked.push(eventHandlers.succeeded)),
    on: events.on,
    off: events.off,
  };
  const setups: AgentSetup[] = [];
  return {
    agent: agent as Agent & typeof agent,
    setups,
    calls,
    /** Answers of the questions for a sign of life, oldest first. */
    asked,
    create: (setup: AgentSetup): Agent => {
      setups.push(setup);
      return agent;
    },
    emit: events.emit,
    emitTransaction,
    connect: () => {
      state.connected = true;
      events.emit('connected');
    },
    lose: () => {
      state.connected = false;
      state.registered = false;
      events.emit('disconnected', { error: true });
    },
    registered: () => {
      state.registered = true;
      events.emit('registered');
    },
    incoming: (request: SipMessage, name?: string): FakeSession => {
      const made = fakeSession({ emitTransaction }, 'incoming', name);
      events.emit('newRTCSession', { originator: 'remote', session: made.session, request });
      return made;
    },
  };
}
