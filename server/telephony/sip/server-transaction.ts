import { randomBytes } from 'node:crypto';
import { currentOf, type Flow, repeat, type SipTimes } from './flow.ts';
import type { SipRequest } from './message.ts';
import { type Header, writeResponse } from './write.ts';

/** What makes two messages parts of one transaction: a CANCEL shares the branch of what it cancels, so the method belongs to it (RFC 3261 section 17.2.3). */
export const transactionKey = (request: Pick<SipRequest, 'branch' | 'sentBy'>, method: string): string =>
  `${request.branch} ${request.sentBy} ${method}`;

/** Told once each: that it was answered for good, and that nothing of it has to be kept any more. */
interface Listener {
  settled: () => void;
  gone: () => void;
}

/** A request of the far side and our answer to it (RFC 3261 section 17.2, RFC 6026). */
export class ServerTransaction {
  readonly request: SipRequest;
  readonly flow: Flow;
  /** The tag of our side, where the request opens a dialog. */
  readonly tag = randomBytes(16).toString('hex');
  state: 'proceeding' | 'completed' | 'accepted' | 'terminated' = 'proceeding';
  /** What to do when the far side cancels it; a CANCEL that crosses our 200 is told too. */
  onCancel: ((cancel: SipRequest) => void) | null = null;
  readonly #times: SipTimes;
  readonly #listener: Listener;
  #last: string | null = null;
  #stopRepeating: (() => void) | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(request: SipRequest, flow: Flow, times: SipTimes, listener: Listener) {
    this.request = request;
    this.flow = flow;
    this.#times = times;
    this.#listener = listener;
  }

  /** Answers; a second final answer does nothing. @returns whether it was sent */
  respond(status: number, headers: readonly Header[] = [], body: string | null = null): boolean {
    if (this.state !== 'proceeding') return false;
    this.#last = writeResponse(this.request, status, status === 100 ? null : this.tag, headers, body);
    this.resend();
    if (status >= 200) this.#finish(status);
    return true;
  }

  #finish(status: number): void {
    const { t1, t2 } = this.#times;
    const isInvite = this.request.method === 'INVITE';
    this.#listener.settled();
    this.state = isInvite && status < 300 ? 'accepted' : 'completed';
    if (this.state === 'completed') this.onCancel = null;
    // Timers H, J and L: over a reliable flow nothing but the INVITE's answer has to be kept.
    const linger = isInvite || !this.flow.reliable ? 64 * t1 : 0;
    if (isInvite && status >= 300 && !this.flow.reliable) this.#stopRepeating = repeat(t1, t2, () => this.resend());
    if (linger === 0) return this.end();
    this.#timer = setTimeout(() => this.end(), linger).unref();
  }

  /** The request came again, or the answer has to. */
  resend(): void {
    if (this.#last !== null) currentOf(this.flow).send(this.#last);
  }

  /** The ACK of a refusal came: nothing is repeated any more, what is late is swallowed for a while. */
  acknowledged(): void {
    if (this.state !== 'completed') return;
    this.#stopRepeating?.();
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.end(), this.flow.reliable ? 0 : this.#times.t4).unref();
  }

  end(): void {
    if (this.state === 'terminated') return;
    if (this.state === 'proceeding') this.#listener.settled();
    this.state = 'terminated';
    this.#stopRepeating?.();
    if (this.#timer) clearTimeout(this.#timer);
    this.#listener.gone();
  }
}
