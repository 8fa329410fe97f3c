import { randomBytes } from 'node:crypto';
import { sipHeaders } from '#models/sip.ts';
import { type ClientTransaction, type Outgoing, unheard } from './client-transaction.ts';
import { DialogLeg, type EndHow, type LegPlace, reasonHeader } from './dialog-leg.ts';
import { Dialog } from './dialog.ts';
import { type Credentials, respondTo } from './digest-client.ts';
import { currentOf, type Flow } from './flow.ts';
import type { LegEnd, OutgoingInvite } from './leg.ts';
import type { SipRequest, SipResponse } from './message.ts';
import { sdpOf } from './offers.ts';
import { capabilities } from './stack.ts';
import { addressOf, clean, type Header } from './write.ts';

/** Where an INVITE of ours goes. */
export interface Destination {
  flow: Flow;
  /** The Request-URI. */
  uri: string;
  /** The host in From and To. */
  domain: string;
  /** Shown to another server that asks who we are. */
  credentials?: Credentials;
}

/** A call that we make: the side of an INVITE that asks (RFC 3261 section 13.2). */
export class OutgoingLeg extends DialogLeg {
  readonly direction = 'outgoing';
  readonly #call: OutgoingInvite;
  readonly #destination: Destination;
  #transaction: ClientTransaction | null = null;
  #sent: (Outgoing & { seq: number }) | null = null;
  /** The ACK of the answer, for answers that come again. */
  #ack: string | null = null;
  /** Ended before any answer: cancelled as soon as that may be. */
  #goodbye: EndHow | null = null;
  #tries = 0;

  constructor(place: LegPlace, destination: Destination, call: OutgoingInvite) {
    const { flow, uri, domain } = destination;
    const localTag = randomBytes(16).toString('hex');
    const dialog = new Dialog({
      callId: `${randomBytes(16).toString('hex')}@${domain}`,
      localTag,
      remoteTag: null,
      local: `${addressOf(call.from, domain)};tag=${localTag}`,
      remote: addressOf(call.to, domain),
      flow,
      target: uri,
      routes: [],
      remoteSeq: null,
    });
    super(place, dialog, call.to);
    this.#call = call;
    this.#destination = destination;
    this.speechId = call.headers?.[sipHeaders.speechId] ?? null;
    this.offers.lastSdp = call.sdp;
    if (!currentOf(flow).isOpen) {
      this.giveUp('transport');
      return;
    }
    try {
      this.#invite([]);
    } catch (error) {
      this.giveUp('failed');
      throw error;
    }
  }

  #invite(more: readonly Header[]): void {
    const { headers = {}, sdp } = this.#call;
    const own = Object.entries(headers).map(([name, value]) => [name, clean(value)] as const);
    this.#tries += 1;
    this.#sent = this.dialog.compose('INVITE', { headers: [...capabilities, ...own, ...more], body: sdp });
    this.#transaction = this.stack.send(this.#sent, this.dialog.flow, {
      response: (response) => this.#answer(response),
      failed: (cause) => {
        this.forget();
        this.finish({ by: 'lost', cause, status: null, reason: null });
      },
    });
  }

  #answer(response: SipResponse): void {
    const { status } = response;
    if (status < 200) return this.#progress(response);
    if (status < 300) return this.#accepted(response);
    if ((status === 401 || status === 407) && this.#authenticate(response)) return;
    this.forget();
    this.finish({ by: 'them', cause: 'refused', status, reason: clean(response.phrase).slice(0, 100) || null });
  }

  #progress(response: SipResponse): void {
    if (this.#goodbye) return this.#cancel(this.#goodbye);
    if (response.status === 100 || (this.state !== 'trying' && this.state !== 'ringing')) return;
    this.state = 'ringing';
    this.emit({ type: 'progress', status: response.status, sdp: sdpOf(response) });
  }

  /** Another server asks who we are: told once (RFC 3261 section 22.2). */
  #authenticate(response: SipResponse): boolean {
    const { credentials, uri } = this.#destination;
    if (!credentials || this.#tries > 1 || this.#goodbye) return false;
    const header = respondTo(response, credentials, 'INVITE', uri);
    if (!header) return false;
    this.#invite([header]);
    return true;
  }

  #accepted(response: SipResponse): void {
    const { dialog } = this;
    if (this.#ack !== null) {
      // The same answer again: its ACK was lost. Another's: somebody else answered behind a fork, and is sent away.
      if (response.to.tag === dialog.remoteTag) currentOf(dialog.flow).send(this.#ack);
      else this.#turnAway(response);
      return;
    }
    dialog.retarget(response, true);
    this.#ack = dialog.compose('ACK', { seq: this.#sent?.seq ?? 1 }).text;
    currentOf(dialog.flow).send(this.#ack);
    // It crossed our CANCEL.
    if (this.#goodbye) return this.bye(this.#goodbye);
    this.state = 'answered';
    this.emit({ type: 'answered', sdp: sdpOf(response) });
    if (this.#isEnded()) return;
    this.state = 'confirmed';
    this.emit({ type: 'confirmed' });
    this.noteFlow();
  }

  /** A listener may have ended the leg. */
  #isEnded(): boolean {
    return this.state === 'ended';
  }

  #turnAway(response: SipResponse): void {
    const { dialog } = this;
    const { callId, localTag, local, remote, flow } = dialog;
    const other = new Dialog({ callId, localTag, remoteTag: null, local, remote, flow, target: this.#destination.uri, routes: [], remoteSeq: null });
    other.retarget(response, true);
    currentOf(other.flow).send(other.compose('ACK', { seq: this.#sent?.seq ?? 1 }).text);
    this.stack.send(other.compose('BYE', { seq: (this.#sent?.seq ?? 1) + 1 }), other.flow, unheard);
  }

  #cancel(how: EndHow): void {
    if (!this.#sent || this.#cancelled) return;
    this.#cancelled = true;
    const { seq, branch } = this.#sent;
    const cancel = this.dialog.compose('CANCEL', { seq, branch, headers: reasonHeader(how) });
    this.stack.send(cancel, this.dialog.flow, unheard);
    // Who answers neither the CANCEL nor the INVITE is given up (RFC 3261 section 9.1).
    setTimeout(() => this.#abandon(), 64 * this.stack.times.t1).unref();
  }
  #cancelled = false;

  #abandon(): void {
    if (this.#ack !== null) return;
    this.#transaction?.end();
    this.forget();
  }

  acknowledged(ack: SipRequest): void {
    this.offers.acknowledged(ack);
  }

  ring(): void {}
  accept(): void {}

  end(how: EndHow = {}): void {
    if (this.state === 'ended') return;
    const wasOpen = this.state === 'trying' || this.state === 'ringing';
    if (wasOpen) {
      this.#goodbye = how;
      // Before anything came back there is nothing that could be cancelled yet.
      if (this.#transaction?.state === 'proceeding') this.#cancel(how);
    } else this.bye(how);
    const cause: LegEnd['cause'] = wasOpen ? 'cancelled' : 'bye';
    this.finish({ by: 'us', cause, status: null, reason: how.reason?.text ?? null });
  }
}
