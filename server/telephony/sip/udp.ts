import { createSocket, type Socket } from 'node:dgram';
import { Allowance } from './allowance.ts';
import type { Flow } from './flow.ts';

/** Datagrams an address may send at once, and every second after that. */
const [burst, perSecond] = [1_000, 300];
/** A far side of which nothing was heard for so long is forgotten; calls keep their own way to it. In ms. */
const forgetAfter = 10 * 60_000;
const mostFlows = 10_000;

class UdpFlow implements Flow {
  readonly id: string;
  readonly transport = 'UDP';
  readonly reliable = false;
  readonly local: string;
  readonly address: string;
  readonly port: number;
  readonly accounts = new Set<string>();
  readonly isOpen = true;
  next: Flow | null = null;
  heardAt = performance.now();
  readonly send: (text: string) => void;

  constructor(address: string, port: number, local: string, send: (text: string) => void) {
    this.id = `${address}:${port}`;
    this.port = port;
    this.address = address;
    this.local = local;
    this.send = send;
  }

  close(): void {}
}

export interface OpenUdp {
  port: number;
  /** A way to an address. */
  to: (address: string, port: number) => Flow;
  close: () => Promise<void>;
}

/** The far sides that are spoken with; beyond the most of them the oldest is forgotten. */
class Flows {
  readonly #flows = new Map<string, UdpFlow>();
  readonly #socket: Socket;
  readonly #localFor: (address: string) => string;
  #isClosed = false;

  constructor(socket: Socket, localFor: (address: string) => string) {
    this.#socket = socket;
    this.#localFor = localFor;
  }

  to(address: string, port: number): UdpFlow {
    const id = `${address}:${port}`;
    const known = this.#flows.get(id);
    if (known) return known;
    if (this.#flows.size >= mostFlows) this.#flows.delete(this.#flows.keys().next().value ?? '');
    // What cannot be delivered is noticed by nobody answering it.
    const made = new UdpFlow(
      address,
      port,
      this.#localFor(address),
      (text) => void (this.#isClosed || this.#socket.send(text, port, address, () => {})),
    );
    this.#flows.set(id, made);
    return made;
  }
  removeIdle(): void {
    const now = performance.now();
    for (const [id, flow] of this.#flows) if (now - flow.heardAt > forgetAfter) this.#flows.delete(id);
  }
  /** What is to be said once more may come due after the end. */
  close(): void {
    this.#isClosed = true;
  }
}

async function bind(host: string, port: number): Promise<Socket> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject).bind(port, host, () => {
      socket.off('error', reject);
      resolve();
    });
  });
  return socket;
}

/** Opens a socket for plain phones and other servers (RFC 3261 section 18). `port` 0 takes a free one; `hostFor`: how we are found from an address, where we listen on all of ours. */
export async function openUdp(
  host: string,
  port: number,
  hostFor: (address: string) => string,
  receive: (flow: Flow, text: string) => void,
): Promise<OpenUdp> {
  const socket = await bind(host, port);
  const bound = socket.address().port;
  const isAny = host === '0.0.0.0' || host === '::';
  const localFor = (address: string): string => `${isAny ? hostFor(address) : host.includes(':') ? `[${host}]` : host}:${bound}`;
  const flows = new Flows(socket, localFor);
  const allowances = new Map<string, Allowance>();
  const timer = setInterval(() => {
    flows.removeIdle();
    allowances.clear();
  }, 60_000).unref();
  // Answers of hosts that do not listen; nothing of ours is lost by them.
  socket.on('error', () => {});
  socket.on('message', (data, { address, port: at }) => {
    const allowance = allowances.get(address) ?? new Allowance(burst, perSecond);
    allowances.set(address, allowance);
    if (!allowance.spend()) return;
    const flow = flows.to(address, at);
    flow.heardAt = performance.now();
    const text = data.toString();
    if (/^[\r\n\0]*$/.test(text)) return;
    receive(flow, text);
  });
  return {
    port: bound,
    to: (address, at) => flows.to(address, at),
    close: () => {
      flows.close();
      clearInterval(timer);
      return new Promise<void>((resolve) => socket.close(() => resolve()));
    },
  };
}
