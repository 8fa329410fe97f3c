import type { MediaPort } from '../media/port.ts';
import { readSdp } from '../media/sdp.ts';
import type { Peer, SipLeg } from '../sip/leg.ts';

/** Does an offer put its far side on hold: nothing is to be heard there any more (RFC 3264 section 8.4)? */
export const holds = (sdp: string): boolean =>
  readSdp(sdp).sections.some(({ kind, port, direction }) => kind === 'audio' && port !== 0 && (direction === 'sendonly' || direction === 'inactive'));

/** An offer that puts its far side on hold. */
export const holding = (sdp: string): string =>
  sdp.replaceAll(/^a=(sendrecv|recvonly)(?=\r?$)/gm, (_, now) => (now === 'sendrecv' ? 'a=sendonly' : 'a=inactive'));

/** What the far side of a leg is to know of the one it talks with. `peer`: who that is, where it is another than the one it called or that called it. */
interface Word {
  isHeld: boolean;
  peer: Peer | null;
}
const isSame = (one: Word, other: Word): boolean => one.isHeld === other.isHeld && JSON.stringify(one.peer) === JSON.stringify(other.peer);

/** Tells the far side of a leg whether the one it talks with holds it, and who that is, by offers one after the other; of wishes that overtake each other the last counts. */
export class PeerTeller {
  readonly #media: MediaPort;
  readonly #leg: SipLeg;
  readonly #id: string;
  #wanted: Word = { isHeld: false, peer: null };
  #told: Word = this.#wanted;
  #turn: Promise<void> = Promise.resolve();

  /** `id`: of the leg's media. */
  constructor(media: MediaPort, leg: SipLeg, id: string) {
    this.#media = media;
    this.#leg = leg;
    this.#id = id;
  }

  /** @throws Error where the far side does not agree; the call goes on */
  tell(change: Partial<Word>): Promise<void> {
    this.#wanted = { ...this.#wanted, ...change };
    const told = this.#turn.then(() => this.#offer());
    this.#turn = told.catch(() => undefined);
    return told;
  }

  async #offer(): Promise<void> {
    const word = this.#wanted;
    if (isSame(word, this.#told) || this.#leg.state !== 'confirmed') return;
    this.#told = word;
    const offer = await this.#media.offer(this.#id, { video: false, kind: this.#leg.kind });
    const answer = await this.#leg.reoffer(word.isHeld ? holding(offer) : offer, word.peer ?? undefined);
    await this.#media.accept(this.#id, answer);
  }
}
