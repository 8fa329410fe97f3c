import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deviceRequest, type DeviceRequest, type DeviceStatus, readMessage } from '../protocol.ts';
import type { SimulatedDevice } from './device.ts';
import { type Face, restartTime } from './face.ts';
import { longestWait } from './pass-desk.ts';

/** Where a device answers by HTTP. */
export interface HttpPlace {
  host: string;
  port: number;
}

/** What the server signs in with at a device. */
export interface Credentials {
  login: string;
  password: string;
}

const most = 256 * 1024;
/** Words in one answer: each may carry a picture, and an answer has its limit too. */
const mostWords = 40;
const mostWaiting = 500;

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) {
    text += String(part);
    if (text.length > most) throw new Error('too long');
  }
  return text;
}
function send(response: ServerResponse, code: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/**
 * A device that answers by HTTP at an address of its own on this machine; what it has to say waits until it is asked. Where
 * the address cannot be had (another demo has it, or the system knows one loopback address only) it takes a free one and says so.
 */
export class HttpFace implements Face {
  readonly #device: () => SimulatedDevice;
  readonly #credentials: Credentials | null;
  readonly #moved: (to: HttpPlace) => void;
  readonly #server: Server;
  readonly #waiting: { n: number; said: DeviceStatus; at: number }[] = [];
  #askedAt = 0;
  #place: HttpPlace;
  #count = 0;
  #fallBacks = 0;
  #online = false;

  /** `moved` is told the place it took in place of `at`. */
  constructor(device: () => SimulatedDevice, at: HttpPlace, credentials: Credentials | null, moved: (to: HttpPlace) => void = () => undefined) {
    this.#device = device;
    this.#place = at;
    this.#credentials = credentials;
    this.#moved = moved;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    this.#server.on('listening', () => this.#listening());
    this.#server.on('error', ({ code }: NodeJS.ErrnoException) => this.#refused(code));
    device().onRestart(() => this.#restart());
  }

  isOnline(): boolean {
    return this.#online;
  }
  /** A server asks it what it has to say, again and again. */
  isListenedTo(): boolean {
    return this.#online && Date.now() - this.#askedAt < longestWait;
  }
  goOnline(): void {
    if (!this.#online) this.#server.listen(this.#place).unref();
  }
  goOffline(): void {
    this.#online = false;
    this.#server.close();
    this.#server.closeAllConnections();
  }
  say(said: DeviceStatus): void {
    this.#count += 1;
    this.#waiting.push({ n: this.#count, said, at: Date.now() });
    if (this.#waiting.length > mostWaiting) this.#waiting.shift();
  }
  async close(): Promise<void> {
    this.#online = false;
    this.#server.closeAllConnections();
    await new Promise<void>((done) => this.#server.close(() => done()));
  }

  #listening(): void {
    this.#online = true;
    const { port } = this.#server.address() as AddressInfo;
    if (this.#place.port === port) return;
    this.#place = { host: this.#place.host, port };
    this.#moved(this.#place);
  }
  #refused(code: string | undefined): void {
    this.#online = false;
    this.#fallBacks += 1;
    if (this.#fallBacks > 1 || (code !== 'EADDRINUSE' && code !== 'EADDRNOTAVAIL')) return;
    this.#place = { host: code === 'EADDRNOTAVAIL' ? '127.0.0.1' : this.#place.host, port: 0 };
    this.goOnline();
  }
  #restart(): void {
    this.goOffline();
    this.#device().timers.after(restartTime, () => {
      this.goOnline();
      this.#device().rebooted();
    });
  }

  #isLetIn({ headers }: IncomingMessage): boolean {
    if (this.#credentials === null) return true;
    const { login, password } = this.#credentials;
    return headers.authorization === `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
  }
  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { serial, type, model, firmware } = this.#device().plan;
    if (request.method === 'GET' && request.url === '/v0/info') return send(response, 200, { serial, type, model, firmware });
    if (request.method !== 'POST' || request.url !== '/v0/request') return send(response, 404, {});
    if (!this.#isLetIn(request)) return send(response, 401, {}, { 'www-authenticate': 'Basic realm="device"' });
    const asked = readMessage(deviceRequest, await bodyOf(request));
    if (!asked) return send(response, 400, {});
    return send(response, 200, asked.kind === 'words' ? this.#words(asked) : await this.#device().handle(asked));
  }
  /** What it has to say since the server last asked. */
  #words({ id, body }: DeviceRequest): object {
    const after = Number(body['after'] ?? 0);
    this.#askedAt = Date.now();
    // Nobody stands before the door any more who asked long ago.
    const words = this.#waiting
      .filter(({ n, said, at }) => n > after && (said.type !== 'pass' || this.#askedAt - at < longestWait))
      .slice(0, mostWords);
    return { id, ok: true, body: { words: words.map(({ said }) => said), last: words.at(-1)?.n ?? Math.min(after, this.#count) } };
  }
}
