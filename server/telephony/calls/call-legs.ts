import type { TrunkRefusal } from '#models/call.ts';
import { constants } from '#models/constants.ts';
import type { Key } from '../media/keys.ts';
import type { MediaEvent, MediaPort } from '../media/port.ts';
import type { LegEnd, LegEvent, Peer, SipLeg } from '../sip/leg.ts';
import { type HoldEvent, type LiveLeg, partingOf } from './live-leg.ts';
import type { Clock } from '#server/timers.ts';
import { mayMeet, passesKeys } from './outside.ts';
import type { CallEvent } from './server-call.setup.ts';
import type { Offer } from './types.ts';

/** What the legs of a call are given by it. */
export interface LegsOfCall {
  media: MediaPort;
  clock: Clock;
  /** Tells the call's chart. */
  send: (event: CallEvent) => void;
  /** Work that nobody waits for. */
  run: (work: Promise<unknown>) => void;
  /** A leg asked to be connected elsewhere. */
  transfer: (by: LiveLeg, wish: Extract<LegEvent, { type: 'transfer' }>) => Promise<void>;
}

/** Whom those talk with whom a transfer has moved here, as they are to be told. */
export interface Peers {
  caller?: Peer;
  talker?: Peer;
}

/** More keys than anybody presses before two are joined. */
const mostEarly = 32;

/** Why one falls silent that somebody else has answered for (RFC 3326). */
const elsewhere = (by: string | null) => ({ cause: 200, text: `Call completed elsewhere${by ? ` by ${by}` : ''}` });

/** All legs of one call: the caller's, those that ring or wait, and the one that talks. */
export class CallLegs {
  readonly caller: LiveLeg;
  readonly #call: LegsOfCall;
  readonly #others = new Map<string, LiveLeg>();
  readonly #released = new Set<LiveLeg>();
  #talker: LiveLeg | null = null;
  /** Who was joined with the caller last. */
  #joined: LiveLeg | null = null;
  /** Keys of those who are up and not joined yet: whoever answers does not know that it is still being decided whether they were the first. */
  readonly #early = new Set<{ leg: LiveLeg; key: Key }>();
  #late = 0;
  /** Why the line outside was of no use, of several the last. */
  refusal: TrunkRefusal | null = null;

  constructor(call: LegsOfCall, caller: LiveLeg) {
    this.#call = call;
    this.caller = caller;
  }

  /** Hears the caller from now on. */
  start(): void {
    this.caller.listen(this.#call.clock, (event) => this.#ofCaller(event));
  }

  /** So many packets of voice came too late to be passed on. */
  get late(): number {
    return this.#late;
  }
  /** Somebody talks with the caller. */
  get isTalked(): boolean {
    return this.#talker !== null;
  }
  /** Does it ring at this phone, and is that one there? */
  isRung(place: string): boolean {
    return [...this.#others.values()].some((leg) => leg.place === place && leg.rings === 'here');
  }
  /** Gives up ringing these numbers where their phones have gone. */
  forgetVain(numbers: readonly string[]): void {
    const lost = { by: 'lost', cause: 'transport', status: null, reason: null } as const;
    for (const leg of this.#others.values()) if (leg.rings === 'in vain' && numbers.includes(leg.number)) this.#gone(leg, lost);
  }
  has(leg: LiveLeg): boolean {
    return this.#others.has(leg.id);
  }
  /** The leg of this number among the two that talk, and the other one. */
  endsOf(number: string): { own: LiveLeg; other: LiveLeg } | null {
    if (!this.#talker) return null;
    if (this.#talker.number === number) return { own: this.#talker, other: this.caller };
    return this.caller.number === number ? { own: this.caller, other: this.#talker } : null;
  }

  /** Counts a leg to the call, without hearing it yet. */
  add(leg: LiveLeg): void {
    this.#others.set(leg.id, leg);
  }
  /** Counts a leg to the call and tells the chart what happens on it. */
  attend(leg: LiveLeg): void {
    this.add(leg);
    leg.listen(this.#call.clock, (event) => {
      if (event.type === 'progress') this.#call.send({ type: 'leg.progress', leg: leg.id });
      else if (event.type === 'answered') leg.taken(event.sdp);
      else if (event.type === 'confirmed' && leg.leg.direction === 'outgoing') this.#call.send({ type: 'leg.confirmed', leg: leg.id });
      else if (event.type === 'ended') this.#gone(leg, event.end);
      else this.#ofEither(leg, event);
    });
  }

  /** Lets go of a leg for good: it does not end with the call. */
  release(leg: LiveLeg): void {
    this.#released.add(leg);
    leg.unhear();
  }

  /** What the media say of one of the legs. @returns false when the media of one are gone, and with them the call's */
  hear(event: MediaEvent): boolean {
    const leg = event.leg === this.caller.id ? this.caller : this.#others.get(event.leg);
    if (event.type === 'gone') return leg === undefined;
    if (event.type === 'late') this.#late += leg ? event.packets : 0;
    else if (event.type !== 'dtmf') leg?.hear(event.type);
    else if (leg && event.unpassed) this.#press(leg, event);
    return true;
  }

  /** Has the caller's answer written while the claim of this leg is decided; where it cannot be, that is found again when it is due. */
  prepare(id: string): void {
    if (this.#others.get(id)?.leg.direction === 'outgoing' && !this.caller.isUp) this.caller.answer(id).catch(() => undefined);
  }
  /**
   * Answers both ends and joins them; the one has its headers, the caller has others, and `peers` are told with whom they talk.
   * @throws Error when the leg is gone; MediaFailure
   */
  async connect(id: string, headers: Readonly<Record<string, string>>, ofCaller: Readonly<Record<string, string>>, peers: Peers = {}): Promise<void> {
    const leg = this.#others.get(id);
    if (!leg) throw new Error('the leg is gone');
    this.#talker = leg;
    this.#joined = null;
    await leg.up(this.caller.id, headers);
    await this.caller.up(leg.id, ofCaller);
    // Where one is known by an address alone, nothing is said to it or taken from it before its ACK has come.
    await Promise.all([leg.proven(), this.caller.proven()]);
    if (!mayMeet(this.caller, leg)) throw new Error('one outside may not be joined to a door');
    for (const changing of await this.#call.media.bridge(this.caller.id, leg.id, this.#unheard(leg)))
      this.#call.run(changing === leg.id ? leg.speakAs(this.caller.id) : this.caller.speakAs(leg.id));
    this.#joined = leg;
    // Of those that a transfer brought together one may have been on hold.
    this.#call.run(this.caller.heldBy(leg, peers.caller));
    this.#call.run(leg.heldBy(this.caller, peers.talker));
    // Straight on: where they were parted again meanwhile there is nobody to hear them, and none is kept anew.
    for (const { leg: from, key } of this.#early) this.#call.run(this.#relay(from, key));
    this.#early.clear();
  }

  /** Parts the caller from whoever talks; one who is not answered yet is given something to hear. */
  async part(): Promise<void> {
    this.#talker = null;
    if (this.caller.isUp) await this.#call.media.unbridge(this.caller.id);
    else await this.caller.ring(true);
  }

  /** Ends legs that ring; `takenBy`: because somebody took the call. */
  cancel(offers: readonly Offer[], takenBy: string | null): void {
    for (const { leg, number } of offers) {
      // Another tab of the same number is told only that it was elsewhere.
      this.drop(leg)?.end(takenBy === null ? {} : { reason: elsewhere(takenBy === number ? null : takenBy) });
    }
  }
  /** Refuses one who asked to join; who has the call is named. */
  refuse(id: string, owner: string | null): void {
    this.drop(id)?.end({ status: 486, reason: owner ? { cause: 200, text: `answered by ${owner}` } : elsewhere(null) });
  }
  /** Takes a leg off the call; it is not heard any more. */
  drop(id: string): LiveLeg | undefined {
    const leg = this.#others.get(id);
    this.#others.delete(id);
    if (leg && this.#talker === leg) this.#talker = null;
    leg?.unhear();
    return leg;
  }
  /** Ends all of them but those that were kept. */
  end(how: Parameters<SipLeg['end']>[0]): void {
    for (const leg of [this.caller, ...this.#others.values()]) if (!this.#released.has(leg)) leg.end(how);
    this.#others.clear();
    this.#talker = null;
  }

  #ofCaller(event: LegEvent | HoldEvent): void {
    if (event.type === 'ended') this.#call.send({ type: 'caller.left', lost: partingOf(event.end) === 'lost' });
    else if (event.type === 'answered') this.caller.taken(event.sdp);
    else this.#ofEither(this.caller, event);
  }

  #gone(leg: LiveLeg, end: LegEnd): void {
    const { trunk } = leg.far;
    if (trunk && this.#talker !== leg && (end.cause === 'refused' || end.by === 'lost'))
      this.refusal = { trunk: trunk.name, status: end.status, reason: end.reason };
    this.drop(leg.id)?.end();
    this.#call.send({ type: 'leg.ended', leg: leg.id, parting: partingOf(end) });
  }

  #ofEither(leg: LiveLeg, event: LegEvent | HoldEvent): void {
    const peer = this.#peerOf(leg);
    if (event.type === 'dtmf') this.#press(leg, event);
    else if (event.type === 'held' && peer) this.#call.run(peer.heldBy(leg));
    else if (event.type === 'transfer') this.#call.run(this.#call.transfer(leg, event));
  }

  #peerOf(leg: LiveLeg): LiveLeg | null {
    if (leg === this.caller) return this.#talker;
    return this.#talker === leg ? this.caller : null;
  }

  /** Who receives the keys pressed at a leg: nobody those of one known by its address alone before its ACK, and no door those of somebody outside. */
  #keyReceiverOf(leg: LiveLeg): LiveLeg | null {
    const peer = this.#peerOf(leg);
    return peer && leg.isProven && passesKeys(leg, peer) ? peer : null;
  }

  /** Of the two that are to talk, those whose keys the other does not hear. */
  #unheard(leg: LiveLeg): string[] {
    const { caller } = this;
    return [...(passesKeys(caller, leg) ? [] : [caller.id]), ...(passesKeys(leg, caller) ? [] : [leg.id])];
  }

  /** A key pressed at one end is heard at the other: as soon as they are joined, or never where that takes so long that it would surprise. */
  #press(leg: LiveLeg, key: Key): void {
    if (this.#talker && this.#talker === this.#joined) return this.#call.run(this.#relay(leg, key));
    if (!leg.isUp || !leg.isProven || this.#early.size >= mostEarly) return;
    const early = { leg, key };
    this.#early.add(early);
    this.#call.clock.setTimeout(() => this.#early.delete(early), constants.dtmfTimeout);
  }
  async #relay(leg: LiveLeg, { digit, duration }: Key): Promise<void> {
    const receiver = this.#keyReceiverOf(leg);
    if (!receiver) return;
    // Who did not agree on telephone-event is told by INFO.
    if (!(await this.#call.media.sendDtmf(receiver.id, digit, duration))) receiver.leg.sendKey(digit, duration);
  }
}
