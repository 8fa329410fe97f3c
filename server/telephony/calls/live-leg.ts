import { randomUUID } from 'node:crypto';
import type { MediaPort, MediaStanding, Tone } from '../media/port.ts';
import type { LegEnd, LegEvent, Peer, SipLeg } from '../sip/leg.ts';
import { confirmed } from './confirmed.ts';
import { holds, PeerNotifier } from './hold.ts';
import { type FarSide, inside } from './outside.ts';
import { Quiet } from './quiet.ts';
import type { Clock } from '#server/timers.ts';
import type { Parting } from './types.ts';

/** Does an offer ask for a picture? */
export const offersVideo = (sdp: string | null): boolean => sdp !== null && /^m=video (?!0 )/m.test(sdp);

/** Why a leg of ours is no more, in the words of a call. */
export function partingOf({ by, cause, status }: LegEnd): Parting {
  if (by === 'lost' || cause === 'transport') return 'lost';
  if (by === 'them' && cause === 'cancelled') return 'undone';
  if (cause === 'timeout' || status === 408) return 'silent';
  if (cause !== 'refused') return 'left';
  if (status === 486 || status === 600) return 'busy';
  return status === 603 ? 'declined' : 'unreachable';
}

/** The far side has put the one it talks with on hold, or took it back. */
export interface HoldEvent {
  type: 'held';
}
/** What a leg is made of, besides its signalling and media. */
export interface LegParts {
  number: string;
  /** What the far side offered; none where the offer is ours. */
  offer?: string | null;
  id?: string;
  place?: string | null;
  far?: FarSide;
  /** The far side hears and shows nothing before the answer. */
  quiet?: boolean;
}
/** One end of a call: its signalling and its media under one name. */
export class LiveLeg {
  readonly id: string;
  readonly leg: SipLeg;
  /** The number at this end. */
  readonly number: string;
  /** Which of the number's phones; null where there is only one way to it. */
  readonly place: string | null;
  /** What the far side offered; null where the offer is ours. */
  readonly offer: string | null;
  readonly far: FarSide;
  readonly #media: MediaPort;
  #answer: Promise<string> | null = null;
  #toward: string | undefined;
  #ready: Promise<void> = Promise.resolve();
  #stop: () => void = () => undefined;
  readonly #isQuiet: boolean;
  #quiet: Quiet | null = null;
  #rang = false;
  #isThere = true;
  #hasTarget = false;
  #holds = false;
  readonly #peer: PeerNotifier;
  readonly #proven: Promise<void>;

  constructor(media: MediaPort, leg: SipLeg, { number, offer = null, id = randomUUID(), place = null, far = inside, quiet = false }: LegParts) {
    this.#media = media;
    this.leg = leg;
    this.number = number;
    this.place = place;
    this.offer = offer;
    this.id = id;
    this.far = far;
    this.#isQuiet = quiet;
    this.#proven = far.byAddress ? confirmed(leg) : Promise.resolve();
    this.#peer = new PeerNotifier(media, leg, id);
  }

  /** The far side holds whoever it talks with. */
  get holds(): boolean {
    return this.#holds;
  }
  /** Tells the far side whether the one it talks with holds it, and (`peer`) who that is after a transfer. @throws Error where it does not agree */
  heldBy(other: Pick<LiveLeg, 'holds'>, peer?: Peer): Promise<void> {
    return this.#peer.notify({ isHeld: other.holds, ...(peer && { peer }) });
  }
  /** Asks the far side to speak what this leg does. @throws Error where it does not agree */
  speakAs(other: string): Promise<void> {
    return this.#peer.notify({ toward: other });
  }
  /** It rings at a phone and nobody has answered: at one that is there, or at one that has gone, a closed or crashed page. */
  get rings(): 'here' | 'in vain' | null {
    const isOpen = this.leg.direction === 'outgoing' && (this.leg.state === 'trying' || this.leg.state === 'ringing');
    return isOpen ? (this.#isThere ? 'here' : 'in vain') : null;
  }

  /** Is it known that what is sent to the far side arrives there? */
  get isProven(): boolean {
    return !this.far.byAddress || this.leg.state === 'confirmed';
  }
  /** Waits until it is. @throws Error where the leg ends before */
  proven(): Promise<void> {
    return this.#proven;
  }
  /** Plays a tone to the far side, once it is known to be there. */
  async play(tone: Tone): Promise<void> {
    if (this.isProven) await this.#media.play(this.id, tone);
  }

  /** The far side knows where to send to: it is heard and seen before the answer too. */
  get isHeard(): boolean {
    return this.#hasTarget;
  }
  /** Both ends of this leg talk to each other. */
  get isUp(): boolean {
    return this.leg.state === 'answered' || this.leg.state === 'confirmed';
  }

  /**
   * Our description for the far side: the answer to its offer, or an offer where it wants ours. Made once, but anew for `toward` as
   * long as nobody was told it: what only the one it is joined to does not understand is then left out. Asked for ahead, it is there in time.
   * @throws MediaFailure
   */
  answer(toward?: string): Promise<string> {
    if (this.#answer === null || (toward !== undefined && toward !== this.#toward && !this.#hasTarget)) {
      this.#toward = toward;
      this.#answer =
        this.offer === null
          ? this.#media.offer(this.id, { video: false, kind: this.leg.kind }, toward)
          : this.#media.answer(this.id, this.offer, toward);
    }
    return this.#answer;
  }

  /** The far side answered what we offered. */
  taken(sdp: string | null): void {
    this.#ready = sdp === null ? Promise.reject(new Error('an answer without a description')) : this.#media.accept(this.id, sdp);
    // Whoever connects the leg hears of it.
    this.#ready.catch(() => undefined);
  }

  /** Answers the leg where that is still to be done, and waits until its media are agreed. @throws MediaFailure */
  async up(toward: string, headers: Readonly<Record<string, string>>): Promise<void> {
    if (this.leg.direction === 'incoming' && !this.isUp) {
      const sdp = await this.answer(toward);
      this.#hasTarget = true;
      this.leg.accept(sdp, headers);
    }
    await this.#ready;
  }

  /** It rings: said once; with `early`, the caller is given something to hear already. */
  async ring(early: boolean): Promise<void> {
    if (this.leg.direction !== 'incoming' || this.isUp) return;
    // Without an offer there is nothing to hear yet.
    if (early && !this.#isQuiet && this.offer !== null && this.isProven) {
      const sdp = await this.answer();
      if (this.isUp || this.leg.state === 'ended') return;
      this.#hasTarget = true;
      this.leg.ring(sdp);
    } else if (!this.#rang) this.leg.ring();
    this.#rang = true;
  }

  /**
   * Listens to the leg instead of whoever did so before. New offers of the far side are answered by the media; a far side that is
   * not there any more is given up, and told of as an end that neither side wished for.
   */
  listen(clock: Clock, listener: (event: LegEvent | HoldEvent) => void): void {
    this.unhear();
    const quiet = new Quiet(clock, this.leg.kind === 'rtp', (why) => {
      this.unhear();
      this.leg.end({ reason: { cause: 503, text: why === 'gone' ? 'connection lost' : 'media lost' } });
      listener({ type: 'ended', end: { by: 'lost', cause: 'transport', status: null, reason: null } });
    });
    this.#quiet = quiet;
    this.#stop = this.leg.listen((event) => {
      if (event.type === 'offered') this.#take(event, listener);
      else if (event.type === 'reachable' || event.type === 'unreachable') {
        this.#isThere = event.type === 'reachable';
        quiet.signalling(this.#isThere);
      } else listener(event);
    });
  }

  #take({ sdp, accept, refuse }: Extract<LegEvent, { type: 'offered' }>, listener: (event: HoldEvent) => void): void {
    const answered = (answer: string): void => {
      accept(answer);
      if (holds(sdp) === this.#holds) return;
      this.#holds = !this.#holds;
      listener({ type: 'held' });
    };
    this.#media.answer(this.id, sdp).then(answered, () => refuse(488));
  }

  /** What the media say of the leg. */
  hear(event: MediaStanding): void {
    this.#quiet?.media(event);
  }

  /** Lets go of the leg without ending it. */
  unhear(): void {
    this.#stop();
    this.#stop = () => undefined;
    this.#quiet?.close();
    this.#quiet = null;
  }

  /** Ends signalling and media; nothing is heard of it any more. */
  end(how?: Parameters<SipLeg['end']>[0]): void {
    this.unhear();
    this.leg.end(how);
    void this.#media.close(this.id).catch(() => undefined);
  }
}
