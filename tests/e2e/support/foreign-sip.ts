import { createHash, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { param } from '#tests/server/sip-digest.ts';
import { type Heard, readHeard } from '#tests/server/sip-heard.ts';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
/** Headers that a server which has never heard of us does not pass on. */
const ours = /^X-/i;

/** A SIP server of somebody else: registrar and proxy over WebSocket, plain RFC 3261 and 7118 with digest (MD5), and nothing of ours. */
export interface ForeignSip {
  port: number;
  /** Requests that came, as they came. */
  heard: Heard[];
  /** Numbers that are registered now. */
  registered: () => string[];
  close: () => Promise<void>;
}

class Proxy {
  readonly heard: Heard[] = [];
  /** Where a number, or the user part of a contact, is reached. */
  readonly contacts = new Map<string, { socket: WebSocket; uri: string }>();
  readonly numbers = new Set<string>();
  /** Who sent what went on under a branch of ours. */
  readonly #senders = new Map<string, WebSocket>();
  readonly #passwords: Readonly<Record<string, string>>;
  readonly #realm: string;

  constructor(passwords: Readonly<Record<string, string>>, realm: string) {
    this.#passwords = passwords;
    this.#realm = realm;
  }

  take(socket: WebSocket, text: string): void {
    if (text.trim() === '') return;
    const heard = readHeard(text);
    if (heard.status !== null) return this.#back(heard);
    this.heard.push(heard);
    const isWithin = heard.tag.to !== '';
    if (heard.method === 'REGISTER') return this.#register(socket, heard);
    if (heard.method === 'INVITE' && !isWithin && !this.#isProven(heard)) return this.#challenge(socket, heard, 407);
    const user = /^sips?:([^@;>]+)@/.exec(heard.uri ?? '')?.[1] ?? '';
    const to = this.contacts.get(user);
    if (to) return this.#on(socket, heard, to);
    if (heard.method !== 'ACK') this.#say(socket, heard, heard.method === 'OPTIONS' ? 200 : 404);
  }

  #register(socket: WebSocket, request: Heard): void {
    if (!this.#isProven(request)) return this.#challenge(socket, request, 401);
    const number = /sip:([^@]+)@/.exec(request.of('to'))?.[1] ?? '';
    const contact = /<([^>]+)>/.exec(request.of('contact'))?.[1] ?? '';
    const isGoing = /expires=0\b/.test(request.of('contact')) || request.of('expires') === '0';
    const at = { socket, uri: contact };
    if (isGoing) this.numbers.delete(number);
    else this.numbers.add(number);
    for (const key of [number, /^sips?:([^@]+)@/.exec(contact)?.[1] ?? '']) {
      if (isGoing) this.contacts.delete(key);
      else this.contacts.set(key, at);
    }
    this.#say(socket, request, 200, isGoing ? [] : [`Contact: <${contact}>;expires=600`]);
  }

  #isProven(request: Heard): boolean {
    const shown = request.of('authorization') || request.of('proxy-authorization');
    const of = (name: string): string => param(shown, name);
    const password = this.#passwords[of('username')];
    if (shown === '' || password === undefined || of('realm') !== this.#realm) return false;
    const [one, two] = [md5(`${of('username')}:${this.#realm}:${password}`), md5(`${request.method}:${of('uri')}`)];
    return of('response') === md5([one, of('nonce'), of('nc'), of('cnonce'), of('qop'), two].join(':'));
  }

  #challenge(socket: WebSocket, request: Heard, status: 401 | 407): void {
    const name = status === 401 ? 'WWW-Authenticate' : 'Proxy-Authenticate';
    this.#say(socket, request, status, [`${name}: Digest realm="${this.#realm}", nonce="${randomUUID()}", algorithm=MD5, qop="auth"`]);
  }

  #say(socket: WebSocket, request: Heard, status: number, more: readonly string[] = []): void {
    const to = request.tag.to === '' ? `${request.of('to')};tag=${randomUUID()}` : request.of('to');
    const vias = (request.headers.get('via') ?? []).map((via) => `Via: ${via}`);
    const tie = [...vias, `From: ${request.of('from')}`, `To: ${to}`, `Call-ID: ${request.of('call-id')}`, `CSeq: ${request.of('cseq')}`];
    socket.send([`SIP/2.0 ${status} Said`, ...tie, ...more, 'Content-Length: 0', '', ''].join('\r\n'));
  }

  /** Passes a request on, without what only we put into it. */
  #on(from: WebSocket, request: Heard, { socket, uri }: { socket: WebSocket; uri: string }): void {
    // CANCEL and the ACK of a refusal have the branch of their INVITE, and so they have here.
    const branch = `z9hG4bK${md5(/branch=([^;\s]+)/.exec(request.of('via'))?.[1] ?? '')}`;
    this.#senders.set(branch, from);
    const [, ...lines] = request.text.split('\r\n\r\n', 1)[0]?.split('\r\n') ?? [];
    const rest = lines.filter((line) => !ours.test(line));
    socket.send([`${request.method} ${uri} SIP/2.0`, `Via: SIP/2.0/WS foreign.invalid;branch=${branch}`, ...rest, '', request.body].join('\r\n'));
  }

  #back(response: Heard): void {
    const branch = /foreign\.invalid;branch=([^;\s]+)/.exec(response.of('via'))?.[1] ?? '';
    const [first = '', ...lines] = response.text.split('\r\n\r\n', 1)[0]?.split('\r\n') ?? [];
    const rest = lines.filter((line) => !line.includes('foreign.invalid') && !ours.test(line));
    this.#senders.get(branch)?.send([first, ...rest, '', response.body].join('\r\n'));
  }
}

/** Opens one on a free port; `passwords` are by number. */
export async function openForeignSip(passwords: Readonly<Record<string, string>>, realm: string): Promise<ForeignSip> {
  const proxy = new Proxy(passwords, realm);
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, handleProtocols: (offered) => (offered.has('sip') ? 'sip' : false) });
  server.on('connection', (socket) => {
    socket.on('message', (data) => proxy.take(socket, (data as Buffer).toString()));
    socket.on('close', () => {
      for (const [key, at] of proxy.contacts) if (at.socket === socket) [proxy.contacts, proxy.numbers].forEach((all) => all.delete(key));
    });
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    heard: proxy.heard,
    registered: () => [...proxy.numbers].toSorted(),
    close: async () => {
      for (const socket of server.clients) socket.terminate();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
