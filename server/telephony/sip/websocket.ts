import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { maxFrameBytes } from '#models/realtime.ts';
import type { Config } from '#server/config.ts';
import { closeCodes } from '#server/realtime/connection.ts';
import { Allowance } from './allowance.ts';
import { addressReader } from './client-address.ts';
import type { Flow } from './flow.ts';

/** A reader with more than this waiting (bytes) is given up. */
const mostWaiting = 1024 * 1024;
/** Messages a client may send at once, and every second after that; of who has not registered each counts as so many. */
const [burst, perSecond, strangersCost] = [400, 100, 4];
/** The same, of all together who have not registered and come from one address. */
const [strangersBurst, strangersPerSecond] = [2_000, 300];
const closeTimeout = 2_000;
/** The last messages of calls go out in this time when the server stops, ms. */
const goodbye = 500;
/** Who drips the request for a socket is cut off, ms. */
const timeouts = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 2_000 };

/** With these a page closes its socket that goes (RFC 6455 section 7.4.1): none given, normal, going away. */
const farewells = [1005, 1000, 1001];

/** How often a socket is asked whether it is there and how long it may take to say so; who has not registered or called by `stranger` is sent away. In ms. */
export interface SocketTimes {
  ping: number;
  pong: number;
  stranger: number;
}
export const usualSocketTimes: SocketTimes = { ping: 15_000, pong: 5_000, stranger: 60_000 };

export interface Receiver {
  receive: (flow: Flow, text: string) => void;
  closed: (flow: Flow) => void;
  /** Whether nobody has proved who they are over it, and no call goes over it. */
  isStranger: (flow: Flow) => boolean;
}

class WebSocketFlow implements Flow {
  readonly id = randomUUID();
  readonly transport: 'WS' | 'WSS';
  readonly reliable = true;
  readonly port = null;
  readonly local: string;
  readonly address: string;
  readonly accounts = new Set<string>();
  next: Flow | null = null;
  isOpen = true;
  hasLeft = false;
  /** Only browsers say where they come from. */
  readonly isPage: boolean;
  readonly #ws: WebSocket;

  constructor(ws: WebSocket, { transport, local, address, isPage }: Pick<WebSocketFlow, 'address' | 'local' | 'transport' | 'isPage'>) {
    this.isPage = isPage;
    this.#ws = ws;
    this.transport = transport;
    this.local = local;
    this.address = address;
  }

  send(text: string): void {
    if (!this.isOpen || this.#ws.readyState !== this.#ws.OPEN) return;
    if (this.#ws.bufferedAmount > mostWaiting) return this.#ws.terminate();
    this.#ws.send(text);
  }

  close(code: number = closeCodes.goingAway): void {
    this.#ws.close(code);
    setTimeout(() => this.#ws.terminate(), closeTimeout).unref();
  }
}

/** A page of another host may not speak here; ours lies on another port of this one. */
function isOwnPage(origin: string | undefined, host: string | undefined, { publicUrl }: Pick<Config, 'publicUrl'>): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  if (!/^https?:$/.test(from.protocol)) return false;
  if (from.host === new URL(publicUrl).host) return true;
  return host !== undefined && URL.canParse(`http://${host}`) && from.hostname === new URL(`http://${host}`).hostname;
}

export interface OpenWebSockets {
  port: number;
  close: () => Promise<void>;
}

export type SocketConfig = Pick<Config, 'host' | 'tls' | 'publicUrl' | 'socketsPerIp' | 'trustedProxies'>;

interface Visitor {
  open: number;
  allowance: Allowance;
}

/** How many sockets each address has open, and what those of strangers may send together. */
class Visitors {
  readonly #visitors = new Map<string, Visitor>();

  open(address: string): number {
    return this.#visitors.get(address)?.open ?? 0;
  }

  /** Counts one in until it closes. @returns what the strangers of its address share */
  enter(address: string, ws: WebSocket): Allowance {
    const visitor = this.#visitors.get(address) ?? { open: 0, allowance: new Allowance(strangersBurst, strangersPerSecond) };
    this.#visitors.set(address, visitor);
    visitor.open += 1;
    ws.once('close', () => {
      visitor.open -= 1;
      if (visitor.open === 0) this.#visitors.delete(address);
    });
    return visitor.allowance;
  }
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

async function shut(server: Server, sockets: WebSocketServer): Promise<void> {
  for (const ws of sockets.clients) ws.close(closeCodes.goingAway);
  const gone = new Promise<void>((resolve) => server.close(() => resolve()));
  setTimeout(() => {
    for (const ws of sockets.clients) ws.terminate();
    server.closeAllConnections();
  }, goodbye).unref();
  sockets.close();
  await gone;
}

/** Listens for SIP over WebSocket (RFC 7118). `port` 0 takes a free one. */
export async function openWebSockets(config: SocketConfig, port: number, times: SocketTimes, receiver: Receiver): Promise<OpenWebSockets> {
  const { tls } = config;
  const server = tls ? createTlsServer({ ...timeouts, cert: readFileSync(tls.cert), key: readFileSync(tls.key) }) : createServer(timeouts);
  server.on('request', (_, response) => response.writeHead(426, { upgrade: 'websocket' }).end());
  const visitors = new Visitors();
  const addressOf = addressReader(config);
  const sockets = new WebSocketServer({
    server,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    handleProtocols: (protocols) => (protocols.has('sip') ? 'sip' : false),
    verifyClient: ({ req }: { req: IncomingMessage }, decide: (ok: boolean, code?: number) => void) => {
      const status = statusFor(req, config) ?? (visitors.open(addressOf(req)) >= config.socketsPerIp ? 429 : null);
      decide(status === null, status ?? undefined);
    },
  });
  // A port that is taken is told by `listen`.
  sockets.on('error', () => {});
  const listened = await listen(server, port, config.host);
  const local = `${new URL(config.publicUrl).hostname}:${listened}`;
  sockets.on('connection', (ws, request) => {
    const address = addressOf(request);
    const flow = new WebSocketFlow(ws, { transport: tls ? 'WSS' : 'WS', local, address, isPage: request.headers.origin !== undefined });
    serveSocket(ws, flow, visitors.enter(address, ws), times, receiver);
  });
  return { port: listened, close: () => shut(server, sockets) };
}

/** The status with which a socket is refused that may not be opened by this page, or not for SIP; null where it may. */
function statusFor(request: IncomingMessage, config: SocketConfig): number | null {
  const { origin, host } = request.headers;
  if (!isOwnPage(origin, host, config)) return 403;
  const wanted = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim());
  return wanted.includes('sip') ? null : 400;
}

/** Hears one socket, asks whether it is still there, and tells its end. */
function serveSocket(ws: WebSocket, flow: WebSocketFlow, shared: Allowance, times: SocketTimes, { receive, closed, isStranger }: Receiver): void {
  const allowance = new Allowance(burst, perSecond);
  let silence: NodeJS.Timeout | null = null;
  const heard = () => {
    if (silence) clearTimeout(silence);
    silence = null;
  };
  const asking = setInterval(() => {
    ws.ping();
    silence ??= setTimeout(() => ws.terminate(), times.pong).unref();
  }, times.ping).unref();
  const stranger = setInterval(() => isStranger(flow) && flow.close(closeCodes.tryLater), times.stranger).unref();
  ws.on('pong', heard);
  ws.on('ping', () => allowance.spend() || flow.close(closeCodes.policy));
  ws.on('error', () => ws.terminate());
  ws.on('message', (data) => {
    heard();
    if (!flow.isOpen) return;
    const isKnown = flow.accounts.size > 0;
    if (!allowance.spend(isKnown ? 1 : strangersCost) || (!isKnown && !shared.spend())) return flow.close(closeCodes.policy);
    const text = (data as Buffer).toString();
    // A sign of life between messages (RFC 5626 section 3.5.1).
    if (/^[\r\n]*$/.test(text)) return text === '\r\n\r\n' ? ws.send('\r\n') : undefined;
    receive(flow, text);
  });
  ws.once('close', (code: number) => {
    flow.isOpen = false;
    flow.hasLeft = flow.isPage && farewells.includes(code);
    heard();
    clearInterval(asking);
    clearInterval(stranger);
    closed(flow);
  });
}
