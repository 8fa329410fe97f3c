import type { Packet } from './rtp.ts';
import type { Section } from './sdp.ts';

/** How packets of one leg get to its far side and back: encrypted over ICE, or plain. */
export interface Carrier {
  /** Where the far side is told to send to, for those who do not do ICE. */
  readonly host: string;
  readonly port: number;
  readonly protocol: string;
  readonly heardAt: number;
  readonly isConnected: boolean;
  /** What a section that travels here says of it. `answering`: nothing is left open. */
  describe(answering: boolean): string[];
  /** Begins anew, for the far side is lost or asks for it. */
  restart(): void;
  /** Takes what the far side says of itself. `lite`: it checks no paths. @throws MediaFailure `incompatible` */
  meet(section: Section, lite: boolean): void;
  send(packet: Packet): void;
  control(bytes: Buffer): void;
  /** Asked before a packet is decrypted: whether it comes too late to be passed on. */
  isLate: (bytes: Buffer) => boolean;
  onPacket: (packet: Packet) => void;
  onControl: (bytes: Buffer) => void;
  onConnected: () => void;
  /** The far side has gone, or nothing can be agreed with it. */
  onLost: (how: 'disconnected' | 'failed') => void;
  close(): void;
}
