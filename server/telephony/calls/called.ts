import { hasPermission } from '#models/permissions.ts';
import type { Deps } from './deps.ts';
import type { Begin } from './begin.ts';
import { inviteHeaders } from './call-row.ts';
import { deskOf, type Holder } from './directory.ts';
import type { Found } from './found.ts';
import { offersVideo } from './live-leg.ts';
import { inside, mayMeet, withinReach } from './outside.ts';
import { ringAll, type Ringing, type Rung } from './offers.ts';
import { findRoute } from './route.ts';
import { ringOf } from './stages.ts';
import { trunkLine } from './trunks.ts';
import type { CallEvent } from './server-call.setup.ts';
import type { Offer, Ring, Role, Stage } from './types.ts';

/** Whoever was at the desk so long ago, ms, is there still. */
const longestKnown = 1_000;

/** What it needs of what is around a call. */
type Means = Pick<Deps<unknown>, 'services' | 'sip' | 'media'>;

/** Whom one call is for: where it leads, who is rung for it and who may join it. */
export class Called {
  readonly #deps: Means;
  readonly #begin: Begin;
  readonly #isWanted: () => boolean;
  /** Phones about to be rung, whose media are being made. */
  readonly #places = new Set<string>();
  #found: Found | null = null;
  #desk: readonly string[] = [];
  /** Numbers it was for: they were to be rung, whether that could be or not. */
  readonly #meant = new Set<string>();
  /** Those at the desk as they were looked up with the route, for who is rung right after; and when that was. */
  #looked: { holders: readonly Holder[]; at: number } | null = null;

  /** `isWanted`: whether the call still runs. */
  constructor(deps: Means, begin: Begin, isWanted: () => boolean) {
    this.#deps = deps;
    this.#begin = begin;
    this.#isWanted = isWanted;
  }

  /** Where the call leads; null until that is known. */
  get found(): Found | null {
    return this.#found;
  }
  /** The numbers that may take the call without being its callee: those at the desk and those who intercept. */
  get onlookers(): string[] {
    return [...this.#desk, ...(this.#found?.interceptors ?? [])];
  }
  /** Is this number to be rung where it comes, at the desk that the call waits at or at this stage? */
  isFor(number: string, stage: Stage | null): boolean {
    const isRung = this.#desk.includes(number) || (stage?.rings.some((ring) => ring.number === number) ?? false);
    return isRung && number !== this.#begin.caller.number;
  }

  /** Whom it was for so far, but for those who have declined. */
  get meant(): readonly string[] {
    return [...this.#meant];
  }
  /** Whoever declines does not want the call. `offers`: who is rung. */
  hear(event: CallEvent, offers: readonly Offer[]): void {
    if (event.type !== 'leg.ended' || event.parting !== 'declined') return;
    const offer = offers.find(({ leg }) => leg === event.leg);
    if (offer) this.#meant.delete(offer.number);
  }

  /** Finds where the call leads: once, before anything is written or rung. */
  async find(): Promise<Found> {
    const { transfer, caller, leg, number, sos } = this.#begin;
    const found = transfer?.found ?? withinReach(await findRoute(this.#deps.services, caller, number, sos), leg);
    this.#found = found;
    if (found.route.kind === 'open' && found.route.queue) {
      const holders = await this.#deskHolders();
      this.#desk = holders.map((one) => one.number);
      this.#looked = { holders, at: this.#now() };
    }
    return found;
  }

  /** As what somebody may join: one who intercepts the call, or one at a desk that has it in sight; null for anybody else. */
  roleOf(holder: Holder): Role | null {
    if (!this.#found || holder.projectId !== this.#begin.caller.projectId) return null;
    if (this.#found.interceptors.includes(holder.number)) return 'interceptor';
    const sees = holder.groups.some((id) => this.#found?.scope.includes(id));
    return sees && hasPermission(holder, 'can_receive_call_as_concierge') ? 'desk' : null;
  }

  /** What an INVITE says of the call to one who is rung as this. */
  headers(as: Role): Record<string, string> {
    return inviteHeaders(this.#begin, this.#found, as);
  }

  /** Rings numbers, the caller's own left out, at phones that are not rung already. @returns the legs that ring; none where nobody could be rung */
  async ring(rings: readonly Ring[], isRung: (place: string) => boolean): Promise<readonly Rung[]> {
    const others = rings.filter(({ number }) => number !== this.#begin.caller.number);
    for (const { number, phone } of others) if (!phone) this.#meant.add(number);
    const now = new Set<string>();
    const takes = (place: string): boolean => {
      if (this.#places.has(place) || isRung(place)) return false;
      this.#places.add(place);
      now.add(place);
      return true;
    };
    const rung = await ringAll(this.#ringing(takes), others).catch((error: unknown) => {
      this.#deps.services.log.warn({ err: error, call: this.#begin.id }, 'nobody could be rung');
      return [];
    });
    for (const place of now) this.#places.delete(place);
    return rung;
  }

  /** Whom the call is offered to while it waits: everybody at its desk and all who intercept; with `only`, that one. */
  async deskRings(only: string | null): Promise<Ring[]> {
    const looked = this.#looked;
    this.#looked = null;
    const holders = looked && this.#now() - looked.at < longestKnown ? looked.holders : await this.#deskHolders();
    const numbers = [...new Set([...holders.map(({ number }) => number), ...(this.#found?.interceptors ?? [])])];
    const named = new Map(holders.map((holder) => [holder.number, holder]));
    this.#desk = numbers;
    return numbers
      .filter((number) => only === null || only === number)
      .map((number) => ringOf({ number, name: named.get(number)?.name ?? null, door: null }, named.has(number) ? 'desk' : 'interceptor'));
  }

  #now(): number {
    return this.#deps.services.now().getTime();
  }

  #deskHolders(): Promise<Holder[]> {
    return deskOf(this.#deps.services.db, this.#begin.caller.projectId, this.#found?.scope ?? []);
  }

  #ringing(takes: Ringing['takes']): Ringing {
    const { services, sip, media } = this.#deps;
    const { caller, leg } = this.#begin;
    return {
      sip,
      media,
      from: { number: caller.number, name: caller.holder?.name ?? caller.name },
      video: offersVideo(leg.offer),
      toward: leg.id,
      headers: (as) => this.headers(as),
      line: (number) => trunkLine(services, caller.projectId, caller.holder?.path ?? this.#found?.scope ?? [], number),
      mayMeet: (trunk) => mayMeet(leg, { far: { ...inside, trunk }, leg: { direction: 'outgoing' } }),
      takes,
      isWanted: this.#isWanted,
    };
  }
}
