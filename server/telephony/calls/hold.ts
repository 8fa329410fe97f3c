import type { MediaPort } from '../media/port.ts';
import { readSdp } from '../media/sdp.ts';
import type { Peer, SipLeg } from '../sip/leg.ts';
import { confirmed } from './confirmed.ts';

/** Does an offer put its far side on hold: nothing is to be heard there any more (RFC 3264 section 8.4)? */
export const holds = (sdp: string): boolean =>
  readSdp(sdp).sections.some(({ kind, port, direction }) => kind === 'audio' && port !== 0 && (direction === 'sendonly' || direction === 'inactive'));

/** An offer that puts its far side on hold. */
export const holding = (sdp: string): string =>
  sdp.replaceAll(/^a=(sendrecv|recvonly)(?=\r?$)/gm, (_, now) => (now === 'sendrecv' ? 'a=sendonly' : 'a=inactive'));

/**
 * What the far side of a leg is to know of the one it talks with. `peer`: who that is, where it is another than the one it called or that
 * called it. `toward`: the leg whose formats it is to speak, until it has been asked to.
 */
interface Word {
  isHeld: boolean;
  peer: Peer | null;
  toward: string | null;
}
const isSame = (one: Word, other: Word): boolean =>
  one.isHeld === other.isHeld && other.toward === null && JSON.stringify(one.peer) === JSON.stringify(other.peer);

/** Tells the far side of a leg whether the one it talks with holds it, who that is and how to speak to it, by offers one after the other; of wishes that overtake each other the last counts. */
export class PeerNotifier {
  readonly #media: MediaPort;
  readonly #leg: SipLeg;
  readonly #id: string;
  #wanted: Word = { isHeld: false, peer: null, toward: null };
  #offered: Word = this.#wanted;
  #turn: Promise<void> = Promise.resolve();

  /** `id`: of the leg's media. */
  constructor(media: MediaPort, leg: SipLeg, id: string) {
    this.#media = media;
    this.#leg = leg;
    this.#id = id;
  }

  /** @throws Error where the far side does not agree; the call goes on */
  notify(change: Partial<Word>): Promise<void> {
    this.#wanted = { ...this.#wanted, ...change };
    const offered = this.#turn.then(() => this.#offer());
    this.#turn = offered.catch(() => undefined);
    return offered;
  }

  async #offer(): Promise<void> {
    // An answer that has not been acknowledged yet: an offer now would be refused, and what it has to say lost.
    if (this.#leg.state === 'answered') await confirmed(this.#leg).catch(() => undefined);
    const word = this.#wanted;
    if (isSame(this.#offered, word) || this.#leg.state !== 'confirmed') return;
    this.#wanted = { ...word, toward: null };
    // Whoever talks with somebody else by now may have a picture to see that there was none of before.
    const video = word.peer !== this.#offered.peer;
    this.#offered = this.#wanted;
    const offer = await this.#media.offer(this.#id, { video, kind: this.#leg.kind }, word.toward ?? undefined);
    const answer = await this.#leg.reoffer(word.isHeld ? holding(offer) : offer, word.peer ?? undefined);
    await this.#media.accept(this.#id, answer);
  }
}
