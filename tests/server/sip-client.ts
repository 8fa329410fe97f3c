import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';

/** A message as it came, cut into its parts without judging it. */
export interface Heard {
  /** Of a request; null of a response. */
  method: string | null;
  /** Of a response; null of a request. */
  status: number | null;
  /** Request-URI of a request. */
  uri: string | null;
  headers: Map<string, string[]>;
  body: string;
  text: string;
  /** The first value of a header by its name in any letters, or an empty string. */
  of: (name: string) => string;
  /** Number and method of the CSeq. */
  cseq: { number: number; method: string };
  tag: { from: string; to: string };
}

export function readHeard(text: string): Heard {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()]);
  }
  const status = /^SIP\/2\.0 (\d{3})/.exec(first)?.[1];
  const [method = '', uri = ''] = first.split(' ');
  const of = (name: string): string => headers.get(name.toLowerCase())?.[0] ?? '';
  const [number = '0', named = ''] = of('cseq').split(/\s+/);
  const tag = (name: string): string => /;tag=([^;]+)/.exec(of(name))?.[1] ?? '';
  return {
    method: status === undefined ? method : null,
    status: status === undefined ? null : Number(status),
    uri: status === undefined ? uri : null,
    headers,
    body: rest.join('\r\n\r\n'),
    text,
    of,
    cseq: { number: Number(number), method: named },
    tag: { from: tag('from'), to: tag('to') },
  };
}

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

/** An SDP that says little; servers without media take anything. */
export const someSdp = (mark = 'one'): string =>
  [
    'v=0',
    `o=- ${mark.length} 1 IN IP4 127.0.0.1`,
    `s=${mark}`,
    't=0 0',
    'm=audio 9 UDP/TLS/RTP/SAVPF 111',
    'c=IN IP4 0.0.0.0',
    'a=rtpmap:111 opus/48000/2',
    'a=sendrecv',
    '',
  ].join('\r\n');

const hash = (algorithm: 'MD5' | 'SHA-256', text: string) =>
  createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
    .update(text)
    .digest('hex');
const param = (challenge: string, name: string): string => new RegExp(`${name}="?([^",]+)"?`).exec(challenge)?.[1] ?? '';

/** What proves a password to a challenge, as the value of an Authorization header. */
export function authorization(
  challenge: string,
  {
    number,
    password,
    method,
    uri,
    nc = '00000001',
    cnonce = randomBytes(8).toString('hex'),
  }: { number: string; password: string; method: string; uri: string; nc?: string; cnonce?: string },
): string {
  const algorithm = param(challenge, 'algorithm') === 'SHA-256' ? 'SHA-256' : 'MD5';
  const [realm, nonce] = [param(challenge, 'realm'), param(challenge, 'nonce')];
  const secret = hash(algorithm, `${number}:${realm}:${password}`);
  const response = hash(algorithm, `${secret}:${nonce}:${nc}:${cnonce}:auth:${hash(algorithm, `${method}:${uri}`)}`);
  return `Digest username="${number}", realm="${realm}", nonce="${nonce}", uri="${uri}", response="${response}", algorithm=${algorithm}, cnonce="${cnonce}", qop=auth, nc=${nc}`;
}

/** One dialog of the client: what its requests carry. */
export interface ClientCall {
  callId: string;
  local: string;
  remote: string;
  /** Where requests within the dialog go. */
  target: string;
  sequence: number;
  branch: string;
  /** The last INVITE: its CSeq number. */
  invited: number;
  /** Of a call that came in: the INVITE. */
  invite: Heard | null;
}

/** A SIP client over WebSocket that does what it is told and nothing by itself, so that a test can do everything wrong. */
export class SipClient {
  readonly number: string;
  readonly instance: string;
  readonly heard: Heard[] = [];
  readonly contact: string;
  readonly domain: string;
  readonly #options: SipClientOptions;
  readonly #ws: WebSocket;
  readonly #waiting = new Set<() => void>();
  #taken = new Set<Heard>();
  #sequence = 0;
  readonly #registrationId = randomUUID();

  private constructor(ws: WebSocket, options: SipClientOptions) {
    this.#ws = ws;
    this.#options = options;
    this.number = options.number;
    this.instance = options.instance ?? `urn:uuid:${randomUUID()}`;
    this.domain = options.domain ?? 'localhost';
    this.contact = `sip:${this.number}@${createHash('md5').update(this.instance).digest('hex').slice(0, 12)}.invalid;transport=ws`;
    ws.on('message', (data) => {
      this.heard.push(readHeard((data as Buffer).toString()));
      for (const look of this.#waiting) look();
    });
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

  get isOpen(): boolean {
    return this.#ws.readyState === this.#ws.OPEN;
  }

  /** Resolves with the code when the socket is closed. */
  closed(): Promise<number> {
    return new Promise((resolve) => (this.#ws.readyState === this.#ws.CLOSED ? resolve(1006) : this.#ws.once('close', resolve)));
  }

  close(): void {
    this.#ws.close();
  }

  /** Ends the socket as a crash does: nobody is told. */
  kill(): void {
    this.#ws.terminate();
  }

  /** Reads no more: for the server the socket is open and nobody is there. */
  freeze(): void {
    this.#ws.pause();
  }

  /** Sends any text. */
  send(text: string): void {
    this.#ws.send(text);
  }

  /** The first message of those that nobody has taken yet, or will come, for which this holds. */
  async next(holds: (heard: Heard) => boolean, ms = 5_000): Promise<Heard> {
    const found = (): Heard | undefined => this.heard.find((one) => !this.#taken.has(one) && holds(one));
    const first = found();
    if (first) return this.#take(first);
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const one = found();
        if (!one) return;
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(this.#take(one));
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(look);
        const lines = this.heard.slice(-8).map(({ text }) => text.split('\r\n', 1)[0]);
        reject(new Error(`${this.number} waited ${ms} ms in vain; it last heard: ${lines.join(' | ')}`));
      }, ms);
      this.#waiting.add(look);
    });
  }

  #take(one: Heard): Heard {
    this.#taken.add(one);
    return one;
  }

  /** The next request with this method. */
  request(method: string, ms?: number): Promise<Heard> {
    return this.next((one) => one.method === method, ms);
  }

  /** The next final response to a request of ours; with `least` 100 any. */
  response(method: string, callId: string, least = 200, ms?: number): Promise<Heard> {
    return this.next((one) => one.status !== null && one.status >= least && one.cseq.method === method && one.of('call-id') === callId, ms);
  }

  newBranch(): string {
    return `z9hG4bK${randomBytes(8).toString('hex')}`;
  }

  /** A request as text. */
  compose(
    method: string,
    uri: string,
    how: {
      callId: string;
      from: string;
      to: string;
      sequence: number;
      branch?: string;
      headers?: Record<string, string>;
      body?: string;
      type?: string;
    },
  ): string {
    const { callId, from, to, sequence, branch = this.newBranch(), headers = {}, body = '', type = 'application/sdp' } = how;
    const all: [string, string][] = [
      ['Via', `SIP/2.0/WS ${this.instance.slice(-12)}.invalid;branch=${branch}`],
      ['Max-Forwards', '69'],
      ['From', from],
      ['To', to],
      ['Call-ID', callId],
      ['CSeq', `${sequence} ${method}`],
      ['Contact', `<${this.contact}>`],
      ...Object.entries(headers),
      ...(body === '' ? [] : ([['Content-Type', type]] as [string, string][])),
      ['Content-Length', String(Buffer.byteLength(body))],
    ];
    return `${method} ${uri} SIP/2.0\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
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
  acknowledgeRefusal(call: ClientCall, answer: Heard): void {
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
      this.acknowledgeRefusal(call, answer);
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
  reply(request: Heard, status: number, how: { call?: ClientCall; body?: string; headers?: Record<string, string> } = {}): void {
    const { call, body = '', headers = {} } = how;
    const vias = (request.headers.get('via') ?? []).map((via) => `Via: ${via}\r\n`).join('');
    const to = call && request.tag.to === '' ? call.local : request.of('to');
    const more = Object.entries({
      Contact: `<${this.contact}>`,
      ...headers,
      ...(body !== '' && { 'Content-Type': 'application/sdp' }),
      'Content-Length': String(Buffer.byteLength(body)),
    });
    this.send(
      `SIP/2.0 ${status} Said\r\n${vias}From: ${request.of('from')}\r\nTo: ${to}\r\nCall-ID: ${request.of('call-id')}\r\nCSeq: ${request.of('cseq')}\r\n${more.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
    );
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
  async bye(call: ClientCall): Promise<Heard> {
    this.within(call, 'BYE');
    return this.response('BYE', call.callId);
  }
}
