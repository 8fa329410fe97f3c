import { type Actor, createActor, fromPromise } from 'xstate';
import { holds } from '#models/permissions.ts';
import { sipHeaders } from '#models/sip.ts';
import type { MediaEvent } from '../media/port.ts';
import type { LegEnd, LegEvent, SipLeg } from '../sip/leg.ts';
import type { Around } from './around.ts';
import { Book } from './book.ts';
import { firstRow, inviteHeaders } from './call-row.ts';
import { deskOf, type Holder } from './directory.ts';
import { LiveLeg, offersVideo, partingOf } from './live-leg.ts';
import { ringAll, type Ringing, type Rung } from './offers.ts';
import { type Caller, findRoute, type Found } from './route.ts';
import { serverCallMachine } from './server-call.machine.ts';
import type { CallEvent } from './server-call.setup.ts';
import { ringOf } from './stages.ts';
import { trunkLine } from './trunks.ts';
import type { CallEnd, Offer, Ring, Role, Route } from './words.ts';

/** What a call begins with. */
export interface Begin {
  id: string;
  caller: Caller;
  leg: LiveLeg;
  number: string;
  sos: boolean;
  /** Of a call that a transfer makes: its route is known, its caller talks already, and perhaps its callee. */
  transfer?: { parentId: string; found: Found; other: LiveLeg | null };
}

/** Why one falls silent that somebody else has answered for (RFC 3326). */
const elsewhere = (by: string | null) => ({ cause: 200, text: `Call completed elsewhere${by ? ` by ${by}` : ''}` });
/** Of an end, in the words that a far side may show. */
const sentence = (reason: string): string => reason.replaceAll('_', ' ');

/** One call as it runs: its chart, its legs and its row. */
export class LiveCall {
  readonly id: string;
  readonly caller: Caller;
  readonly callerLeg: LiveLeg;
  readonly actor: Actor<typeof serverCallMachine>;
  readonly #around: Around;
  readonly #begin: Begin;
  readonly #book: Book;
  readonly #legs = new Map<string, LiveLeg>();
  readonly #kept = new Set<LiveLeg>();
  /** Phones about to be rung, whose media are being made. */
  readonly #called = new Set<string>();
  #found: Found | null = null;
  #desk: readonly string[] = [];
  #talker: LiveLeg | null = null;
  #isOver = false;

  constructor(around: Around, begin: Begin) {
    this.#around = around;
    this.#begin = begin;
    this.id = begin.id;
    this.caller = begin.caller;
    this.callerLeg = begin.leg;
    this.#book = new Book(around.services, begin.id, () => [...this.#desk, ...(this.#found?.interceptors ?? [])]);
    const joined: Offer | null = begin.transfer?.other ? { leg: begin.transfer.other.id, number: begin.transfer.other.number, as: 'callee' } : null;
    this.actor = createActor(this.#machine(), {
      id: `call:${begin.id}`,
      input: { sos: begin.sos, adopted: begin.transfer !== undefined, joined },
      ...(around.clock && { clock: around.clock as never }),
      ...(around.inspect && { inspect: around.inspect }),
    });
  }

  start(): void {
    this.actor.subscribe({
      error: (error) => {
        this.#around.services.log.error({ err: error, call: this.id }, 'a call failed');
        this.#finish({ status: 'failed', reason: 'failed', sip: 500 });
      },
    });
    this.actor.start();
    this.callerLeg.listen(this.#around.quietClock, (event) => this.#ofCaller(event));
    const other = this.#begin.transfer?.other;
    if (other) this.#attend(other);
  }

  /** What comes after the end changes nothing any more. */
  #send(event: CallEvent): void {
    if (!this.#isOver) this.actor.send(event);
  }

  get projectId(): string {
    return this.caller.projectId;
  }
  get found(): Found | null {
    return this.#found;
  }
  /** What the caller's camera shows now, as a WebP file; null where it shows nothing. @throws MediaFailure */
  still(): Promise<Uint8Array | null> {
    return this.#around.media.still(this.callerLeg.id);
  }

  /** The leg of this number among the two that talk, and the other one. */
  endsOf(number: string): { own: LiveLeg; other: LiveLeg } | null {
    if (!this.#talker) return null;
    if (this.#talker.number === number) return { own: this.#talker, other: this.callerLeg };
    return this.callerLeg.number === number ? { own: this.callerLeg, other: this.#talker } : null;
  }
  /** Everything of the call is written. */
  settled(): Promise<unknown> {
    return this.#book.settled();
  }

  stop(reason: string): void {
    this.#send({ type: 'call.stop', reason });
  }
  /** Lets go of legs, which another call takes over; what stays is ended. */
  handOver(legs: readonly LiveLeg[]): void {
    for (const leg of legs) {
      this.#kept.add(leg);
      leg.unhear();
    }
    this.#send({ type: 'call.handOver' });
  }
  /** A number can be reached at one more phone: whoever takes calls of the desk, or is rung at this moment, is rung there too. */
  came(number: string): void {
    const { stage } = this.actor.getSnapshot().context;
    const isConcerned = this.#desk.includes(number) || stage?.rings.some((ring) => ring.number === number);
    if (isConcerned && number !== this.caller.number) this.#send({ type: 'number.came', number });
  }

  media(event: MediaEvent): void {
    const leg = event.leg === this.callerLeg.id ? this.callerLeg : this.#legs.get(event.leg);
    if (event.type !== 'dtmf') leg?.hear(event.type);
  }

  /** Somebody asks to join by an INVITE that names the call. @returns the status of a refusal, null when it is decided by the call */
  async join(leg: SipLeg, sdp: string | null, holder: Holder): Promise<number | null> {
    const as = this.#roleOf(holder);
    if (!as || this.#isOver) return 404;
    const live = new LiveLeg(this.#around.media, leg, holder.number, sdp, leg.id);
    this.#attend(live);
    this.#send({ type: 'call.join', offer: { leg: live.id, number: holder.number, as } });
    return null;
  }

  /** As what somebody may join: one who intercepts the call, or one at a desk that has it in sight. */
  #roleOf(holder: Holder): Role | null {
    if (!this.#found || holder.projectId !== this.projectId) return null;
    if (this.#found.interceptors.includes(holder.number)) return 'interceptor';
    const sees = holder.groups.some((id) => this.#found?.sight.includes(id));
    return sees && holds(holder, 'can_receive_call_as_concierge') ? 'desk' : null;
  }

  #machine() {
    return serverCallMachine.provide({
      actors: {
        findRoute: fromPromise(() => this.#asked(this.#route())),
        claim: fromPromise<boolean, { offer: Offer }>(({ input: { offer } }) =>
          this.#asked(this.#book.claim(offer.number, offer.as === 'callee' ? null : 'awaiting')),
        ),
        connect: fromPromise<void, { offer: Offer }>(({ input: { offer } }) => this.#asked(this.#connect(offer))),
      },
      actions: {
        ring: (_, { stage, round }) => this.#run(this.#ring(stage?.rings ?? [], round)),
        ringDesk: (_, { round, number }) => this.#run(this.#ringDesk(round, number)),
        tellRinging: () => this.#run(this.callerLeg.ring(false)),
        holdCaller: (_, { answered }) => this.#run(this.#holdCaller(answered)),
        cancelOffers: (_, params) => this.#cancel(params.offers, params.takenBy),
        refuseJoin: (_, { offer, owner }) => this.#refuse(offer.leg, owner),
        releaseLeg: (_, { leg }) => this.#refuse(leg, null),
        keepStatus: (_, { status }) => this.#run(this.#book.status(status)),
        finish: (_, { end }) => this.#finish(end),
      },
    });
  }

  /** Work that the chart waits for: it hears of a failure, and so does the log. */
  #asked<T>(work: Promise<T>): Promise<T> {
    return work.catch((error: unknown) => {
      this.#around.services.log.warn({ err: error, call: this.id }, 'a step of a call failed');
      throw error;
    });
  }

  /** Work that the chart does not wait for: what goes wrong in it is on record. */
  #run(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#around.services.log.warn({ err: error, call: this.id }, 'a step of a call failed'));
  }

  async #route(): Promise<Route> {
    const { services } = this.#around;
    const { transfer, number, sos } = this.#begin;
    const found = transfer?.found ?? (await findRoute(services.db, this.caller, number, sos));
    this.#found = found;
    if (found.route.kind === 'refused' && found.route.reason === 'own_number') return found.route;
    if (found.route.kind === 'open' && found.route.queue) this.#desk = (await this.#deskHolders()).map((one) => one.number);
    await this.#book.open(firstRow(this.#begin, found, services.now()));
    // What the caller sends is looked at before anybody is rung.
    if (!transfer && found.route.kind === 'open' && this.callerLeg.offer !== null) {
      const fits = await this.callerLeg.answer().then(
        () => true,
        () => false,
      );
      if (!fits) return { kind: 'refused', status: 488, reason: 'incompatible' };
    }
    return found.route;
  }

  #headers(as: Role): Record<string, string> {
    return inviteHeaders(this.#begin, this.#found, as);
  }

  /** `now`: gets the phones that this ring is made for. */
  #ringing(now: Set<string>): Ringing {
    const { services, sip, media } = this.#around;
    return {
      sip,
      media,
      from: { number: this.caller.number, name: this.caller.holder?.name ?? this.caller.name },
      video: offersVideo(this.callerLeg.offer),
      toward: this.callerLeg.id,
      headers: (as) => this.#headers(as),
      line: (number) => trunkLine(services, this.projectId, this.caller.holder?.path ?? this.#found?.sight ?? [], number),
      takes: (place) => {
        if (this.#called.has(place) || [...this.#legs.values()].some((leg) => leg.place === place && leg.rings)) return false;
        this.#called.add(place);
        now.add(place);
        return true;
      },
      isWanted: () => !this.#isOver,
    };
  }

  async #ring(rings: readonly Ring[], round: number): Promise<void> {
    if (this.callerLeg.isUp) this.#run(this.#around.media.play(this.callerLeg.id, 'ringback'));
    const now = new Set<string>();
    const others = rings.filter(({ number }) => number !== this.caller.number);
    const rung = await ringAll(this.#ringing(now), others).catch((error: unknown) => {
      this.#around.services.log.warn({ err: error, call: this.id }, 'nobody could be rung');
      return [];
    });
    this.#made(rung, round);
    for (const place of now) this.#called.delete(place);
    this.#replace(rung);
  }

  /** Whoever is rung at a phone that is there need not be at one that has gone. */
  #replace(rung: readonly Rung[]): void {
    const numbers = new Set(rung.map(({ leg }) => leg.number));
    for (const leg of this.#legs.values())
      if (numbers.has(leg.number) && leg.ringsInVain) this.#gone(leg, { by: 'lost', cause: 'transport', status: null, reason: null });
  }

  #made(rung: readonly Rung[], round: number): void {
    for (const { leg } of rung) this.#legs.set(leg.id, leg);
    this.#send({ type: 'offers.made', offers: rung.map(({ leg, as }) => ({ leg: leg.id, number: leg.number, as })), round });
    if (this.#isOver) for (const { leg } of rung) this.#drop(leg.id)?.end();
    else for (const { leg } of rung) if (this.#legs.has(leg.id)) this.#attend(leg);
  }

  #deskHolders(): Promise<Holder[]> {
    return deskOf(this.#around.services.db, this.projectId, this.#found?.sight ?? []);
  }

  async #ringDesk(round: number, only: string | null): Promise<void> {
    const holders = await this.#deskHolders();
    const numbers = [...new Set([...holders.map(({ number }) => number), ...(this.#found?.interceptors ?? [])])];
    const named = new Map(holders.map((holder) => [holder.number, holder]));
    const wanted = numbers.filter((number) => only === null || only === number);
    this.#desk = numbers;
    await this.#ring(
      wanted.map((number) => ringOf({ number, name: named.get(number)?.name ?? null }, named.has(number) ? 'desk' : 'interceptor')),
      round,
    );
  }

  async #holdCaller(answered: boolean): Promise<void> {
    this.#talker = null;
    const { media } = this.#around;
    if (this.callerLeg.isUp) await media.unbridge(this.callerLeg.id);
    else await this.callerLeg.ring(true);
    if (!this.#isOver && !this.#talker) await media.play(this.callerLeg.id, this.#begin.sos && !answered ? 'sos' : 'waiting');
  }

  async #connect({ leg: id, as }: Offer): Promise<void> {
    const leg = this.#legs.get(id);
    if (!leg) throw new Error('the leg is gone');
    this.#talker = leg;
    await leg.up(this.callerLeg.id, this.#headers(as));
    await this.callerLeg.up(leg.id, { [sipHeaders.speechId]: this.id });
    await this.#around.media.bridge(this.callerLeg.id, leg.id);
  }

  #ofCaller(event: LegEvent): void {
    if (event.type === 'ended') this.#send({ type: 'caller.left', lost: partingOf(event.end) === 'lost' });
    else if (event.type === 'answered') this.callerLeg.taken(event.sdp);
    else this.#ofEither(this.callerLeg, event);
  }

  #attend(leg: LiveLeg): void {
    this.#legs.set(leg.id, leg);
    leg.listen(this.#around.quietClock, (event) => {
      if (event.type === 'progress') this.#send({ type: 'leg.progress', leg: leg.id });
      else if (event.type === 'answered') leg.taken(event.sdp);
      else if (event.type === 'confirmed' && leg.leg.direction === 'outgoing') this.#send({ type: 'leg.confirmed', leg: leg.id });
      else if (event.type === 'ended') this.#gone(leg, event.end);
      else this.#ofEither(leg, event);
    });
  }

  #gone(leg: LiveLeg, end: LegEnd): void {
    this.#drop(leg.id)?.end();
    this.#send({ type: 'leg.ended', leg: leg.id, parting: partingOf(end) });
  }

  #ofEither(leg: LiveLeg, event: LegEvent): void {
    if (event.type === 'dtmf') {
      const peer = leg === this.callerLeg ? this.#talker : this.#talker === leg ? this.callerLeg : null;
      // Who did not agree on telephone-event is told by INFO.
      if (peer)
        this.#run(
          this.#around.media.sendDtmf(peer.id, event.digit, event.duration).then((agreed) => agreed || peer.leg.sendKey(event.digit, event.duration)),
        );
    } else if (event.type === 'transfer') this.#run(this.#around.transfer(this, leg, event));
  }

  /** Takes a leg off the call; it is not heard any more. */
  #drop(id: string): LiveLeg | undefined {
    const leg = this.#legs.get(id);
    this.#legs.delete(id);
    if (leg && this.#talker === leg) this.#talker = null;
    leg?.unhear();
    return leg;
  }

  #cancel(offers: readonly Offer[], takenBy: string | null): void {
    for (const { leg, number } of offers) {
      // Another tab of the same number is told only that it was elsewhere.
      this.#drop(leg)?.end(takenBy === null ? {} : { reason: elsewhere(takenBy === number ? null : takenBy) });
    }
  }

  #refuse(id: string, owner: string | null): void {
    this.#drop(id)?.end({ status: 486, reason: owner ? { cause: 200, text: `answered by ${owner}` } : elsewhere(null) });
  }

  #finish(end: CallEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const how = { status: end.sip >= 400 ? end.sip : 480, reason: { cause: end.sip, text: sentence(end.reason) } };
    const legs = [this.callerLeg, ...this.#legs.values()];
    for (const leg of legs) if (!this.#kept.has(leg)) leg.end(how);
    this.#legs.clear();
    this.#talker = null;
    this.#run(this.#found?.route.kind === 'refused' && end.reason === 'own_number' ? Promise.resolve() : this.#book.end(end));
    this.#around.over(this);
  }
}
