import type { Socket } from 'node:dgram';
import { isIP } from 'node:net';
import type { Carrier } from './carrier.ts';
import { turns } from './lateness.ts';
import { addressFor, type Addresses, openSocket } from './path.ts';
import { MediaFailure } from './port.ts';
import { isRtcp, type Packet, readPacket, writePacket } from './rtp.ts';
import type { Section } from './sdp.ts';

/** Plain RTP for phones without ICE: answered where it comes from, as phones behind routers need (RFC 4961). */
export class PlainCarrier implements Carrier {
  readonly protocol = 'RTP/AVP';
  readonly #socket: Socket;
  readonly #addresses: Addresses;
  /** Where its signalling is, until it says where its media are. */
  readonly #toward: string | null;
  #far: { host: string; port: number; control: number } | null = null;
  #isLatched = false;
  heardAt = 0;
  isConnected = false;
  isLate: (bytes: Buffer) => boolean = () => false;
  onPacket: (packet: Packet) => void = () => undefined;
  onControl: (bytes: Buffer) => void = () => undefined;
  onConnected: () => void = () => undefined;
  onLost: (how: 'disconnected' | 'failed') => void = () => undefined;

  private constructor(socket: Socket, addresses: Addresses, toward: string | null) {
    this.#toward = toward;
    this.#socket = socket;
    turns.join();
    this.#addresses = addresses;
    socket.on('message', (bytes, { address, port }) => this.#take(bytes, address, port));
  }
  static async open(addresses: Addresses, toward: string | null = null): Promise<PlainCarrier> {
    return new PlainCarrier(await openSocket('udp4', addresses.ports), addresses, toward);
  }

  get host(): string {
    return addressFor(this.#addresses, this.#far?.host ?? this.#toward);
  }
  get port(): number {
    return this.#socket.address().port;
  }
  describe(): string[] {
    return [`a=rtcp:${this.port}`];
  }
  restart(): void {
    this.#isLatched = false;
  }
  meet({ host, port, mux, rtcpPort }: Section): void {
    if (host === null || isIP(host) !== 4) throw new MediaFailure('incompatible', 'no address to send to');
    const isOther = this.#far?.host !== host || this.#far.port !== port;
    // A hold in the old manner (RFC 2543) says 0.0.0.0: nothing is sent, the address stays.
    if (host === '0.0.0.0') return;
    this.#far = isOther ? { host, port, control: mux ? port : (rtcpPort ?? port + 1) } : this.#far;
    if (isOther) this.#isLatched = false;
    if (this.isConnected) return;
    this.isConnected = true;
    queueMicrotask(() => this.onConnected());
  }
  #take(bytes: Buffer, host: string, port: number): void {
    if (!this.#far) return;
    const isControl = isRtcp(bytes);
    if (!this.#isLatched && !isControl) {
      this.#isLatched = true;
      this.#far = { host, port, control: this.#far.control === this.#far.port ? port : this.#far.control };
    }
    if (host !== this.#far.host) return;
    this.heardAt = performance.now();
    if (isControl) this.onControl(bytes);
    else if (port === this.#far.port && !this.isLate(bytes)) {
      const packet = readPacket(bytes);
      if (packet) this.onPacket(packet);
    }
  }
  send(packet: Packet): void {
    if (this.#far) this.#socket.send(writePacket(packet), this.#far.port, this.#far.host);
  }
  control(bytes: Buffer): void {
    if (this.#far) this.#socket.send(bytes, this.#far.control, this.#far.host);
  }
  close(): void {
    turns.leave();
    this.#socket.close();
  }
}
