import { type Actor, createActor, fromPromise } from 'xstate';
import type { TrunkRefusal } from '#models/call.ts';
import { sipHeaders } from '#models/sip.ts';
import type { MediaEvent } from '../media/port.ts';
import type { SipLeg } from '../sip/leg.ts';
import type { Deps } from './deps.ts';
import type { Begin } from './begin.ts';
import { Book } from './book.ts';
import { CallLegs, type Peers } from './call-legs.ts';
import { firstRow } from './call-row.ts';
import { Called } from './called.ts';
import { type Holder, holderOfNumber } from './directory.ts';
import type { Caller, Found } from './found.ts';
import { Semaphore } from '#server/semaphore.ts';
import { LiveLeg, offersVideo } from './live-leg.ts';
import { type Move, Moves } from './moves.ts';
import { inside } from './outside.ts';
import type { Rung } from './offers.ts';
import { notifyMissed } from './missed.ts';
import { storeStill } from './still.ts';
import { Step } from './step.ts';
import { serverCallMachine } from './server-call.machine.ts';
import type { CallEvent } from './server-call.setup.ts';
import type { CallEnd, Offer, Ring, Route } from './types.ts';

/** A call whose way is looked for longer than this (a trunk's name that nobody knows), in ms, keeps nobody else waiting. */
const longestStep = 1_500;

/** Of an end, in the words that a far side may show. */
const sentence = (reason: string): string => reason.replaceAll('_', ' ');

/** One call as it runs: its chart, which acts on its legs, on those it is for and on its row. */
export class LiveCall {
  readonly id: string;
  readonly caller: Caller;
  readonly actor: Actor<typeof serverCallMachine>;
  readonly #deps: Deps<LiveCall>;
  readonly #begin: Begin;
  readonly #book: Book;
  readonly #called: Called;
  readonly #legs: CallLegs;
  readonly #moves: Moves;
  readonly #steps = { stored: new Step(), rung: new Step() };
  #isOver = false;
  #hasTurn = false;
  #hasStill = false;
  #ending: Promise<void> = Promise.resolve();

  constructor(deps: Deps<LiveCall>, begin: Begin) {
    this.#deps = deps;
    this.#begin = begin;
    this.id = begin.id;
    this.caller = begin.caller;
    this.#called = new Called(deps, begin, () => !this.#isOver);
    // An SOS call is written past all that wait.
    this.#book = new Book(deps.services, begin.id, begin.sos ? new Semaphore(1) : deps.semaphore, () => this.#called.onlookers);
    this.#legs = new CallLegs(
      {
        media: deps.media,
        clock: deps.clock,
        send: (event) => this.#send(event),
        run: (work) => this.#run(work),
        transfer: (by, wish) => deps.transfer(this, by, wish),
      },
      begin.leg,
    );
    this.#moves = new Moves(begin.id, deps.services);
    const joined: Offer | null = begin.transfer?.other ? { leg: begin.transfer.other.id, number: begin.transfer.other.number, as: 'callee' } : null;
    this.actor = createActor(this.#machine(), {
      id: `call:${begin.id}`,
      input: { sos: begin.sos, adopted: begin.transfer !== undefined, joined },
      clock: deps.clock as never,
      inspect: (seen) => {
        this.#moves.hear(seen);
        deps.inspect?.(seen);
      },
    });
  }

  start(): void {
    this.actor.subscribe({
      error: (error) => {
        this.#deps.services.log.error({ err: error, call: this.id }, 'a call failed');
        this.#finish({ status: 'failed', reason: 'failed', sip: 500 });
      },
    });
    this.actor.start();
    this.#legs.start();
    const { transfer } = this.#begin;
    if (transfer?.other) this.#legs.attend(transfer.other);
    else if (transfer && this.caller.holder) {
      const { number, name } = transfer.found.callee;
      this.#run(this.callerLeg.heldBy({ holds: false }, { number, name, speechId: this.id }));
    }
  }

  /** Until the call is on record, or rings somewhere: or is over, or takes too long. */
  async within(step: 'stored' | 'rung'): Promise<void> {
    const { clock } = this.#deps;
    let late: unknown;
    const tooLong = new Promise<void>((done) => (late = clock.setTimeout(done, longestStep)));
    await Promise.race([this.#steps[step].here, tooLong]);
    clock.clearTimeout(late as never);
  }

  /** Until it is the call's turn to ring; an alarm waits for nobody, and neither does a call that has rung already. */
  #turn(): Promise<void> {
    if (this.#begin.sos || this.#begin.transfer || this.#hasTurn) return Promise.resolve();
    this.#hasTurn = true;
    return new Promise((go) => {
      void this.#deps.ringing.run(() => {
        go();
        return this.within('rung');
      });
    });
  }

  /** What comes after the end changes nothing any more. */
  #send(event: CallEvent): void {
    if (this.#isOver) return;
    this.#called.hear(event, this.actor.getSnapshot().context.offers);
    this.actor.send(event);
  }

  get projectId(): string {
    return this.caller.projectId;
  }
  get found(): Found | null {
    return this.#called.found;
  }
  /** The last moves of its chart, oldest first. */
  get moves(): readonly Move[] {
    return this.#moves.last;
  }
  get callerLeg(): LiveLeg {
    return this.#legs.caller;
  }
  /** What the caller's camera shows now, as a WebP file; null where it shows nothing. @throws MediaFailure */
  still(): Promise<Uint8Array | null> {
    return this.#deps.media.still(this.callerLeg.id);
  }
  /** The leg of this number among the two that talk, and the other one. */
  endsOf(number: string): { own: LiveLeg; other: LiveLeg } | null {
    return this.#legs.endsOf(number);
  }
  /** Whom this number has in the call: the one it talks with, or the caller it has put on hold. */
  farOf(number: string): LiveLeg | null {
    const { context, value } = this.actor.getSnapshot();
    if (value === 'paused') return context.holder === number ? this.callerLeg : null;
    return this.endsOf(number)?.other ?? null;
  }
  /** Everything of the call is written. */
  settled(): Promise<unknown> {
    return Promise.allSettled([this.#book.settled(), this.#ending]);
  }

  stop(reason: string): void {
    this.#send({ type: 'call.stop', reason });
  }
  /** Lets go of legs, which another call takes over; what stays is ended. */
  handOver(legs: readonly LiveLeg[]): void {
    for (const leg of legs) this.#legs.release(leg);
    this.#send({ type: 'call.handOver' });
  }
  /** A number can be reached at one more phone: whoever takes calls of the desk, or is rung at this moment, is rung there too. */
  came(number: string): void {
    if (this.#called.isFor(number, this.actor.getSnapshot().context.stage)) this.#send({ type: 'number.came', number });
  }
  media(event: MediaEvent): void {
    if (!this.#legs.hear(event)) this.stop('media_lost');
  }

  /** Somebody asks to join by an INVITE that names the call. @returns the status of a refusal, null when it is decided by the call */
  async join(leg: SipLeg, sdp: string | null, holder: Holder): Promise<number | null> {
    const as = this.#called.roleOf(holder);
    if (!as || this.#isOver) return 404;
    const live = new LiveLeg(this.#deps.media, leg, { number: holder.number, offer: sdp, id: leg.id, far: { ...inside, door: holder.door } });
    this.#legs.attend(live);
    this.#send({ type: 'call.join', offer: { leg: live.id, number: holder.number, as } });
    return null;
  }

  #machine() {
    return serverCallMachine.provide({
      actors: {
        findRoute: fromPromise(() => this.#asked(this.#route())),
        claim: fromPromise<boolean, { offer: Offer }>(({ input: { offer } }) => {
          this.#legs.prepare(offer.leg);
          return this.#asked(this.#book.claim(offer.number, offer.as === 'callee' ? null : 'awaiting'));
        }),
        connect: fromPromise<void, { offer: Offer }>(({ input: { offer } }) => this.#asked(this.#connect(offer))),
      },
      actions: {
        ring: (_, { stage, round }) => this.#run(this.#ring(stage?.rings ?? [], round)),
        ringDesk: (_, { round, number }) => this.#run(this.#ringDesk(round, number)),
        notifyRinging: () => this.#run(this.#notifyRinging()),
        holdCaller: (_, { answered }) => this.#run(this.#holdCaller(answered)),
        cancelOffers: (_, { offers, takenBy }) => this.#legs.cancel(offers, takenBy),
        refuseJoin: (_, { offer, owner }) => this.#legs.refuse(offer.leg, owner),
        releaseLeg: (_, { leg }) => this.#legs.refuse(leg, null),
        storeStatus: (_, { status }) => this.#run(this.#book.status(status)),
        finish: (_, { end }) => this.#finish(end),
      },
    });
  }

  /** Work that the chart waits for: it hears of a failure, and so does the log. */
  #asked<T>(work: Promise<T>): Promise<T> {
    return work.catch((error: unknown) => {
      this.#deps.services.log.warn({ err: error, call: this.id }, 'a step of a call failed');
      throw error;
    });
  }

  /** Work that the chart does not wait for: what goes wrong in it is on record. */
  #run(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#deps.services.log.warn({ err: error, call: this.id }, 'a step of a call failed'));
  }

  async #route(): Promise<Route> {
    const found = await this.#called.find();
    if (found.route.kind === 'refused' && found.route.reason === 'own_number') return found.route;
    const { holder } = this.caller;
    const at = { place: holder?.place ?? [], paths: holder?.paths ?? [], hasDoor: holder?.hasDoor ?? false };
    // What the caller sends is looked at before anybody is told or rung.
    const fits = found.route.kind === 'refused' || (await this.#fits());
    const route: Route = fits ? found.route : { kind: 'refused', status: 488, reason: 'incompatible' };
    await this.#book.open(firstRow(this.#begin, { ...found, route }, this.#deps.services.now()), at);
    this.#steps.stored.come();
    return route;
  }

  /** Do media understand what the caller offers? */
  #fits(): Promise<boolean> {
    if (this.#begin.transfer || this.callerLeg.offer === null) return Promise.resolve(true);
    return this.callerLeg.answer().then(
      () => true,
      () => false,
    );
  }

  async #ring(rings: readonly Ring[], round: number): Promise<void> {
    if (this.callerLeg.isUp) this.#run(this.callerLeg.play('ringback'));
    await this.#turn();
    const rung = await this.#called.ring(rings, (place) => this.#legs.isRung(place));
    this.#made(rung, round);
    this.#legs.forgetVain(rung.map(({ leg }) => leg.number));
  }

  async #ringDesk(round: number, only: string | null): Promise<void> {
    await this.#ring(await this.#called.deskRings(only), round);
  }

  #made(rung: readonly Rung[], round: number): void {
    for (const { leg } of rung) this.#legs.add(leg);
    this.#send({ type: 'offers.made', offers: rung.map(({ leg, as }) => ({ leg: leg.id, number: leg.number, as })), round });
    for (const { leg } of rung) {
      if (this.#isOver) this.#legs.drop(leg.id)?.end();
      else if (this.#legs.has(leg)) this.#legs.attend(leg);
    }
    this.#steps.rung.come();
  }

  async #holdCaller(answered: boolean): Promise<void> {
    await this.#legs.part();
    if (!this.#isOver && !this.#legs.isTalked) await this.callerLeg.play(this.#begin.sos && !answered ? 'sos' : 'waiting');
  }

  /** The caller hears that somebody is rung; what the camera of a door shows is there to be looked at before anybody answers. */
  async #notifyRinging(): Promise<void> {
    const { callerLeg, caller } = this;
    if (!caller.holder?.hasDoor || !offersVideo(callerLeg.offer) || callerLeg.isUp) return callerLeg.ring(false);
    if (!callerLeg.isHeard) {
      await callerLeg.ring(true);
      await callerLeg.play('ringback');
    }
    if (this.#hasStill) return;
    this.#hasStill = true;
    await storeStill(this.#deps.services, this, { still: () => this.still(), isOver: () => this.#isOver });
  }

  async #connect({ leg, as, number }: Offer): Promise<void> {
    const peers = this.#begin.transfer ? await this.#peers(number, this.#begin.transfer.other !== null) : {};
    await this.#legs.connect(leg, this.#called.headers(as), { [sipHeaders.speechId]: this.id }, peers);
  }

  /** Whom those talk with whom a transfer moved here: the caller, and with `both` the one at this number too. Who is outside learns no names of ours. */
  async #peers(number: string, both: boolean): Promise<Peers> {
    const { caller, id: speechId } = this;
    const holder = await holderOfNumber(this.#deps.services.db, number);
    return {
      ...(caller.holder && { caller: { number, name: holder?.name ?? null, speechId } }),
      ...(both && holder && { talker: { number: caller.number, name: caller.holder?.name ?? caller.name, speechId } }),
    };
  }

  /** The end is on record, and whoever has missed the call is told. */
  async #storeEnd(end: CallEnd, refusal: TrunkRefusal | null): Promise<void> {
    await this.#book.end(end, refusal);
    if (this.found) await notifyMissed(this.#deps.services, this.#begin, this.found, { meant: this.#called.meant, end });
  }

  #finish(end: CallEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const step of Object.values(this.#steps)) step.come();
    if (this.#legs.late > 0) this.#deps.services.log.warn({ call: this.id, packets: this.#legs.late }, 'voice came too late and was left out');
    const refusal = end.status === 'answered' ? null : this.#legs.refusal;
    const text = [refusal?.trunk, refusal?.reason ?? sentence(end.reason)].filter(Boolean).join(': ');
    this.#legs.end({ status: end.sip >= 400 ? end.sip : 480, reason: { cause: refusal?.status ?? end.sip, text } });
    if (this.found?.route.kind !== 'refused' || end.reason !== 'own_number') this.#run((this.#ending = this.#storeEnd(end, refusal)));
    this.#deps.over(this);
  }
}
