import { randomInt } from 'node:crypto';
import type { Carrier } from './carrier.ts';
import { agreeable, carries, type Kind, offerable, type Understood } from './formats.ts';
import type { Addresses } from './path.ts';
import { PlainCarrier } from './plain.ts';
import { MediaFailure } from './port.ts';
import { readControl } from './rtcp.ts';
import { type Description, type Direction, readSdp, safeMid, type Section, writeSdp, type WrittenSection } from './sdp.ts';
import { SecureCarrier } from './secure.ts';
import { Stream, type StreamEars } from './stream.ts';

/** Who wants to know what happens to a leg. */
export interface LegEars extends StreamEars {
  connected: () => void;
  lost: (how: 'disconnected' | 'failed') => void;
  /** The far side needs a whole picture. */
  picture: () => void;
}
/** A section of the session in its order: what travels in it, or that nothing does. */
interface Slot {
  kind: string;
  protocol: string;
  mid: string | null;
  stream: Stream | null;
  mux: boolean;
}
const opposite = { sendrecv: 'sendrecv', sendonly: 'recvonly', recvonly: 'sendonly', inactive: 'inactive' } as const satisfies Record<
  Direction,
  Direction
>;
const isKind = (kind: string): kind is Kind => kind === 'audio' || kind === 'video';
const isSecure = ({ protocol }: Section): boolean => /^(?:(?:UDP|TCP)\/TLS\/)?RTP\/SAVPF?$/.test(protocol);
const isPlain = ({ protocol }: Section): boolean => /^RTP\/AVPF?$/.test(protocol);
const isWanted = (section: Section): boolean => (section.port !== 0 || section.bundleOnly) && (isSecure(section) || isPlain(section));

/** Media of one leg: what was agreed with its far side (RFC 3264), and the streams that follow from it. */
export class MediaLeg {
  readonly #addresses: Addresses;
  readonly #ears: LegEars;
  readonly #session = { id: String(randomInt(2 ** 47)), version: 0 };
  #slots: Slot[] = [];
  /** We check no paths, for the far side does. */
  #lite = true;
  /** Where a description has been taken and its answer given. */
  isAgreed = false;

  constructor(addresses: Addresses, ears: LegEars) {
    this.#addresses = addresses;
    this.#ears = ears;
  }
  get streams(): Stream[] {
    return this.#slots.flatMap(({ stream }) => stream ?? []);
  }
  stream(kind: Kind): Stream | undefined {
    return this.#slots.find(({ stream }) => stream?.kind === kind)?.stream ?? undefined;
  }
  get carriers(): Carrier[] {
    return [...new Set(this.streams.map(({ carrier }) => carrier))];
  }

  /** Answers an offer, a first or a new one. `toward`: what the leg understands that it is or will be joined to. */
  async answer(sdp: string, toward: Understood | null): Promise<string> {
    const offer = readSdp(sdp);
    this.#lite = !offer.lite;
    const slots: Slot[] = [];
    for (const [index, section] of offer.sections.entries()) slots.push(await this.#slotFor(section, this.#slots[index], slots, offer, toward));
    const fresh = slots.flatMap(({ stream }) => stream ?? []);
    if (!fresh.some(({ kind }) => kind === 'audio')) {
      for (const { carrier } of fresh) if (!this.carriers.includes(carrier)) carrier.close();
      throw new MediaFailure('incompatible', 'nothing to talk with');
    }
    this.#store(slots);
    this.isAgreed = true;
    return this.#write(true);
  }
  async #slotFor(section: Section, old: Slot | undefined, before: readonly Slot[], offer: Description, toward: Understood | null): Promise<Slot> {
    const { kind, protocol, mux } = section;
    const slot: Slot = {
      kind: isKind(kind) ? kind : 'application',
      protocol: /^[\w/]{1,40}$/.test(protocol) ? protocol : 'RTP/AVP',
      mid: safeMid(section.mid),
      stream: null,
      mux,
    };
    const isDouble = before.some(({ stream }) => stream?.kind === kind);
    const formats = agreeable(kind, section.formats, toward);
    if (!isKind(kind) || isDouble || !isWanted(section) || !carries(formats)) return slot;
    const bundled =
      slot.mid !== null && offer.bundle.includes(slot.mid)
        ? before.find(({ stream, mid }) => stream && mid !== null && offer.bundle.includes(mid))
        : undefined;
    const carrier = old?.stream?.carrier ?? bundled?.stream?.carrier ?? (await this.#open(isSecure(section)));
    if (!bundled) carrier.meet(section, offer.lite);
    const stream = old?.stream ?? new Stream(kind, slot.mid, carrier, formats, this.#ears);
    stream.formats = formats;
    stream.agree(section, opposite[section.direction]);
    return { ...slot, stream };
  }

  /** Makes an offer; of what was agreed already other formats only with `toward`. `checks`: we check the paths, for the far side does not. */
  async offer(wants: { video: boolean; kind: 'webrtc' | 'rtp'; checks?: boolean; far?: string | null }, toward: Understood | null): Promise<string> {
    this.#lite = !wants.checks;
    for (const kind of wants.video ? (['audio', 'video'] as const) : (['audio'] as const)) {
      const old = this.stream(kind);
      const formats = offerable(kind, wants.kind, toward, old?.numbered);
      old?.propose(toward && formats);
      if (old || !carries(formats)) continue;
      const shared = wants.kind === 'webrtc' ? this.carriers[0] : undefined;
      const carrier = shared ?? (await this.#open(wants.kind === 'webrtc', wants.far));
      const mid = wants.kind === 'webrtc' ? String(this.#slots.length) : null;
      this.#slots.push({
        kind,
        protocol: carrier.protocol,
        mid,
        stream: new Stream(kind, mid, carrier, formats, this.#ears),
        mux: wants.kind === 'webrtc',
      });
    }
    for (const stream of this.streams) stream.direction = 'sendrecv';
    return this.#write(false);
  }
  /** Takes the answer to the last offer. */
  accept(sdp: string): void {
    const { sections, lite } = readSdp(sdp);
    const met = new Set<Carrier>();
    const slots = this.#slots.map((slot, index): Slot => {
      const [section, { stream }] = [sections[index], slot];
      if (!stream || !section || section.port === 0 || !stream.agree(section, opposite[section.direction])) return { ...slot, stream: null };
      if (!met.has(stream.carrier)) stream.carrier.meet(section, lite);
      met.add(stream.carrier);
      return slot;
    });
    this.#store(slots);
    if (!this.stream('audio')) throw new MediaFailure('incompatible', 'nothing to talk with');
    this.isAgreed = true;
  }
  #store(slots: Slot[]): void {
    const before = this.carriers;
    this.#slots = slots;
    for (const carrier of before) if (!this.carriers.includes(carrier)) carrier.close();
  }
  /** Begins the paths anew with the next offer. */
  restart(): void {
    for (const carrier of this.carriers) carrier.restart();
  }

  async #open(secure: boolean, far: string | null = null): Promise<Carrier> {
    const carrier = await (secure ? SecureCarrier.open(this.#addresses) : PlainCarrier.open(this.#addresses, far));
    const mine = (): Stream[] => this.streams.filter((one) => one.carrier === carrier);
    carrier.isLate = (bytes) => this.#slots.some(({ stream }) => stream?.carrier === carrier && stream.isLate(bytes));
    carrier.onPacket = (packet) => {
      for (const { stream } of this.#slots) if (stream?.carrier === carrier && stream.take(packet)) return;
    };
    carrier.onControl = (bytes) => {
      for (const said of readControl(bytes)) {
        if (said.type === 'picture') this.#ears.picture();
        else for (const { meter } of mine()) meter.reported(said.ssrc, said.ntp);
      }
    };
    carrier.onConnected = () => {
      if (this.carriers.every(({ isConnected }) => isConnected)) this.#ears.connected();
    };
    carrier.onLost = this.#ears.lost;
    return carrier;
  }
  #write(answering: boolean): string {
    const bundle = this.#slots.flatMap(({ mid, stream }) => (stream && mid !== null && stream.carrier === this.carriers[0] ? [mid] : []));
    const isSecureOne = this.carriers.some((carrier) => carrier instanceof SecureCarrier);
    this.#session.version += 1;
    return writeSdp(
      { ...this.#session, lite: isSecureOne && this.#lite, bundle },
      this.#slots.map((slot) => this.#section(slot, answering)),
    );
  }
  #section({ kind, protocol, mid, stream, mux }: Slot, answering: boolean): WrittenSection {
    if (!stream) return { kind, port: 0, protocol, host: '0.0.0.0', mid, direction: 'inactive', formats: [], mux: false, transport: [], ssrc: 0 };
    const { carrier, direction, formats, sender } = stream;
    return {
      kind,
      port: carrier.port,
      protocol,
      host: carrier.host,
      mid,
      direction,
      formats,
      mux,
      transport: carrier.describe(answering),
      ssrc: sender.ssrc,
    };
  }
  close(): void {
    for (const carrier of this.carriers) carrier.close();
  }
}
