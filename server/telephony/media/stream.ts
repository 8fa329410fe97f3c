import type { Carrier } from './carrier.ts';
import { agreeable, carries, isKeys, keyOf, type Kind } from './formats.ts';
import { type Key, KeyEar } from './keys.ts';
import { Meter } from './meter.ts';
import { Outlet } from './outlet.ts';
import { pictureLoss } from './rtcp.ts';
import { beginsPicture, type Packet } from './rtp.ts';
import type { Direction, Format, Section } from './sdp.ts';

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
  readonly outlet: Outlet;
  readonly meter = new Meter();
  /** Ours: what we do, seen from here. */
  direction: Direction = 'sendrecv';
  formats: Format[];
  /** While a key is pressed on it nothing else is sent. */
  isPressing = false;
  #sending = new Map<string, Heading>();
  #hearing = new Map<number, Heading>();
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
    this.outlet = new Outlet((packet) => this.carrier.send(packet), kind === 'audio');
    this.#heed(formats);
  }
  /** Takes what was agreed: the far side's numbers to send with; both sides' to hear by. */
  agree(section: Section, direction: Direction): boolean {
    const common = agreeable(this.kind, section.formats, new Set(headings(this.formats).map(({ key }) => key)));
    if (!carries(common)) return false;
    this.direction = direction;
    this.#sending = new Map(headings(common).map((heading) => [heading.key, heading]));
    this.#heed([...this.formats, ...common]);
    return true;
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
  heading(key: string): Heading | undefined {
    return this.#sending.get(key);
  }
  /** The keys of a telephone that were agreed, those in the clock of the voice first. */
  get keyHeading(): Heading | undefined {
    const voice = [...this.#sending.values()].find(({ key }) => !isKeys(key));
    return this.#sending.get(`keys/${voice?.clock}`) ?? [...this.#sending.values()].find(({ key }) => isKeys(key));
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
    const to = this.#sending.get(key);
    if (!to || !this.sends || this.isPressing) return false;
    if (this.kind === 'video' && this.needs !== 'none') {
      if (beginsPicture(key, packet.payload)) this.needs = 'none';
      else if (this.needs === 'begin') return false;
    }
    this.outlet.pass(source, packet, to.type, to.clock);
    return true;
  }
  /** Asks the far side for a whole picture, if it sends any. */
  askPicture(): void {
    if (this.meter.ssrc !== null && this.hears && performance.now() - this.meter.heardAt < fresh)
      this.carrier.control(pictureLoss(this.outlet.ssrc, this.meter.ssrc));
  }
}
