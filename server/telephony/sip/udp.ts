import { createSocket } from 'node:dgram';
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
  /** A way to a host, by name or address. */
  to: (host: string, port: number) => Flow;
  close: () => Promise<void>;
}

/** Opens a socket for plain phones and other servers (RFC 3261 section 18). `port` 0 takes a free one. */
export async function openUdp(host: string, port: number, domain: string, receive: (flow: Flow, text: string) => void): Promise<OpenUdp> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject).bind(port, host, () => {
      socket.off('error', reject);
      resolve();
    });
  });
  const bound = socket.address().port;
  const isAny = host === '0.0.0.0' || host === '::';
  const local = `${isAny ? domain : host.includes(':') ? `[${host}]` : host}:${bound}`;
  const flows = new Map<string, UdpFlow>();
  // What is to be said once more may come due after the end.
  let isClosed = false;
  const allowances = new Map<string, Allowance>();
  const to = (address: string, at: number): UdpFlow => {
    const id = `${address}:${at}`;
    const known = flows.get(id);
    if (known) return known;
    if (flows.size >= mostFlows) flows.delete(flows.keys().next().value ?? '');
    // What cannot be delivered is noticed by nobody answering it.
    const made = new UdpFlow(address, at, local, (text) => void (isClosed || socket.send(text, at, address, () => {})));
    flows.set(id, made);
    return made;
  };
  const tidy = setInterval(() => {
    const now = performance.now();
    for (const [id, flow] of flows) if (now - flow.heardAt > forgetAfter) flows.delete(id);
    allowances.clear();
  }, 60_000).unref();
  // Answers of hosts that do not listen; nothing of ours is lost by them.
  socket.on('error', () => {});
  socket.on('message', (data, { address, port: at }) => {
    const allowance = allowances.get(address) ?? new Allowance(burst, perSecond);
    allowances.set(address, allowance);
    if (!allowance.spend()) return;
    const flow = to(address, at);
    flow.heardAt = performance.now();
    const text = data.toString();
    if (/^[\r\n\0]*$/.test(text)) return;
    receive(flow, text);
  });
  return {
    port: bound,
    to,
    close: () => {
      isClosed = true;
      clearInterval(tidy);
      return new Promise<void>((resolve) => socket.close(() => resolve()));
    },
  };
}
