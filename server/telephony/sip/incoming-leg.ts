import { awaitAck } from './acknowledgement.ts';
import { DialogLeg, type EndHow, type LegPlace, readReason, reasonHeader } from './dialog-leg.ts';
import { contactOf, Dialog } from './dialog.ts';
import { currentOf } from './flow.ts';
import { sipHeaders } from '#models/sip.ts';
import type { Party } from './leg.ts';
import { headerOf, type SipRequest } from './message.ts';
import { sdpOf } from './offers.ts';
import type { ServerTransaction } from './server-transaction.ts';
import { capabilities } from './stack.ts';
import { clean, type Header } from './write.ts';

/** A call that somebody makes to us: the side of an INVITE that answers (RFC 3261 section 13.3). */
export class IncomingLeg extends DialogLeg {
  readonly direction = 'incoming';
  readonly #transaction: ServerTransaction;
  /** Headers of the session timer for the answer. */
  readonly #refreshed: readonly Header[];
  #acked: (() => void) | null = null;
  /** Ended before the ACK of our 200 came: the far side is told when it has. */
  #goodbye: EndHow | null = null;

  constructor(place: LegPlace, transaction: ServerTransaction, remote: Party) {
    const { request, tag, flow } = transaction;
    super(place, Dialog.incoming(request, tag, flow), remote);
    this.#transaction = transaction;
    this.#refreshed = this.inDialog.refresh(request) ?? [];
    this.speechId = headerOf(request, sipHeaders.speechId);
    this.dialog.takes(request);
    transaction.onCancel = (cancel) => this.#cancelled(cancel);
  }

  get #isOpen(): boolean {
    return this.state === 'trying' || this.state === 'ringing';
  }

  #cancelled(cancel: SipRequest): void {
    const { cause, text } = readReason(cancel);
    if (!this.#isOpen) return this.#cancelledLate(text);
    this.forget();
    this.#transaction.respond(487);
    this.finish({ by: 'them', cause: cause === 200 ? 'answered-elsewhere' : 'cancelled', status: 487, reason: text });
  }

  /** It crossed our 200: JsSIP will not acknowledge that any more, and one who does is told by a BYE. */
  #cancelledLate(text: string | null): void {
    if (!this.#acked || this.#goodbye) return;
    this.#goodbye = {};
    this.finish({ by: 'them', cause: 'cancelled', status: null, reason: text });
  }

  ring(sdp?: string): void {
    if (!this.#isOpen) return;
    this.state = 'ringing';
    this.#transaction.respond(sdp === undefined ? 180 : 183, [contactOf(currentOf(this.dialog.flow)), ...this.#route()], sdp ?? null);
  }

  /** The way the INVITE came has to be named to who set it up. */
  #route(): Header[] {
    return (this.#transaction.request.headers.get('record-route') ?? []).map((route) => ['Record-Route', route] as const);
  }

  accept(sdp: string, headers: Readonly<Record<string, string>> = {}): void {
    if (!this.#isOpen) return;
    this.offers.lastSdp = sdp;
    this.speechId = headers[sipHeaders.speechId] ?? this.speechId;
    const own = Object.entries(headers).map(([name, value]) => [name, clean(value)] as const);
    const sent = this.#transaction.respond(
      200,
      [contactOf(currentOf(this.dialog.flow)), ...this.#route(), ...capabilities, ...this.#refreshed, ...own],
      sdp,
    );
    if (!sent) return;
    this.state = 'answered';
    this.#acked = awaitAck(this.stack, this.#transaction, () => this.#ackMissed());
  }

  /** Timer H: who does not acknowledge is hung up on. */
  #ackMissed(): void {
    this.#acked = null;
    if (this.#goodbye) this.bye(this.#goodbye);
    else this.giveUp('timeout');
  }

  acknowledged(ack: SipRequest): void {
    if (ack.cseq !== this.#transaction.request.cseq) return void this.offers.acknowledged(ack);
    if (!this.#acked) return;
    this.#acked();
    this.#acked = null;
    if (this.#goodbye) return this.bye(this.#goodbye);
    if (this.#transaction.request.body === '') this.emit({ type: 'answered', sdp: sdpOf(ack) });
    if (this.state !== 'answered') return;
    this.state = 'confirmed';
    this.emit({ type: 'confirmed' });
    this.noteFlow();
  }

  override forget(): void {
    super.forget();
    this.#acked?.();
    this.#acked = null;
    // A BYE of the caller before any answer ends the INVITE too.
    if (this.#transaction.state === 'proceeding') this.#transaction.respond(487);
  }

  end(how: EndHow = {}): void {
    if (this.state === 'ended') return;
    if (this.#isOpen) {
      const status = how.status ?? 480;
      this.#transaction.respond(status, reasonHeader(how));
      this.forget();
      return this.finish({ by: 'us', cause: 'refused', status, reason: how.reason?.text ?? null });
    }
    // Until the ACK has come no BYE may be sent (RFC 3261 section 15).
    if (this.#acked) this.#goodbye = how;
    else this.bye(how);
    this.finish({ by: 'us', cause: 'bye', status: null, reason: how.reason?.text ?? null });
  }
}
