import type { MediaPort } from '../media/port.ts';
import { readSdp } from '../media/sdp.ts';
import type { SipLeg } from '../sip/leg.ts';

/** Does an offer put its far side on hold: nothing is to be heard there any more (RFC 3264 section 8.4)? */
export const holds = (sdp: string): boolean =>
  readSdp(sdp).sections.some(({ kind, port, direction }) => kind === 'audio' && port !== 0 && (direction === 'sendonly' || direction === 'inactive'));

/** An offer that puts its far side on hold. */
export const holding = (sdp: string): string =>
  sdp.replaceAll(/^a=(sendrecv|recvonly)(?=\r?$)/gm, (_, now) => (now === 'sendrecv' ? 'a=sendonly' : 'a=inactive'));

/** Tells the far side of a leg whether the one it talks with holds it, by offers one after the other; of wishes that overtake each other the last counts. */
export class HoldTeller {
  readonly #media: MediaPort;
  readonly #leg: SipLeg;
  readonly #id: string;
  #wanted = false;
  #told = false;
  #turn: Promise<void> = Promise.resolve();

  /** `id`: of the leg's media. */
  constructor(media: MediaPort, leg: SipLeg, id: string) {
    this.#media = media;
    this.#leg = leg;
    this.#id = id;
  }

  /** @throws Error where the far side does not agree; the call goes on */
  tell(on: boolean): Promise<void> {
    this.#wanted = on;
    const told = this.#turn.then(() => this.#offer());
    this.#turn = told.catch(() => undefined);
    return told;
  }

  async #offer(): Promise<void> {
    const on = this.#wanted;
    if (on === this.#told || this.#leg.state !== 'confirmed') return;
    this.#told = on;
    const offer = await this.#media.offer(this.#id, { video: false, kind: this.#leg.kind });
    const answer = await this.#leg.reoffer(on ? holding(offer) : offer);
    await this.#media.accept(this.#id, answer);
  }
}
