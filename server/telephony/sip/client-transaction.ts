import { currentOf, type Flow, repeat, type SipTimes } from './flow.ts';
import type { SipResponse } from './message.ts';

/** A request of ours as it is sent. */
export interface Outgoing {
  method: string;
  branch: string;
  text: string;
  /** Of an INVITE: the ACK of a refusal, which belongs to the same transaction. */
  ack?: (response: SipResponse) => string;
}
export interface Answered {
  response: (response: SipResponse) => void;
  /** Nobody answered in time (Timers B and F), or it could not be sent. */
  failed: (why: 'timeout' | 'transport') => void;
}

/** For requests whose answer changes nothing. */
export const unheard: Answered = { response: () => {}, failed: () => {} };

/** A request of ours and what comes back (RFC 3261 section 17.1, RFC 6026). */
export class ClientTransaction {
  readonly outgoing: Outgoing;
  readonly flow: Flow;
  state: 'calling' | 'proceeding' | 'completed' | 'accepted' | 'terminated' = 'calling';
  readonly #times: SipTimes;
  readonly #answered: Answered;
  readonly #gone: () => void;
  #stopRepeating: (() => void) | null = null;
  #timer: NodeJS.Timeout | null = null;
  #ack: string | null = null;

  constructor(outgoing: Outgoing, flow: Flow, times: SipTimes, answered: Answered, gone: () => void) {
    this.outgoing = outgoing;
    this.flow = flow;
    this.#times = times;
    this.#answered = answered;
    this.#gone = gone;
  }

  get #isInvite(): boolean {
    return this.outgoing.method === 'INVITE';
  }

  start(): void {
    const { t1, t2 } = this.#times;
    const send = () => currentOf(this.flow).send(this.outgoing.text);
    send();
    if (!this.flow.reliable) this.#stopRepeating = repeat(t1, this.#isInvite ? 64 * t1 : t2, send);
    this.#after(64 * t1, () => this.#fail('timeout'));
  }

  #after(ms: number, run: () => void): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(run, ms).unref();
  }

  #fail(why: 'timeout' | 'transport'): void {
    this.end();
    this.#answered.failed(why);
  }

  receive(response: SipResponse): void {
    if (this.state === 'terminated') return;
    if (response.status < 200) return this.#provisional(response);
    if (this.#isInvite && response.status >= 300) return this.#refused(response);
    if (this.state === 'completed') return;
    const isFirst = this.state !== 'accepted';
    this.#stopRepeating?.();
    if (isFirst) this.#linger(this.#isInvite);
    this.#answered.response(response);
  }

  #provisional(response: SipResponse): void {
    if (this.state !== 'calling' && this.state !== 'proceeding') return;
    this.state = 'proceeding';
    if (this.#isInvite) {
      this.#stopRepeating?.();
      if (this.#timer) clearTimeout(this.#timer);
    }
    this.#answered.response(response);
  }

  /** An answered INVITE stays so that an answer that comes again is acknowledged again (Timer M); others for Timer K. */
  #linger(isInvite: boolean): void {
    const { t1, t4 } = this.#times;
    this.state = isInvite ? 'accepted' : 'completed';
    if (isInvite || !this.flow.reliable) this.#after(isInvite ? 64 * t1 : t4, () => this.end());
    else this.end();
  }

  #refused(response: SipResponse): void {
    if (this.state === 'accepted') return;
    const isFirst = this.state !== 'completed';
    this.#ack ??= this.outgoing.ack?.(response) ?? null;
    if (this.#ack !== null) currentOf(this.flow).send(this.#ack);
    if (!isFirst) return;
    this.#stopRepeating?.();
    this.state = 'completed';
    if (this.flow.reliable) this.end();
    else this.#after(64 * this.#times.t1, () => this.end());
    this.#answered.response(response);
  }

  end(): void {
    if (this.state === 'terminated') return;
    this.state = 'terminated';
    this.#stopRepeating?.();
    if (this.#timer) clearTimeout(this.#timer);
    this.#gone();
  }
}
