import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { inNetworks } from './networks.ts';
import { turns } from './lateness.ts';
import { isGenuine, readStun, stunAnswer, stunCheck, type StunMessage } from './stun.ts';
import type { RemoteCandidate } from './sdp.ts';

/** Where media of this machine can be sent to. `first`: what plain phones are told; `ports`: from which to which, any where there are none. */
export interface Addresses {
  all: readonly string[];
  first: string;
  ports?: readonly [from: number, to: number] | undefined;
  /** What phones of the installation's own networks are told instead. */
  local?: { address: string; has: (address: string) => boolean } | undefined;
}
/** The address by which a far side finds this machine; null is one that is not known yet. */
export function addressFor({ first, local }: Addresses, far: string | null): string {
  if (far?.startsWith('127.')) return '127.0.0.1';
  return far !== null && local?.has(far) ? local.address : first;
}
/** What an installation says of its network: the address by which others reach it, ports that a firewall lets through, and how its own networks do. */
export interface MediaNetwork {
  address: string | null;
  ports: readonly [from: number, to: number] | null;
  internal?: string | null;
  networks?: readonly string[];
}
/** Loopback and the addresses of the machine's own networks, none that only this link knows; before them the one that others use. */
export function machineAddresses(
  { address: outside, ports, internal = null, networks = [] }: MediaNetwork = { address: null, ports: null },
): Addresses {
  const own = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).filter(({ internal }) => !internal).map(({ address }) => address));
  const reachable = own.filter((address) => !/^(?:fe80|169\.254\.)/i.test(address));
  const configured = [outside, internal].filter((address) => address !== null);
  const all = [...new Set([...configured, '127.0.0.1', ...reachable])];
  const plain = reachable.find((address) => !address.includes(':')) ?? '127.0.0.1';
  const local = networks.length > 0 ? { address: internal ?? plain, has: inNetworks(networks) } : undefined;
  return { all, first: outside ?? plain, ports: ports ?? undefined, local };
}

interface Place {
  socket: Socket;
  host: string;
  port: number;
}
interface Credentials {
  ufrag: string;
  password: string;
}
const freshCredentials = (): Credentials => ({ ufrag: randomBytes(6).toString('base64url'), password: randomBytes(18).toString('base64url') });

/** All we send to is an address already: nobody need be asked, packet by packet, in turns of their own. */
const asAddress = (host: string, _options: unknown, found: (error: NodeJS.ErrnoException | null, address: string, family: number) => void): void =>
  found(null, host, isIP(host));

const bind = (family: 'udp4' | 'udp6', port: number): Promise<Socket> =>
  new Promise((done, fail) => {
    const socket = createSocket({ type: family, ipv6Only: family === 'udp6', lookup: asAddress });
    socket.once('error', (error) => {
      socket.close();
      fail(error);
    });
    socket.bind(port, () => {
      socket.removeAllListeners('error');
      // An address nobody listens on any more is told as an error of the socket; the path finds out by itself.
      socket.on('error', () => undefined);
      done(socket);
    });
  });

/** Opens a socket for datagrams. @throws the error of listening where no port of those allowed is free */
export async function openSocket(family: 'udp4' | 'udp6', ports: Addresses['ports']): Promise<Socket> {
  if (!ports) return bind(family, 0);
  const [from, to] = ports;
  const many = to - from + 1;
  const start = Math.floor(Math.random() * many);
  for (let tries = 0; tries < many - 1; tries += 1) {
    const socket = await bind(family, from + ((start + tries) % many)).catch(() => null);
    if (socket) return socket;
  }
  return bind(family, from + ((start + many - 1) % many));
}

const checkEvery = 100;
const consentEvery = 2_500;
const mostValid = 16;

/**
 * A path of datagrams to one far side by ICE (RFC 8445). We are a lite agent, at addresses of our own, which answers checks and sends where the
 * far side last chose; only before another lite agent do we check and choose ourselves. A far side that changes networks is followed.
 */
export class IcePath {
  readonly #sockets: readonly Socket[];
  readonly #addresses: Addresses;
  #credentials = [freshCredentials()];
  #far: (Credentials & { candidates: readonly RemoteCandidate[] }) | null = null;
  #full = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #tieBreaker = randomBytes(8);
  readonly #asked = new Map<string, Place>();
  readonly #valid = new Set<string>();
  #chosen: Place | null = null;
  /** Where data came from before a path was chosen: what answers it goes back there (RFC 8445 section 12.1). */
  #latest: Place | null = null;
  /** When the far side was last known to be there, in ms of the process. */
  heardAt = 0;
  onData: (bytes: Buffer) => void = () => undefined;
  onChosen: () => void = () => undefined;

  private constructor(sockets: readonly Socket[], addresses: Addresses) {
    this.#sockets = sockets;
    turns.join();
    this.#addresses = addresses;
    for (const socket of sockets) socket.on('message', (bytes, { address, port }) => this.#take({ socket, host: address, port }, bytes));
  }
  static async open(addresses: Addresses): Promise<IcePath> {
    const families = addresses.all.some((address) => address.includes(':')) ? (['udp4', 'udp6'] as const) : (['udp4'] as const);
    return new IcePath(await Promise.all(families.map((family) => openSocket(family, addresses.ports))), addresses);
  }

  get isChosen(): boolean {
    return this.#chosen !== null;
  }
  get port(): number {
    return this.#sockets[0]?.address().port ?? 9;
  }
  /** Credentials and candidates as attributes (RFC 8839). */
  describe(): string[] {
    const [{ ufrag, password } = freshCredentials()] = this.#credentials;
    const candidates = this.#addresses.all.flatMap((address, index) => {
      const socket = this.#sockets[address.includes(':') ? 1 : 0];
      const priority = (126 << 24) + ((65_535 - index) << 8) + 255;
      return socket ? [`a=candidate:${index + 1} 1 udp ${priority} ${address} ${socket.address().port} typ host`] : [];
    });
    return [`a=ice-ufrag:${ufrag}`, `a=ice-pwd:${password}`, ...candidates, 'a=end-of-candidates'];
  }
  /** New credentials; the old ones go on until the far side has moved over. */
  restart(): void {
    this.#credentials = [freshCredentials(), ...this.#credentials].slice(0, 2);
  }
  /**
   * Takes what the far side says of itself. @returns whether it restarts ICE
   * @param full whether we check and choose, for the far side does not
   */
  meet(far: Credentials & { candidates: readonly RemoteCandidate[] }, full: boolean): boolean {
    const restarts = this.#far !== null && (this.#far.ufrag !== far.ufrag || this.#far.password !== far.password);
    this.#far = far;
    this.#full = full;
    if (full) this.#check(0);
    return restarts;
  }
  send(bytes: Buffer): void {
    const place = this.#chosen ?? this.#latest;
    if (place) this.#sendTo(place, bytes);
  }
  close(): void {
    turns.leave();
    clearTimeout(this.#timer);
    for (const socket of this.#sockets) socket.close();
  }

  #sendTo({ socket, host, port }: Place, bytes: Buffer): void {
    try {
      socket.send(bytes, port, host);
    } catch {
      // A port or an address that cannot be sent to is one that never answers.
    }
  }
  #take(from: Place, bytes: Buffer): void {
    const [first = 255] = bytes;
    if (first < 4) {
      const message = readStun(bytes);
      if (message?.kind === 'request') this.#answer(from, bytes, message);
      if (message?.kind === 'answer') this.#answered(from, bytes, message);
      return;
    }
    const isChosen = this.#chosen !== null && this.#chosen.port === from.port && this.#chosen.host === from.host;
    if (!isChosen && !this.#valid.has(keyOf(from))) return;
    this.#latest = from;
    this.onData(bytes);
  }
  #answer(from: Place, bytes: Buffer, message: StunMessage): void {
    const [ufrag] = message.username?.split(':') ?? [];
    const credentials = this.#credentials.find((one) => one.ufrag === ufrag);
    if (!credentials || !isGenuine(bytes, message, credentials.password)) return;
    this.heardAt = performance.now();
    this.#remember(from);
    this.#sendTo(from, stunAnswer(bytes, from, credentials.password));
    if (message.useCandidate && !this.#full) this.#choose(from);
  }
  #answered(from: Place, bytes: Buffer, message: StunMessage): void {
    const asked = this.#asked.get(message.transaction);
    if (!asked || !this.#far || !isGenuine(bytes, message, this.#far.password)) return;
    this.#asked.delete(message.transaction);
    this.heardAt = performance.now();
    this.#remember(from);
    if (!this.#chosen) this.#choose(asked);
  }
  #remember(place: Place): void {
    this.#valid.add(keyOf(place));
    const [oldest] = this.#valid;
    if (this.#valid.size > mostValid && oldest !== undefined) this.#valid.delete(oldest);
  }
  #choose(place: Place): void {
    const isFirst = this.#chosen === null;
    this.#chosen = place;
    if (isFirst) this.onChosen();
  }

  /** Checks what there is to check: until one answers all, then the chosen one for consent. */
  #check(round: number): void {
    clearTimeout(this.#timer);
    if (!this.#far) return;
    const { ufrag, password, candidates } = this.#far;
    const isLost = this.#chosen !== null && performance.now() - this.heardAt > 2 * consentEvery;
    if (isLost) this.#chosen = null;
    const [{ ufrag: own } = freshCredentials()] = this.#credentials;
    for (const place of this.#chosen ? [this.#chosen] : candidates.flatMap(({ host, port }) => this.#placesOf(host, port))) {
      const { bytes, transaction } = stunCheck(`${ufrag}:${own}`, password, this.#tieBreaker);
      this.#asked.set(transaction, place);
      this.#sendTo(place, bytes);
    }
    for (const old of [...this.#asked.keys()].slice(0, Math.max(0, this.#asked.size - 200))) this.#asked.delete(old);
    this.#timer = setTimeout(() => this.#check(round + 1), this.#chosen ? consentEvery : Math.min(checkEvery * (round + 1), 1_000));
  }
  #placesOf(host: string, port: number): Place[] {
    const socket = this.#sockets[host.includes(':') ? 1 : 0];
    return socket && /^[\d.]+$|:/.test(host) ? [{ socket, host, port }] : [];
  }
}
const keyOf = ({ host, port }: Place): string => `${host} ${port}`;
