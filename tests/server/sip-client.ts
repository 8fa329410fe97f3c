import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import { type ClientCall, compose, type Composed, composeReply, newBranch, type Reply, someSdp } from './sip-compose.ts';
import { authorization, param } from './sip-digest.ts';
import type { Heard } from './sip-heard.ts';
import { SipWire } from './sip-wire.ts';

export interface SipClientOptions {
  /** `ws://127.0.0.1:8443`. */
  url: string;
  number: string;
  password: string;
  /** Names the registration across sockets, as a browser tab does. */
  instance?: string;
  name?: string;
  algorithm?: 'MD5' | 'SHA-256';
  origin?: string;
  /** Of the request for the socket, as a proxy sends them. */
  headers?: Record<string, string>;
  protocol?: string;
  domain?: string;
}

/** A SIP client over WebSocket that does what it is told and nothing by itself, so that a test can do everything wrong. */
export class SipClient extends SipWire {
  readonly number: string;
  readonly instance: string;
  readonly contact: string;
  readonly domain: string;
  readonly #options: SipClientOptions;
  #sequence = 0;
  readonly #registrationId = randomUUID();

  private constructor(ws: WebSocket, options: SipClientOptions) {
    super(ws, options.number);
    this.#options = options;
    this.number = options.number;
    this.instance = options.instance ?? `urn:uuid:${randomUUID()}`;
    this.domain = options.domain ?? 'localhost';
    this.contact = `sip:${this.number}@${createHash('md5').update(this.instance).digest('hex').slice(0, 12)}.invalid;transport=ws`;
  }

  /** Opens the socket. @throws Error with the status where the server refuses it */
  static async open(options: SipClientOptions): Promise<SipClient> {
    const ws = new WebSocket(options.url, options.protocol ?? 'sip', {
      ...(options.origin !== undefined && { origin: options.origin }),
      ...(options.headers && { headers: options.headers }),
      rejectUnauthorized: false,
    });
    const client = new SipClient(ws, options);
    await new Promise<void>((resolve, reject) => ws.once('open', resolve).once('error', reject));
    return client;
  }

  /** Opens, registers, and fails where that is refused. */
  static async registered(options: SipClientOptions): Promise<SipClient> {
    const client = await SipClient.open(options);
    const answer = await client.register();
    if (answer.status !== 200) throw new Error(`registering ${options.number} was answered ${answer.status}`);
    return client;
  }

  newBranch(): string {
    return newBranch();
  }

  /** A request of this client as text. */
  compose(method: string, uri: string, how: Composed): string {
    return compose(method, uri, { sentBy: `${this.instance.slice(-12)}.invalid`, contact: this.contact, ...how });
  }

  /** REGISTER, and once more with what proves the password. `expires` 0 unregisters. @returns the last answer */
  async register(how: { expires?: number; password?: string; headers?: Record<string, string> } = {}): Promise<Heard> {
    const uri = `sip:${this.domain}`;
    const aor = `<sip:${this.number}@${this.domain}>`;
    const callId = this.#registrationId;
    const send = async (more: Record<string, string>): Promise<Heard> => {
      this.#sequence += 1;
      const contact = `<${this.contact}>;+sip.instance="<${this.instance}>";reg-id=1;expires=${how.expires ?? 600}`;
      const text = this.compose('REGISTER', uri, {
        callId,
        from: `${aor};tag=${randomBytes(4).toString('hex')}`,
        to: aor,
        sequence: this.#sequence,
        headers: { ...how.headers, ...more },
      });
      const sequence = this.#sequence;
      this.send(text.replace(`Contact: <${this.contact}>\r\n`, `Contact: ${contact}\r\n`));
      return this.next((one) => one.status !== null && one.cseq.method === 'REGISTER' && one.cseq.number === sequence);
    };
    const first = await send({});
    const challenge = this.challengeOf(first);
    if (first.status !== 401 || challenge === null) return first;
    return send({
      Authorization: authorization(challenge, { number: this.number, password: how.password ?? this.#options.password, method: 'REGISTER', uri }),
    });
  }

  /** The challenge in the algorithm that the client speaks. */
  challengeOf(answer: Heard): string | null {
    const all = answer.headers.get(answer.status === 407 ? 'proxy-authenticate' : 'www-authenticate') ?? [];
    return all.find((one) => param(one, 'algorithm') === (this.#options.algorithm ?? 'MD5')) ?? null;
  }

  /** Sends an INVITE. @returns the call, whose answers are waited for with `response('INVITE', call.callId)` */
  invite(target: string, how: { sdp?: string; headers?: Record<string, string>; callId?: string; branch?: string } = {}): ClientCall {
    const { sdp = someSdp(), headers = {}, callId = randomUUID(), branch = this.newBranch() } = how;
    const from = `"${(this.#options.name ?? this.number).replaceAll('"', String.raw`\"`)}" <sip:${this.number}@${this.domain}>;tag=${randomBytes(6).toString('hex')}`;
    const uri = `sip:${target.replaceAll('#', '%23')}@${this.domain}`;
    const call: ClientCall = { callId, local: from, remote: `<${uri}>`, target: uri, sequence: 1, branch, invited: 1, invite: null };
    this.send(this.compose('INVITE', uri, { callId, from, to: call.remote, sequence: 1, branch, headers, body: sdp }));
    return call;
  }

  /** Takes what a 200 says about the dialog, and acknowledges it. */
  acknowledge(call: ClientCall, answer: Heard, body = ''): void {
    call.remote = answer.of('to');
    call.target = /<([^>]+)>/.exec(answer.of('contact'))?.[1] ?? call.target;
    this.send(this.compose('ACK', call.target, { callId: call.callId, from: call.local, to: call.remote, sequence: answer.cseq.number, body }));
  }

  /** Acknowledges a refusal, in the transaction of its INVITE. */
  acknowledgeFailure(call: ClientCall, answer: Heard): void {
    this.send(
      this.compose('ACK', call.target, {
        callId: call.callId,
        from: call.local,
        to: answer.of('to'),
        sequence: answer.cseq.number,
        branch: call.branch,
      }),
    );
  }

  /** Calls, waits for the answer and acknowledges it. @throws Error when refused */
  async call(target: string, how: Parameters<SipClient['invite']>[1] = {}): Promise<ClientCall & { answer: Heard }> {
    const call = this.invite(target, how);
    const answer = await this.response('INVITE', call.callId);
    if (answer.status !== 200) {
      this.acknowledgeFailure(call, answer);
      throw new Error(`the call to ${target} was answered ${answer.status}`);
    }
    this.acknowledge(call, answer);
    return { ...call, answer };
  }

  cancel(call: ClientCall, headers: Record<string, string> = {}): void {
    this.send(
      this.compose('CANCEL', call.target, {
        callId: call.callId,
        from: call.local,
        to: call.remote,
        sequence: call.invited,
        branch: call.branch,
        headers,
      }),
    );
  }

  /** Waits for a call that comes in. */
  async incoming(ms?: number): Promise<ClientCall> {
    const invite = await this.next((one) => one.method === 'INVITE' && one.tag.to === '', ms);
    const tag = randomBytes(6).toString('hex');
    const target = /<([^>]+)>/.exec(invite.of('contact'))?.[1] ?? '';
    const branch = /branch=([^;]+)/.exec(invite.of('via'))?.[1] ?? '';
    return {
      callId: invite.of('call-id'),
      local: `${invite.of('to')};tag=${tag}`,
      remote: invite.of('from'),
      target,
      sequence: 0,
      branch,
      invited: invite.cseq.number,
      invite,
    };
  }

  /** Answers a request that came in; within a call with its tag. */
  reply(request: Heard, status: number, how: Reply = {}): void {
    this.send(composeReply(request, status, { contact: this.contact, ...how }));
  }

  ring(call: ClientCall): void {
    if (call.invite) this.reply(call.invite, 180, { call });
  }

  /** Answers a call that came in and waits for the ACK. */
  async answer(call: ClientCall, sdp = someSdp('two')): Promise<Heard> {
    if (call.invite) this.reply(call.invite, 200, { call, body: sdp });
    return this.next((one) => one.method === 'ACK' && one.of('call-id') === call.callId);
  }

  refuse(call: ClientCall, status = 486): void {
    if (call.invite) this.reply(call.invite, status, { call });
  }

  /** A request within the call. @returns its branch */
  within(
    call: ClientCall,
    method: string,
    how: { body?: string; type?: string; headers?: Record<string, string>; sequence?: number; branch?: string } = {},
  ): string {
    call.sequence += 1;
    const { branch = this.newBranch(), sequence = call.sequence, ...rest } = how;
    this.send(this.compose(method, call.target, { callId: call.callId, from: call.local, to: call.remote, sequence, branch, ...rest }));
    return branch;
  }

  /** Hangs up. @returns the answer */
  async bye(call: ClientCall, headers: Record<string, string> = {}): Promise<Heard> {
    this.within(call, 'BYE', { headers });
    return this.response('BYE', call.callId);
  }
}
