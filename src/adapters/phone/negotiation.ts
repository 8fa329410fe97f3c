import type { Agent, Session } from './jssip-parts.ts';
import { reoffer, type ReofferOutcome } from './reoffer.ts';

interface Deps {
  agent: Agent;
  session: Session;
  connection: () => RTCPeerConnection | null;
  /** 0 to 1. */
  chance: () => number;
  /** A hold or its end was agreed, or refused. */
  held: (on: boolean) => void;
  holdFailed: () => void;
  /** The far side no longer knows the call. */
  gone: () => void;
}

/** What one side asks of a call that is up, one offer at a time; of wishes that overtake each other only the last is asked. */
export interface Negotiation {
  hold: (on: boolean) => void;
  /** Tracks have changed: offer anew. */
  offer: () => void;
  restart: () => void;
  /** The call is confirmed, or the connection to the server is back: go on. */
  proceed: () => void;
  stop: () => void;
}

/** A far side that did not answer is asked again after so many ms, unless the connection comes back before. */
const again = 2_000;

type Direction = RTCRtpTransceiverDirection;
const withoutReceiving: Partial<Record<Direction, Direction>> = { sendrecv: 'sendonly', recvonly: 'inactive' };
const withReceiving: Partial<Record<Direction, Direction>> = { sendonly: 'sendrecv', inactive: 'recvonly' };

/** Sets the directions of a hold (RFC 3264 section 8.4) or of its end. */
function direct(connection: RTCPeerConnection, held: boolean): void {
  for (const line of connection.getTransceivers()) {
    const direction = (held ? withoutReceiving : withReceiving)[line.direction];
    if (direction) line.direction = direction;
  }
}

/** The offers of one call, in order. */
class Offers implements Negotiation {
  readonly #deps: Deps;
  readonly #wanted = { held: false, offers: 0, restarts: 0 };
  readonly #agreed = { held: false, offers: 0, restarts: 0 };
  #isBusy = false;
  #isOver = false;
  #later: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.session.on('reinvite', ({ reject }) => {
      // JsSIP would take the far side's offer into the middle of ours.
      if (this.#isBusy) reject({ status_code: 491 });
    });
  }

  hold(on: boolean): void {
    this.#wanted.held = on;
    // A wish that is taken back before it was asked is fulfilled.
    if (!this.#isBusy && on === this.#agreed.held) this.#deps.held(on);
    this.proceed();
  }
  offer(): void {
    this.#wanted.offers += 1;
    this.proceed();
  }
  restart(): void {
    this.#wanted.restarts += 1;
    this.proceed();
  }
  proceed(): void {
    const { agent, session, connection } = this.#deps;
    clearTimeout(this.#later);
    const line = connection();
    if (this.#isBusy || this.#isOver || this.#isSettled() || !line || !session.isEstablished() || !agent.isConnected()) return;
    void this.#ask(line);
  }
  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#later);
  }

  #isSettled(): boolean {
    const [wanted, agreed] = [this.#wanted, this.#agreed];
    return wanted.held === agreed.held && wanted.offers === agreed.offers && wanted.restarts === agreed.restarts;
  }
  async #ask(line: RTCPeerConnection): Promise<void> {
    const { agent, session } = this.#deps;
    this.#isBusy = true;
    const tried = { ...this.#wanted };
    direct(line, tried.held);
    const outcome = await reoffer(agent, session, line, tried.restarts !== this.#agreed.restarts);
    if (outcome !== 'agreed' && line.signalingState !== 'closed') direct(line, this.#agreed.held);
    this.#isBusy = false;
    if (!this.#isOver) this.#settle(outcome, tried);
  }
  #settle(outcome: ReofferOutcome, tried: { held: boolean; offers: number; restarts: number }): void {
    const agreed = this.#agreed;
    if (outcome === 'agreed' || outcome === 'refused') Object.assign(agreed, { offers: tried.offers, restarts: tried.restarts });
    if (outcome === 'agreed' && agreed.held !== tried.held) {
      agreed.held = tried.held;
      this.#deps.held(tried.held);
    }
    if (outcome === 'refused' && agreed.held !== tried.held) {
      this.#wanted.held = agreed.held;
      this.#deps.holdFailed();
    }
    if (outcome === 'gone') this.#deps.gone();
    if (outcome === 'glare') this.#proceedAfter(this.#afterGlare());
    else if (outcome === 'unreachable') this.#proceedAfter(again);
    else this.proceed();
  }
  /** Who made the call waits longer, so that of two who offered at once one comes first (RFC 3261 section 14.1). */
  #afterGlare(): number {
    const { session, chance } = this.#deps;
    return (session.direction === 'outgoing' ? 2_100 : 0) + Math.round(chance() * 1_900);
  }
  #proceedAfter(time: number): void {
    this.#later = setTimeout(() => this.proceed(), time);
  }
}

/** Opens the queue of offers of one call (RFC 3261 section 14). */
export const openNegotiation = (deps: Deps): Negotiation => new Offers(deps);
