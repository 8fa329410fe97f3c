import type { Carrier } from './carrier.ts';
import { carries, common, isKeys, keyOf, type Kind, known } from './formats.ts';
import { type Key, KeyEar } from './keys.ts';
import { Punctuality } from './lateness.ts';
import { Meter } from './meter.ts';
import { Sender } from './sender.ts';
import { pictureLoss } from './rtcp.ts';
import { beginsPicture, type Packet } from './rtp.ts';
import type { Direction, Format, Section } from './sdp.ts';
import { convertible, turnOf } from './transcode.ts';

/** A format as a stream needs it for every packet. */
export interface Heading {
  key: string;
  type: number;
  clock: number;
}
const headings = (formats: readonly Format[]): Heading[] =>
  formats.flatMap((format) => {
    const key = keyOf(format);
    return key ? [{ key, type: format.payload, clock: format.clock }] : [];
  });

const fresh = 5_000;
/** What every browser speaks (RFC 7874 section 3). */
const ofBrowsers = ['opus', 'pcmu', 'pcma'] as const;

/** How the voice of one source is turned into what the far side speaks. */
interface Turning {
  source: string;
  from: string;
  to: Heading;
  turn: (payload: Buffer) => Buffer;
}
/** Who wants to know what comes on a stream. */
export interface StreamEars {
  packet: (stream: Stream, packet: Packet, heading: Heading) => void;
  /** `as`: the format it was heard in. */
  key: (stream: Stream, key: Key, as: string) => void;
}
/** Whether the far side needs a whole picture: to begin with, or to mend what it shows. */
export type PictureNeed = 'none' | 'mend' | 'begin';

/** Voice or picture of one leg, both ways. */
export class Stream {
  readonly kind: Kind;
  readonly mid: string | null;
  carrier: Carrier;
  readonly sender: Sender;
  readonly meter = new Meter();
  readonly #punctuality = new Punctuality();
  /** Ours: what we do, seen from here. */
  direction: Direction = 'sendrecv';
  formats: Format[];
  /** What there was when something was agreed last. */
  #agreed: Format[] | null = null;
  /** What the far side has named so far, by its numbers. */
  readonly #named = new Map<string, Format>();
  /** While a key is pressed on it nothing else is sent. */
  isPressing = false;
  #sending = new Map<string, Heading>();
  #hearing = new Map<number, Heading>();
  /** What is heard from one source and turned into what the far side speaks. */
  #turning: Turning | null = null;
  /** In what was sent last. */
  #sent = '';
  readonly #ear = new KeyEar();
  readonly #ears: StreamEars;
  /** To begin with nothing is passed on before a whole picture is. */
  needs: PictureNeed = 'begin';

  constructor(kind: Kind, mid: string | null, carrier: Carrier, formats: Format[], ears: StreamEars) {
    this.kind = kind;
    this.mid = mid;
    this.carrier = carrier;
    this.formats = formats;
    this.#ears = ears;
    this.sender = new Sender((packet) => this.carrier.send(packet), kind === 'audio');
    this.#heed(formats);
  }
  /** Takes what was agreed: the far side's numbers to send with; both sides' to hear by. */
  agree(section: Section, direction: Direction): boolean {
    const both = common(this.kind, section.formats, this.formats);
    if (!carries(both)) return false;
    for (const one of known(this.kind, section.formats)) this.#named.set(keyOf(one) ?? '', one);
    this.direction = direction;
    this.#agreed = this.formats;
    this.#sending = new Map(headings(both).map((heading) => [heading.key, heading]));
    this.#turning = null;
    this.#heed([...this.formats, ...both]);
    return true;
  }
  /** Is about to offer these formats; null for what was agreed last. What was agreed is heard until there is an answer. */
  propose(formats: Format[] | null): void {
    if (formats && !carries(formats)) return;
    this.#heed([...this.formats, ...this.#named.values(), ...(formats ?? [])]);
    this.formats = formats ?? this.#agreed ?? this.formats;
  }
  #heed(formats: readonly Format[]): void {
    this.#hearing = new Map(headings(formats).map((heading) => [heading.type, heading]));
  }

  get sends(): boolean {
    return this.direction === 'sendrecv' || this.direction === 'sendonly';
  }
  get hears(): boolean {
    return this.direction === 'sendrecv' || this.direction === 'recvonly';
  }
  /** What can be sent to the far side, in its order. */
  get keys(): string[] {
    return [...this.#sending.keys()];
  }
  /** What it sends, most likely: the voice or picture it names first. */
  get preferred(): string {
    return this.keys.find((key) => !isKeys(key)) ?? '';
  }
  /** What the far side has numbered. */
  get numbered(): Format[] {
    return [...this.#named.values()];
  }
  /** What it could change over to. */
  get able(): string[] {
    const own = [...this.#named.keys()].filter((key) => !isKeys(key));
    return this.kind === 'audio' && this.carrier.protocol !== 'RTP/AVP' ? [...new Set([...own, ...ofBrowsers])] : own;
  }
  heading(key: string): Heading | undefined {
    return this.#sending.get(key);
  }
  /** The keys of a telephone that were agreed, those in the clock of the voice first. */
  get keyHeading(): Heading | undefined {
    const voice = [...this.#sending.values()].find(({ key }) => !isKeys(key));
    return this.#sending.get(`keys/${voice?.clock}`) ?? [...this.#sending.values()].find(({ key }) => isKeys(key));
  }

  /** Whether a packet is voice that comes too late; it is counted then, and not heard. */
  isLate(bytes: Buffer): boolean {
    const heading = this.kind === 'audio' ? this.#hearing.get((bytes[1] ?? 0) & 0x7f) : undefined;
    if (!heading || isKeys(heading.key) || !this.#punctuality.isLate(bytes, heading.clock, performance.now())) return false;
    this.meter.missed();
    return true;
  }
  /** @returns whether the packet belongs to this stream */
  take(packet: Packet): boolean {
    const heading = this.#hearing.get(packet.type);
    if (!heading) return false;
    this.meter.note(packet, heading.clock);
    if (isKeys(heading.key)) {
      const key = this.#ear.take(packet, heading.clock);
      if (key) this.#ears.key(this, key, heading.key);
    }
    this.#ears.packet(this, packet, heading);
    return true;
  }
  /** Sends what another stream has heard, if the far side is to hear it and understands it. @returns whether it was sent */
  pass(source: string, packet: Packet, key: string): boolean {
    if (!this.sends || this.isPressing) return false;
    const same = this.#sending.get(key);
    const turning = same ? null : this.#turningOf(source, key);
    const to = same ?? turning?.to;
    if (!to) return false;
    if (this.kind === 'video' && this.needs !== 'none') {
      if (beginsPicture(key, packet.payload)) this.needs = 'none';
      else if (this.needs === 'begin') return false;
    }
    // Another format counts from another beginning.
    if (this.#sent !== to.key && !isKeys(to.key)) this.sender.part();
    if (!isKeys(to.key)) this.#sent = to.key;
    this.sender.pass(source, turning ? { ...packet, payload: turning.turn(packet.payload) } : packet, to.type, to.clock);
    return true;
  }
  #turningOf(source: string, from: string): Turning | null {
    if (this.#turning?.source === source && this.#turning.from === from) return this.#turning;
    for (const key of convertible(from)) {
      const [to, turn] = [this.#sending.get(key), turnOf(from, key)];
      if (to && turn) return (this.#turning = { source, from, to, turn });
    }
    return null;
  }
  /** Asks the far side for a whole picture, if it sends any. */
  askPicture(): void {
    if (this.meter.ssrc !== null && this.hears && performance.now() - this.meter.heardAt < fresh)
      this.carrier.control(pictureLoss(this.sender.ssrc, this.meter.ssrc));
  }
}
