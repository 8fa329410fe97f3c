import type { Outgoing } from './client-transaction.ts';
import { currentOf, type Flow } from './flow.ts';
import type { SipRequest, SipResponse } from './message.ts';
import { newBranch } from './stack.ts';
import { type Header, writeRequest } from './write.ts';

/** Product and what it is called on the wire. */
export const agent: Header = ['User-Agent', 'Doorward'];

/** The Via of our own requests (RFC 3261 section 18.1.1). */
export const viaOf = (flow: Flow, branch: string): Header => ['Via', `SIP/2.0/${flow.transport} ${flow.local};branch=${branch};rport`];
/** Where the far side reaches us within a dialog. */
export const contactOf = (flow: Flow): Header => ['Contact', `<sip:doorward@${flow.local};transport=${flow.transport === 'UDP' ? 'udp' : 'ws'}>`];

/** What two sides agreed to be: identity, sequence, where requests go (RFC 3261 section 12). */
export class Dialog {
  readonly callId: string;
  readonly localTag: string;
  remoteTag: string | null;
  readonly local: string;
  readonly remote: string;
  flow: Flow;
  #target: string;
  #routes: string[];
  #localSeq = 0;
  #remoteSeq: number | null;

  constructor(
    made: Pick<Dialog, 'callId' | 'localTag' | 'remoteTag' | 'local' | 'remote' | 'flow'> & {
      target: string;
      routes: string[];
      remoteSeq: number | null;
    },
  ) {
    this.callId = made.callId;
    this.localTag = made.localTag;
    this.remoteTag = made.remoteTag;
    this.local = made.local;
    this.remote = made.remote;
    this.flow = made.flow;
    this.#target = made.target;
    this.#routes = made.routes;
    this.#remoteSeq = made.remoteSeq;
  }

  /** The dialog that an INVITE of the far side opens. */
  static incoming(request: SipRequest, tag: string, flow: Flow): Dialog {
    const [from, to] = ['from', 'to'].map((name) => request.headers.get(name)?.[0] ?? '');
    return new Dialog({
      callId: request.callId,
      localTag: tag,
      remoteTag: request.from.tag,
      local: `${to ?? ''};tag=${tag}`,
      remote: from ?? '',
      flow,
      target: request.contacts[0]?.uri.text ?? request.from.uri.text,
      routes: [...(request.headers.get('record-route') ?? [])],
      remoteSeq: request.cseq,
    });
  }

  owns(request: SipRequest): boolean {
    return request.callId === this.callId && (this.remoteTag === null || request.from.tag === this.remoteTag);
  }

  /** Whether a request is newer than all before it (RFC 3261 section 12.2.2). */
  takes(request: SipRequest): boolean {
    if (this.#remoteSeq !== null && request.cseq <= this.#remoteSeq) return false;
    this.#remoteSeq = request.cseq;
    return true;
  }

  /** The far side says where it is to be reached from now on; `first`: what establishes the dialog names the way too. */
  retarget(message: SipRequest | SipResponse, first = false): void {
    const [contact] = message.contacts;
    if (contact) this.#target = contact.uri.text;
    if (first && message.kind === 'response') {
      this.remoteTag = message.to.tag;
      this.#routes = [...(message.headers.get('record-route') ?? [])].toReversed();
    }
  }

  /** A request within the dialog. `seq`: of an ACK or CANCEL, whose sequence is that of their INVITE; `branch`: of a CANCEL. */
  compose(
    method: string,
    how: { headers?: readonly Header[]; body?: string | null; type?: string; seq?: number; branch?: string } = {},
  ): Outgoing & { seq: number } {
    const { headers = [], body = null, branch = newBranch() } = how;
    if (how.seq === undefined) this.#localSeq += 1;
    const seq = how.seq ?? this.#localSeq;
    const flow = currentOf(this.flow);
    const remote =
      this.remoteTag === null || /;\s*tag=/i.test(this.remote.replace(/^.*>/, '')) ? this.remote : `${this.remote};tag=${this.remoteTag}`;
    const head = (to: string, of: string, more: readonly Header[]): Header[] => [
      viaOf(flow, branch),
      ...this.#routes.map((route) => ['Route', route] as const),
      ['Max-Forwards', '70'],
      ['From', this.local],
      ['To', to],
      ['Call-ID', this.callId],
      ['CSeq', `${seq} ${of}`],
      ...more,
    ];
    const offers = ['INVITE', 'UPDATE', 'NOTIFY'].includes(method);
    const text = writeRequest(this.#target, head(remote, method, [...(offers ? [contactOf(flow)] : []), agent, ...headers]), method, body, how.type);
    const ack = (response: SipResponse) => writeRequest(this.#target, head(response.headers.get('to')?.[0] ?? remote, 'ACK', []), 'ACK');
    return { method, branch, text, seq, ack };
  }
}
