import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { eq } from 'drizzle-orm';
import { dialable, sipHeaders } from '#models/sip.ts';
import type { Services } from '#server/context.ts';
import { calls as callRows } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import type { MediaPort } from '../media/port.ts';
import type { Invite, LegEvent, SipLeg, SipServer } from '../sip/leg.ts';
import type { Deps } from './deps.ts';
import { type Holder, holderOfNumber } from './directory.ts';
import type { Caller, Found } from './found.ts';
import { CallLease } from './call-lease.ts';
import { Semaphore } from '#server/semaphore.ts';
import { LiveCall } from './live-call.ts';
import { LiveLeg } from './live-leg.ts';
import { type Clock, clockOf } from '#server/timers.ts';
import { mayMeet, withinReach } from './outside.ts';
import { findRoute } from './route.ts';

export interface ExchangeOptions {
  sip: SipServer;
  media: MediaPort;
  /** The clock of time-outs; none is the world's. */
  clock?: Clock;
  /** Hears everything the charts of calls do. */
  inspect?: Deps<LiveCall>['inspect'];
}
/** Calls one number may have at once, SOS apart; a panel or person never needs so many. */
const mostOfOne = 20;
/** Calls being written at a time: enough that they are not kept up by whoever reads lists, few enough that readers are not by them. */
const writesAtOnce = 8;
/**
 * Calls being looked up at a time, from the INVITE until everybody at a console sees them: each is through soon, and what others ask for
 * meanwhile, to register above all, stands behind these few and not behind all that came at once.
 */
const lookedUpAtOnce = 3;
/** Calls whose phones are being made to ring at a time, oldest first: media work for one after the other, and the first rings early. */
const rungAtOnce = 3;
const speechId = z.uuid();
type Wish = Extract<LegEvent, { type: 'transfer' }>;

/** All live calls of the server: takes INVITEs, holds what runs, and does what is asked of a call from outside of it. */
export class Exchange {
  readonly #services: Services;
  readonly #deps: Deps<LiveCall>;
  readonly #lease: CallLease;
  readonly #calls = new Map<string, LiveCall>();
  readonly #lookingUp = new Semaphore(lookedUpAtOnce);
  readonly #ending = new Set<Promise<unknown>>();
  readonly #stops: (() => void)[] = [];
  #isClosed = false;
  /** Packets of voice that came too late to be passed on, of all calls so far. */
  lateVoice = 0;

  constructor(services: Services, { sip, media, clock, inspect }: ExchangeOptions) {
    this.#services = services;
    this.#deps = {
      services,
      sip,
      media,
      semaphore: new Semaphore(writesAtOnce),
      ringing: new Semaphore(rungAtOnce),
      clock: clock ?? clockOf(services.timers),
      inspect,
      transfer: (call, by, wish) => this.#refer(call, by, wish),
      over: (call) => this.#over(call),
    };
    this.#lease = new CallLease(services, {
      clock: this.#deps.clock,
      ids: () => [...this.#calls.keys()],
      stop: (id) => this.#calls.get(id)?.stop('stopped'),
    });
  }

  /** Takes calls from now on; those that a server which is gone left behind are closed first. */
  async open(): Promise<void> {
    await this.#lease.open();
    const { sip, media } = this.#deps;
    sip.onInvite((leg, invite) => void this.#take(leg, invite).catch((error: unknown) => this.#failed(leg, error)));
    this.#stops.push(
      sip.onReachable((number, reachable) => {
        if (reachable) for (const call of this.#calls.values()) call.came(number);
      }),
      media.listen((event) => {
        if (event.type === 'late') this.lateVoice += event.packets;
        for (const call of this.#calls.values()) call.media(event);
      }),
    );
  }

  /** Ends all calls and waits until their rows are written. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stops.splice(0)) stop();
    for (const call of this.#calls.values()) call.stop('server_stopped');
    await this.written();
    await this.#lease.close();
  }

  /** Everything is written of the calls that are over. */
  async written(): Promise<void> {
    await Promise.allSettled(this.#ending);
  }

  /** The calls that run. */
  get live(): readonly LiveCall[] {
    return [...this.#calls.values()];
  }
  call(id: string): LiveCall | undefined {
    return this.#calls.get(id);
  }

  #failed(leg: SipLeg, error: unknown): void {
    this.#services.log.error({ err: error }, 'a call could not be taken');
    leg.end({ status: 500 });
  }

  async #take(leg: SipLeg, invite: Invite): Promise<void> {
    if (this.#isClosed) return leg.end({ status: 503 });
    const holder = invite.account === null ? null : await holderOfNumber(this.#services.db, invite.account);
    if (invite.account !== null && !holder) return leg.end({ status: 403 });
    const wished = speechId.safeParse(invite.header(sipHeaders.speechId)?.toLowerCase());
    const running = wished.success ? this.#calls.get(wished.data) : undefined;
    if (running && holder) {
      const status = await running.join(leg, invite.sdp, holder);
      return status === null ? undefined : leg.end({ status });
    }
    const { number, name } = holder ?? (await this.#shownFor(leg));
    // Only devices have the button; what stands in for it in somebody's hand would jump every queue.
    const sos = holder?.deviceId != null && invite.header(sipHeaders.sosCall) === '1';
    const caller = { holder, number, name: holder ? leg.remote.name : name, projectId: invite.projectId };
    const setUp = () => this.#setUp(leg, invite, { caller, sos, wished: wished.data ?? null });
    // An alarm waits for nobody.
    await (sos ? setUp() : this.#lookingUp.run(setUp));
  }

  /** Begins a call. Resolves when it is on record, or over, or takes too long. */
  async #setUp(leg: SipLeg, invite: Invite, { caller, sos, wished }: { caller: Caller; sos: boolean; wished: string | null }): Promise<void> {
    const id = wished ?? randomUUID();
    // Somebody who comes too late to join does not mean to begin a call of their own.
    if (wished !== null && (await this.#isKnown(id))) return leg.end({ status: 410, reason: { cause: 410, text: 'the call is over' } });
    // The one who called may be gone by now, or a second INVITE with the same id was faster.
    if (leg.state === 'ended' || this.#isClosed || this.#calls.has(id)) return leg.end({ status: 503 });
    if (!sos && this.live.filter((call) => call.caller.number === caller.number).length >= mostOfOne) return leg.end({ status: 503 });
    const own = new LiveLeg(this.#deps.media, leg, {
      number: caller.number,
      offer: invite.sdp,
      id: leg.id,
      far: { trunk: invite.trunk, door: caller.holder?.door ?? null, byAddress: invite.byAddress },
      quiet: this.#services.sipSettings?.of(invite.projectId).early_media === false,
    });
    await this.#begin({ id, caller, leg: own, number: invite.target, sos }).within('stored');
  }

  /** Who calls from outside may name any number: one of ours it is not. */
  async #shownFor({ remote }: SipLeg): Promise<{ number: string; name: string | null }> {
    return (await holderOfNumber(this.#services.db, remote.number)) ? { number: 'anonymous', name: null } : remote;
  }

  async #isKnown(id: string): Promise<boolean> {
    if (this.#calls.has(id)) return true;
    const rows = await this.#services.db.select({ id: callRows.id }).from(callRows).where(eq(callRows.id, id));
    return rows.length > 0;
  }

  #begin(begin: ConstructorParameters<typeof LiveCall>[1]): LiveCall {
    const call = new LiveCall(this.#deps, begin);
    this.#calls.set(call.id, call);
    call.start();
    return call;
  }

  #over(call: LiveCall): void {
    this.#calls.delete(call.id);
    const written = call.settled().finally(() => this.#ending.delete(written));
    this.#ending.add(written);
  }

  async #refer(call: LiveCall, by: LiveLeg, wish: Wish): Promise<void> {
    try {
      await this.transfer(call, by.number, wish.replaces === null ? { number: wish.to } : { speech_id: wish.replaces }, () => {
        wish.accept();
        wish.notify(200);
      });
    } catch (error) {
      wish.refuse(error instanceof HttpError && error.code === 'forbidden' ? 403 : 404);
    }
  }

  /**
   * Connects the one whom a number talks to, or has on hold, elsewhere: to a number, or to the one it has in another call. The number's own
   * legs end. `agreed` is called once nothing can refuse it any more, before legs end.
   * @throws HttpError `not_found`, `forbidden`, `own_number`
   */
  async transfer(
    call: LiveCall,
    number: string,
    target: { number: string } | { speech_id: string },
    agreed: () => void = () => undefined,
  ): Promise<void> {
    const far = call.farOf(number);
    if (!far) throw new HttpError('not_found');
    const second = 'speech_id' in target ? this.#calls.get(target.speech_id) : undefined;
    const other = second && second !== call && second.projectId === call.projectId ? second.farOf(number) : null;
    if ('speech_id' in target && !other) throw new HttpError('not_found');
    const caller = await this.#callerAt(call, far);
    const by = await holderOfNumber(this.#services.db, number);
    const found = other
      ? between(call, await holderOfNumber(this.#services.db, other.number), other.number)
      : await this.#routeTo(call, far, caller, by, target);
    // What was looked up took a moment: both must still be there.
    if (call.farOf(number) !== far || (other && second?.farOf(number) !== other)) throw new HttpError('not_found');
    if (other && !mayMeet(far, other)) throw new HttpError('forbidden');
    agreed();
    call.handOver([far]);
    if (other) second?.handOver([other]);
    this.#begin({ id: randomUUID(), caller, leg: far, number: found.callee.number, sos: false, transfer: { parentId: call.id, found, other } });
  }

  async #callerAt(call: LiveCall, leg: LiveLeg): Promise<Caller> {
    if (leg === call.callerLeg) return call.caller;
    const holder = await holderOfNumber(this.#services.db, leg.number);
    return { holder, number: leg.number, name: holder?.name ?? null, projectId: call.projectId };
  }

  /** Where a transfer to a number leads: as far as the one who transfers may call. A call of a desk comes back to it when nobody answers. */
  async #routeTo(
    call: LiveCall,
    moved: LiveLeg,
    caller: Caller,
    by: Holder | null,
    target: { number: string } | { speech_id: string },
  ): Promise<Found> {
    const number = 'number' in target ? target.number : '';
    if (!dialable.test(number)) throw new HttpError('not_found');
    if (number === caller.number || number === by?.number) throw new HttpError('own_number');
    const asked = { holder: by, number: by?.number ?? '', name: null, projectId: call.projectId };
    const found = withinReach(await findRoute(this.#services, asked, number, false), moved);
    if (found.route.kind === 'refused') throw new HttpError(found.route.status === 403 ? 'forbidden' : 'not_found');
    const isOfDesk = call.actor.getSnapshot().context.type === 'awaiting' && caller === call.caller;
    const scope = [...new Set([...found.scope, ...(isOfDesk ? (call.found?.scope ?? []) : [])])];
    return { ...found, scope, route: { ...found.route, queue: found.route.queue || isOfDesk } };
  }
}

/** The route of a call between two who talk already. */
function between(call: LiveCall, holder: Holder | null, number: string): Found {
  const talkSeconds = call.found?.route.kind === 'open' ? call.found.route.talkSeconds : 0;
  return {
    route: { kind: 'open', type: 'normal', stages: [], queue: false, talkSeconds },
    callee: {
      number,
      name: holder?.name ?? null,
      userId: holder?.userId ?? null,
      deviceId: holder?.deviceId ?? null,
      domainId: holder?.groupId ?? null,
    },
    scope: call.found?.scope ?? [],
    interceptors: [],
  };
}
