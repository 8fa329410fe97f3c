import { constants } from '#models/constants.ts';
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { dialable } from '#models/sip.ts';
import type { DialogLeg } from './dialog-leg.ts';
import { agent, viaOf } from './dialog.ts';
import { respondTo } from './digest-client.ts';
import { type Flow, usualTimes } from './flow.ts';
import { IncomingLeg } from './incoming-leg.ts';
import type { Invite, OutgoingInvite, SipLeg } from './leg.ts';
import { headerOf, type SipResponse } from './message.ts';
import { sdpOf } from './offers.ts';
import { OutgoingLeg } from './outgoing-leg.ts';
import type { ServerTransaction } from './server-transaction.ts';
import { newBranch, type SipLog, Stack } from './stack.ts';
import { clean, type Header, userOf, writeRequest } from './write.ts';

/** What a client is told of a call that comes in. */
export type OwnInvite = Pick<Invite, 'target' | 'sdp' | 'header'>;

export interface AgentOptions {
  /** Of the server: `ws://127.0.0.1:8443` or `wss://…`. */
  url: string;
  number: string;
  name: string;
  password: string;
  /** Names the registration and stays the same over restarts: `urn:uuid:…`. */
  instance: string;
  userAgent?: string;
  log: SipLog;
  /** A server of our own may have a certificate that nobody signed. */
  trustAll?: boolean;
}
export type AgentState = 'registering' | 'registered' | 'error' | 'invalid_registration' | 'unregistered';

const seconds = constants.reregisterIntervalSeconds;

class ClientFlow implements Flow {
  readonly id: string;
  readonly transport: 'WS' | 'WSS';
  readonly reliable = true;
  readonly port = null;
  readonly address = '';
  readonly accounts = new Set<string>();
  readonly local: string;
  next: Flow | null = null;
  isOpen = true;
  readonly #ws: WebSocket;

  constructor(ws: WebSocket, local: string, secure: boolean) {
    this.id = local;
    this.transport = secure ? 'WSS' : 'WS';
    this.local = local;
    this.#ws = ws;
  }

  send(text: string): void {
    if (this.#ws.readyState === this.#ws.OPEN) this.#ws.send(text);
  }

  close(): void {
    this.#ws.close();
  }
}

/**
 * A phone that speaks SIP over WebSocket to any server: registers, keeps registered, comes back after a broken socket with its
 * calls, calls and is called. For the panels of the demo.
 */
export class SipAgent {
  state: AgentState = 'unregistered';
  readonly #options: AgentOptions;
  readonly #stack: Stack;
  readonly #legs = new Map<string, DialogLeg>();
  readonly #callId = randomBytes(12).toString('hex');
  readonly #local = `${randomBytes(6).toString('hex')}.invalid`;
  readonly #domain: string;
  #handler: ((leg: SipLeg, invite: OwnInvite) => void) | null = null;
  #stateChanged: (state: AgentState) => void = () => {};
  #flow: ClientFlow | null = null;
  #sequence = 0;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#domain = new URL(options.url).hostname;
    this.#stack = new Stack(usualTimes, options.log);
    this.#stack.onRequest = (transaction) => this.#invited(transaction);
  }

  /** Who takes calls that come in. */
  onInvite(handler: (leg: SipLeg, invite: OwnInvite) => void): void {
    this.#handler = handler;
  }

  onState(listener: (state: AgentState) => void): void {
    this.#stateChanged = listener;
  }

  /** Connects and registers; from then on by itself, until `close`. */
  open(): void {
    if (this.#isClosed) return;
    this.#become('registering');
    const { url, trustAll } = this.#options;
    const ws = new WebSocket(url, 'sip', { rejectUnauthorized: !trustAll, handshakeTimeout: 5_000 });
    const flow = new ClientFlow(ws, this.#local, url.startsWith('wss:'));
    ws.once('open', () => {
      if (this.#isClosed) return ws.terminate();
      if (this.#flow) this.#flow.next = flow;
      this.#flow = flow;
      this.#noteFlows();
      this.#register();
    });
    ws.on('message', (data) => this.#stack.receive(flow, (data as Buffer).toString()));
    ws.on('error', () => ws.terminate());
    ws.once('close', () => {
      flow.isOpen = false;
      this.#noteFlows();
      this.#become('error');
      this.#after(constants.registrationRetryAfterError * (0.8 + 0.4 * Math.random()), () => this.open());
    });
  }

  #noteFlows(): void {
    for (const leg of this.#legs.values()) leg.noteFlow();
  }

  #become(state: AgentState): void {
    if (this.state === state) return;
    this.state = state;
    this.#stateChanged(state);
  }

  #after(ms: number, run: () => void): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = this.#isClosed ? null : setTimeout(run, ms).unref();
  }

  #register(expires: number = seconds, proof: Header[] = []): void {
    const flow = this.#flow;
    if (!flow) return;
    const { number, instance, password, userAgent } = this.#options;
    const [branch, uri, aor] = [newBranch(), `sip:${this.#domain}`, `<sip:${userOf(number)}@${this.#domain}>`];
    this.#sequence += 1;
    const headers: Header[] = [
      viaOf(flow, branch),
      ['Max-Forwards', '70'],
      ['From', `${aor};tag=${branch.slice(-12)}`],
      ['To', aor],
      ['Call-ID', this.#callId],
      ['CSeq', `${this.#sequence} REGISTER`],
      ['Contact', `<sip:${userOf(number)}@${this.#local};transport=ws>;+sip.instance="<${instance}>";expires=${expires}`],
      userAgent === undefined ? agent : ['User-Agent', userAgent],
      ...proof,
    ];
    const response = (answer: SipResponse): void => {
      if (answer.status < 200) return;
      const more = answer.status === 401 && proof.length === 0 ? respondTo(answer, { login: number, password }, 'REGISTER', uri) : null;
      if (more) return this.#register(expires, [more]);
      if (expires > 0) this.#registered(answer.status);
    };
    this.#stack.send({ method: 'REGISTER', branch, text: writeRequest(uri, headers, 'REGISTER') }, flow, { response, failed: () => flow.close() });
  }

  #registered(status: number): void {
    if (status === 200) {
      this.#become('registered');
      return this.#after((seconds / 2) * 1_000, () => this.#register());
    }
    const isInvalid = status === 403;
    this.#become(isInvalid ? 'invalid_registration' : 'error');
    this.#after(isInvalid ? constants.registrationRetryAfterInvalid : constants.registrationRetryAfterError, () => this.#register());
  }

  #invited(transaction: ServerTransaction): void {
    const { request } = transaction;
    const { from } = request;
    if (request.method !== 'INVITE' || !this.#handler) return void transaction.respond(request.method === 'INVITE' ? 480 : 405);
    const remote = { number: from.uri.user ?? '', name: from.name };
    const leg = new IncomingLeg({ stack: this.#stack, legs: this.#legs }, transaction, remote);
    transaction.respond(100);
    const header = (name: string): string | null => {
      const value = headerOf(request, name);
      return value === null ? null : clean(value);
    };
    this.#handler(leg, { target: request.to.uri.user ?? '', sdp: sdpOf(request), header });
  }

  /** Calls a number. @throws Error for what cannot be dialled, or without a socket */
  invite(number: string, call: Pick<OutgoingInvite, 'sdp' | 'headers'>): SipLeg {
    const flow = this.#flow;
    if (!dialable.test(number) || !flow?.isOpen) throw new Error(flow?.isOpen ? 'that is no number' : 'there is no way to the server');
    const { number: own, name, password } = this.#options;
    const destination = { flow, uri: `sip:${userOf(number)}@${this.#domain}`, domain: this.#domain, credentials: { login: own, password } };
    return new OutgoingLeg({ stack: this.#stack, legs: this.#legs }, destination, {
      ...call,
      from: { number: own, name },
      to: { number, name: null },
    });
  }

  /** Hangs up, unregisters and leaves. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    for (const leg of this.#legs.values()) leg.end();
    if (this.state === 'registered') this.#register(0);
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
    // Time for the goodbyes to be challenged and answered.
    if (this.#flow?.isOpen) await wait(100);
    this.#flow?.close();
    this.#stack.close();
    this.#become('unregistered');
  }
}
