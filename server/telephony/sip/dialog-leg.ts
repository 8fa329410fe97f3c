import { randomUUID } from 'node:crypto';
import { unheard } from './client-transaction.ts';
import type { Dialog } from './dialog.ts';
import { currentOf, type Flow } from './flow.ts';
import { InDialog } from './in-dialog.ts';
import type { LegEnd, LegEvent, Party, Peer, SipLeg } from './leg.ts';
import { headerOf, type SipRequest } from './message.ts';
import { Offers } from './offers.ts';
import type { ServerTransaction } from './server-transaction.ts';
import type { DialogUser, Stack } from './stack.ts';
import { clean, type Header } from './write.ts';

/** What a leg needs around it. */
export interface LegPlace {
  stack: Stack;
  /** All legs that live, by the tag of our side in their dialog. */
  legs: Map<string, DialogLeg>;
}
export type EndHow = NonNullable<Parameters<SipLeg['end']>[0]>;

const quoted = (text: string): string => `"${clean(text).replaceAll(/[\\"]/g, (one) => `\\${one}`)}"`;
/** The Reason header of an end that has one (RFC 3326). */
export const reasonHeader = ({ reason }: EndHow): Header[] => (reason ? [['Reason', `SIP;cause=${reason.cause};text=${quoted(reason.text)}`]] : []);

/** What a Reason header says (RFC 3326). */
export function readReason(message: Pick<SipRequest, 'headers'>): { cause: number | null; text: string | null } {
  const value = headerOf(message, 'reason') ?? '';
  const cause = /;\s*cause\s*=\s*(\d{3})/i.exec(value)?.[1];
  const text = /;\s*text\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(value)?.[1];
  return {
    cause: cause === undefined ? null : Number(cause),
    text: text === undefined ? null : clean(text.replaceAll(/\\(.)/g, '$1')).slice(0, 100),
  };
}

/** What both kinds of leg share: who listens, the requests within the dialog, the ways to end, the move to another socket. */
export abstract class DialogLeg implements SipLeg, DialogUser {
  readonly id = randomUUID();
  abstract readonly direction: SipLeg['direction'];
  readonly remote: Party;
  readonly kind: SipLeg['kind'];
  state: SipLeg['state'] = 'trying';
  /** The speech id that either side has named. */
  speechId: string | null = null;
  readonly dialog: Dialog;
  readonly stack: Stack;
  readonly offers: Offers;
  readonly inDialog: InDialog;
  readonly #legs: Map<string, DialogLeg>;
  readonly #listeners = new Set<(event: LegEvent) => void>();
  #end: LegEnd | null = null;
  #unreachable: NodeJS.Timeout | true | null = null;

  constructor({ stack, legs }: LegPlace, dialog: Dialog, remote: Party) {
    this.stack = stack;
    this.dialog = dialog;
    this.remote = remote;
    this.kind = dialog.flow.transport === 'UDP' ? 'rtp' : 'webrtc';
    this.offers = new Offers(this);
    this.inDialog = new InDialog(this, legs);
    this.#legs = legs;
    legs.set(dialog.localTag, this);
    stack.dialogs.set(dialog.localTag, this);
  }

  abstract ring(sdp?: string): void;
  abstract accept(sdp: string, headers?: Readonly<Record<string, string>>): void;
  abstract end(how?: EndHow): void;
  abstract acknowledged(ack: SipRequest, flow: Flow): void;

  listen(listener: (event: LegEvent) => void): () => void {
    const end = this.#end;
    if (end) queueMicrotask(() => listener({ type: 'ended', end }));
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  reoffer(sdp: string, peer?: Peer): Promise<string> {
    if (peer) this.speechId = peer.speechId;
    return this.offers.make(sdp, peer);
  }

  sendKey(digit: string, duration: number): void {
    if (this.state !== 'confirmed' || !/^[\dA-D*#]$/.test(digit)) return;
    const body = `Signal=${digit}\r\nDuration=${Math.round(duration)}\r\n`;
    this.stack.send(this.dialog.compose('INFO', { body, type: 'application/dtmf-relay' }), this.dialog.flow, unheard);
  }

  emit(event: LegEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.stack.log.warn({ err: error, leg: this.id, event: event.type }, 'a listener of a call failed');
      }
    }
  }

  owns(request: SipRequest): boolean {
    return this.dialog.owns(request);
  }

  receive(transaction: ServerTransaction): void {
    const { request, flow } = transaction;
    if (request.method !== 'OPTIONS' && !this.dialog.takes(request)) return void transaction.respond(500, [['Retry-After', '1']]);
    this.moveTo(flow);
    if (request.method === 'BYE') return this.#bye(transaction);
    // We have hung up and only wait for the ACK that lets us say so.
    if (this.state === 'ended') return void transaction.respond(481);
    this.inDialog.receive(transaction);
  }

  #bye(transaction: ServerTransaction): void {
    transaction.respond(200);
    const reason = readReason(transaction.request);
    this.forget();
    // Answered and taken back before the ACK had come there (RFC 3326).
    const cause = reason.cause === 487 ? 'cancelled' : 'bye';
    this.finish({ by: 'them', cause, status: null, reason: reason.text });
  }

  /** Says goodbye on the wire. */
  bye(how: EndHow = {}): void {
    this.forget();
    this.stack.send(this.dialog.compose('BYE', { headers: reasonHeader(how) }), this.dialog.flow, unheard);
  }

  /** Hangs up for want of an answer from the far side. */
  giveUp(cause: 'timeout' | 'transport' | 'failed'): void {
    if (this.state === 'confirmed' || this.state === 'answered') this.bye();
    this.forget();
    this.finish({ by: 'lost', cause, status: null, reason: null });
  }

  /** Requests within the dialog are answered 481 from now on. */
  forget(): void {
    this.stack.dialogs.delete(this.dialog.localTag);
  }

  finish(end: LegEnd): void {
    if (this.#end) return;
    this.#end = end;
    this.state = 'ended';
    this.#clearUnreachable();
    this.#legs.delete(this.dialog.localTag);
    this.offers.stop();
    this.inDialog.stop();
    this.emit({ type: 'ended', end });
    this.#listeners.clear();
  }

  /** The far side speaks over another flow from now on: a socket opened again, or another port after a change of address. */
  moveTo(flow: Flow): void {
    if (currentOf(this.dialog.flow) !== flow) this.dialog.flow = flow;
    this.noteFlow();
  }

  /** Looks whether the far side can be reached, and tells when that has changed. */
  noteFlow(): void {
    if (this.state === 'ended') return;
    const isOpen = currentOf(this.dialog.flow).isOpen;
    if (isOpen === (this.#unreachable === null)) return;
    if (isOpen) {
      this.#clearUnreachable();
      return this.emit({ type: 'reachable' });
    }
    const isTalk = this.state === 'confirmed';
    const { reattach, vanish } = this.stack.times;
    const hasLeft = this.direction === 'outgoing' && currentOf(this.dialog.flow).hasLeft === true;
    this.#unreachable = isTalk || setTimeout(() => (hasLeft ? this.#vanish() : this.#lose()), hasLeft ? vanish : reattach).unref();
    this.emit({ type: 'unreachable' });
  }

  /** The page at which it rang has gone: the call waits for it only where it is being loaded anew. */
  #vanish(): void {
    const { reattach, vanish } = this.stack.times;
    if (!this.stack.isLoading(currentOf(this.dialog.flow).address)) return this.#lose();
    this.#unreachable = setTimeout(() => this.#lose(), reattach - vanish).unref();
  }

  #lose(): void {
    if (this.state === 'confirmed') this.#unreachable = true;
    else this.giveUp('transport');
  }

  #clearUnreachable(): void {
    if (this.#unreachable !== null && this.#unreachable !== true) clearTimeout(this.#unreachable);
    this.#unreachable = null;
  }
}
