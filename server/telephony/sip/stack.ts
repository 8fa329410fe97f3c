import { randomBytes } from 'node:crypto';
import { type Answered, ClientTransaction, type Outgoing } from './client-transaction.ts';
import { currentOf, type Flow, type SipTimes } from './flow.ts';
import { headerOf, readMessage, type SipRequest, type SipResponse, tokensOf } from './message.ts';
import { ServerTransaction, transactionKey } from './server-transaction.ts';
import { allowed, isKnownMethod, writeErrorResponse } from './write.ts';

/** What takes the requests within a dialog. */
export interface DialogUser {
  /** Whether a request with our tag belongs to it; the far side's tag and the Call-ID have to be right too. */
  owns: (request: SipRequest) => boolean;
  receive: (transaction: ServerTransaction) => void;
  acknowledged: (ack: SipRequest, flow: Flow) => void;
}

/** What the log is told; never a message, for it may carry credentials. */
export interface SipLog {
  debug: (what: object, text: string) => void;
  warn: (what: object, text: string) => void;
}

export const capabilities = [
  ['Allow', allowed.join(', ')],
  ['Accept', 'application/sdp, application/dtmf-relay'],
  ['Supported', 'timer, outbound'],
] as const;
const supported = new Set(['timer', 'outbound']);
/** Requests of one far side that may wait for their answer at once. */
const mostOpen = 500;
/** Most that are kept altogether, answered ones included: beyond it nothing new is begun. */
const mostOfAll = 50_000;

/** A branch that names a transaction of ours (RFC 3261 section 8.1.1.7). */
export const newBranch = (): string => `z9hG4bK${randomBytes(12).toString('hex')}`;

/** Transactions and dialogs by what names them: gives each message to the one it belongs to (RFC 3261 sections 8.2, 12.2.2 and 17). */
export class Stack {
  readonly times: SipTimes;
  /** Dialogs by our tag, which nobody can guess. */
  readonly dialogs = new Map<string, DialogUser>();
  readonly log: SipLog;
  /** Whether a page of the console is being loaded from an address. */
  readonly isLoading: (address: string) => boolean;
  readonly #servers = new Map<string, ServerTransaction>();
  readonly #clients = new Map<string, ClientTransaction>();
  readonly #open = new WeakMap<Flow, number>();
  /** REGISTER and INVITE outside of dialogs. */
  onRequest: (transaction: ServerTransaction) => void = (transaction) => transaction.respond(503);

  constructor(times: SipTimes, log: SipLog, isLoading: (address: string) => boolean = () => false) {
    this.times = times;
    this.log = log;
    this.isLoading = isLoading;
  }

  /** How many transactions and dialogs are alive, for tests and figures. */
  get sizes(): { servers: number; clients: number; dialogs: number } {
    return { servers: this.#servers.size, clients: this.#clients.size, dialogs: this.dialogs.size };
  }

  /** Sends a request of ours. */
  send(outgoing: Outgoing, flow: Flow, answered: Answered): ClientTransaction {
    const key = `${outgoing.branch} ${outgoing.method}`;
    const transaction = new ClientTransaction(outgoing, flow, this.times, answered, () => this.#clients.delete(key));
    this.#clients.set(key, transaction);
    transaction.start();
    return transaction;
  }

  /** Takes one message. Nothing that comes from outside makes it throw. */
  receive(flow: Flow, text: string): void {
    try {
      const message = readMessage(text);
      if (message === null) return;
      if (message.kind === 'malformed') return this.#refuse(flow, message.status, message.lines);
      if (message.kind === 'response') return this.#response(message);
      this.#request(message, flow);
    } catch (error) {
      this.log.warn({ err: error, flow: flow.id }, 'a SIP message could not be worked on');
    }
  }

  #refuse(flow: Flow, status: number, lines: Parameters<typeof writeErrorResponse>[0]): void {
    this.log.debug({ flow: flow.id, status }, 'a malformed SIP request');
    const errorResponse = lines.first.startsWith('ACK ') ? null : writeErrorResponse(lines, status);
    if (errorResponse !== null) flow.send(errorResponse);
  }

  #response(response: SipResponse): void {
    this.#clients.get(`${response.branch} ${response.method}`)?.receive(response);
  }

  #request(request: SipRequest, flow: Flow): void {
    const invite = this.#servers.get(transactionKey(request, 'INVITE'));
    if (request.method === 'ACK') {
      if (invite?.state === 'completed') return invite.acknowledged();
      const dialog = request.to.tag === null ? undefined : this.dialogs.get(request.to.tag);
      if (dialog?.owns(request)) dialog.acknowledged(request, flow);
      return;
    }
    const same = this.#servers.get(transactionKey(request, request.method));
    if (same) return isSameSide(same, flow) ? same.resend() : undefined;
    const transaction = this.#begin(request, flow);
    if (!transaction) return;
    if (request.method === 'CANCEL') return cancel(transaction, invite);
    try {
      this.#dispatch(transaction);
    } catch (error) {
      this.log.warn({ err: error, method: request.method }, 'a SIP request could not be worked on');
      transaction.respond(500);
    }
  }

  #begin(request: SipRequest, flow: Flow): ServerTransaction | null {
    const open = this.#open.get(flow) ?? 0;
    if (open >= mostOpen || this.#servers.size >= mostOfAll) return null;
    const key = transactionKey(request, request.method);
    const transaction = new ServerTransaction(asSeen(request, flow), flow, this.times, {
      settled: () => this.#open.set(flow, (this.#open.get(flow) ?? 1) - 1),
      gone: () => this.#servers.delete(key),
    });
    this.#servers.set(key, transaction);
    this.#open.set(flow, open + 1);
    return transaction;
  }

  #dispatch(transaction: ServerTransaction): unknown {
    const { request, flow } = transaction;
    const { method } = request;
    if (!isKnownMethod(method)) {
      this.log.debug({ flow: flow.id, method }, 'a SIP method nobody serves');
      return transaction.respond(501, [['Allow', allowed.join(', ')]]);
    }
    const unsupported = tokensOf(request, 'require').filter((option) => !supported.has(option));
    if (unsupported.length > 0) return transaction.respond(420, [['Unsupported', unsupported.join(', ')]]);
    if (request.to.tag !== null) {
      const dialog = this.dialogs.get(request.to.tag);
      if (dialog?.owns(request)) return dialog.receive(transaction);
      // Who asks whether we are there is answered, whatever it remembers.
      return method === 'OPTIONS' ? transaction.respond(200, capabilities) : transaction.respond(481);
    }
    if (method === 'OPTIONS') return transaction.respond(200, capabilities);
    if (!/^sips?$/.test(request.uri.scheme)) return transaction.respond(416);
    if (method === 'REGISTER') return this.onRequest(transaction);
    if (method === 'INVITE') return this.#invite(transaction);
    if (method === 'SUBSCRIBE') return transaction.respond(489);
    if ((allowed as readonly string[]).includes(method)) return transaction.respond(481);
    return transaction.respond(405, [['Allow', allowed.join(', ')]]);
  }

  #invite(transaction: ServerTransaction): unknown {
    const { request } = transaction;
    const hops = headerOf(request, 'max-forwards');
    if (hops !== null && !/^\d{1,3}$/.test(hops)) return transaction.respond(400);
    if (hops !== null && Number(hops) === 0) return transaction.respond(483);
    if (this.#isMerged(transaction)) return transaction.respond(482);
    return this.onRequest(transaction);
  }

  /** The same INVITE came another way (RFC 3261 section 8.2.2.2). */
  #isMerged(transaction: ServerTransaction): boolean {
    const { callId, cseq, from } = transaction.request;
    for (const one of this.#servers.values()) {
      const { request } = one;
      if (one !== transaction && request.method === 'INVITE' && request.callId === callId && request.cseq === cseq && request.from.tag === from.tag)
        return one.state === 'proceeding' || one.state === 'accepted';
    }
    return false;
  }

  close(): void {
    for (const transaction of [...this.#servers.values(), ...this.#clients.values()]) transaction.end();
  }
}

/** The far side learns from its own Via how it is seen (RFC 3581). */
function asSeen(request: SipRequest, { address, port }: Flow): SipRequest {
  if (port === null) return request;
  const [first = '', ...others] = request.headers.get('via') ?? [];
  const seen = first.replace(/;\s*rport\s*(?=;|$)/i, `;rport=${port};received=${address}`);
  return { ...request, headers: new Map(request.headers).set('via', [seen, ...others]) };
}

/** Whether a message may speak for a transaction: it came the same way, or from somebody who proved to be the same number. */
function isSameSide({ flow: first }: ServerTransaction, flow: Flow): boolean {
  if (first === flow || currentOf(first) === flow) return true;
  if (first.transport === 'UDP') return flow.transport === 'UDP' && first.address === flow.address;
  return [...flow.accounts].some((account) => first.accounts.has(account));
}

/** Cancels what is not answered yet; what becomes of one that is, its user decides (RFC 3261 section 9.2). */
function cancel(transaction: ServerTransaction, invite: ServerTransaction | undefined): void {
  if (!invite || !isSameSide(invite, transaction.flow)) return void transaction.respond(481);
  transaction.respond(200);
  invite.onCancel?.(transaction.request);
}
