import type { Socket } from 'jssip';

/** A request or response of SIP, as far as it is read here. */
export interface SipMessage {
  status_code?: number;
  reason_phrase?: string;
  body: string | null;
  getHeader: (name: string) => string | undefined;
}
export interface Ended {
  originator: 'local' | 'remote' | 'system';
  message: SipMessage | null;
  cause: string;
}
export interface SessionEvents {
  peerconnection: (event: { peerconnection: RTCPeerConnection }) => void;
  icecandidate: (event: { candidate: RTCIceCandidate; ready: () => void }) => void;
  progress: (event: { originator: 'local' | 'remote'; response: SipMessage | null }) => void;
  confirmed: () => void;
  ended: (event: Ended) => void;
  failed: (event: Ended) => void;
  hold: (event: { originator: 'local' | 'remote' }) => void;
  unhold: (event: { originator: 'local' | 'remote' }) => void;
  reinvite: (event: { request: SipMessage; reject: (options: { status_code: number }) => void }) => void;
  update: (event: { request: SipMessage }) => void;
}
/** What happens to a request inside a dialog. */
export interface RequestHandlers {
  onSuccessResponse: (response: SipMessage) => void;
  onErrorResponse: (response: SipMessage) => void;
  onRequestTimeout: () => void;
  onTransportError: () => void;
  onDialogError: (response: SipMessage) => void;
}
export interface AnswerOptions {
  mediaStream?: MediaStream;
  mediaConstraints?: { audio: boolean; video: boolean };
  pcConfig?: RTCConfiguration;
}
/**
 * One call of JsSIP. Not in its types: `sendRequest` and the three handlers, without which a refused hold or a broken connection ends the call;
 * `emit` and what begins with `_`, without which a connection cannot be readied before it is needed.
 */
export interface Session {
  readonly direction: 'incoming' | 'outgoing';
  readonly contact: string;
  readonly connection: RTCPeerConnection | null;
  readonly remote_identity: { uri: { user: string }; display_name?: string };
  isEnded: () => boolean;
  isEstablished: () => boolean;
  answer: (options: AnswerOptions) => void;
  terminate: (options?: { status_code?: number; reason_phrase?: string }) => void;
  refer: (target: string, options: { replaces?: Session; eventHandlers: Record<'accepted' | 'failed' | 'requestFailed', () => void> }) => void;
  sendDTMF: (tone: string, options: { duration: number; transportType: 'INFO' }) => void;
  sendRequest: (
    method: string,
    options?: { extraHeaders?: string[]; body?: string; eventHandlers?: RequestHandlers },
  ) => { call_id: string } | undefined;
  onTransportError: () => void;
  onRequestTimeout: () => void;
  onDialogError: () => void;
  on: <Name extends keyof SessionEvents>(name: Name, heard: SessionEvents[Name]) => unknown;
  emit: (name: 'peerconnection', event: { peerconnection: RTCPeerConnection }) => unknown;
  _connection: RTCPeerConnection | null;
  _createRTCConnection: () => void;
  _createLocalDescription: (type: 'offer' | 'answer', constraints?: RTCOfferOptions) => Promise<string>;
}
/** A transaction as the user agent announces it; its handler is replaced where JsSIP's own answer to 491 is wrong. */
export interface Transaction {
  type: string;
  request: { call_id: string };
  eventHandlers: { onReceiveResponse: (response: SipMessage) => void };
}
export interface UserAgentEvents {
  connected: () => void;
  disconnected: (event: { error: boolean }) => void;
  registered: () => void;
  unregistered: (event: { cause?: string | null }) => void;
  registrationFailed: (event: { response: SipMessage | null; cause: string }) => void;
  newRTCSession: (event: { originator: 'local' | 'remote'; session: Session; request: SipMessage }) => void;
  newTransaction: (event: { transaction: Transaction }) => void;
}
/** The user agent of JsSIP, as far as it is used here. */
export interface Agent {
  readonly transport: { connect: () => void; disconnect: () => void };
  start: () => void;
  stop: () => void;
  register: () => void;
  unregister: () => void;
  isRegistered: () => boolean;
  isConnected: () => boolean;
  call: (target: string, options: AnswerOptions & { extraHeaders: string[]; eventHandlers?: Partial<SessionEvents> }) => Session;
  sendOptions: (target: string, body: null, options: { eventHandlers: Record<'succeeded' | 'failed', () => void> }) => unknown;
  on: <Name extends keyof UserAgentEvents>(name: Name, heard: UserAgentEvents[Name]) => unknown;
  off: <Name extends keyof UserAgentEvents>(name: Name, heard: UserAgentEvents[Name]) => unknown;
}
/** Everything JsSIP needs to be told of one number. */
export interface AgentSetup {
  socket: Socket;
  uri: string;
  name: string;
  password: string;
  registerSeconds: number;
}
