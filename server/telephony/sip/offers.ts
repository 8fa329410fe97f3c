import { sipHeaders } from '#models/sip.ts';
import { awaitAck } from './acknowledgement.ts';
import { contactOf } from './dialog.ts';
import { currentOf } from './flow.ts';
import type { LegInDialog } from './leg-in-dialog.ts';
import type { Peer } from './leg.ts';
import { headerOf, readAddress, type SipRequest, type SipResponse } from './message.ts';
import type { ServerTransaction } from './server-transaction.ts';
import { addressOf, type Header } from './write.ts';

/** So often is an offer made that crossed one of the far side's. */
const mostTries = 5;
const isSdp = (message: SipRequest | SipResponse): boolean => /^application\/sdp\s*(;|$)/i.test(headerOf(message, 'content-type') ?? '');
/** The session description that a message carries, or null. */
export const sdpOf = (message: SipRequest | SipResponse): string | null => (message.body !== '' && isSdp(message) ? message.body : null);

/** Whom the far side talks with by now, in the headers of an offer (RFC 3325 section 9.1). */
const namesOf = (peer: Peer, { local }: LegInDialog['dialog']): Header[] => [
  [sipHeaders.assertedIdentity, addressOf(peer, readAddress(local)?.uri.host ?? 'anonymous.invalid')],
  [sipHeaders.speechId, peer.speechId],
];

/** Offers and answers after the first (RFC 3261 section 14, RFC 3311): one at a time, and what crosses is told to come again. */
export class Offers {
  readonly #leg: LegInDialog;
  /** What we said last; said again to who asks for an offer only to see whether we are there. */
  lastSdp: string | null = null;
  /** An offer of the far side that waits for our answer. */
  #theirs: { transaction: ServerTransaction; answered: Promise<void>; done: () => void } | null = null;
  #ours = false;
  #turn: Promise<unknown> = Promise.resolve();
  readonly #waiting = new Map<number, () => void>();
  readonly #stopped: Promise<never>;
  #stop: () => void = () => {};

  constructor(leg: LegInDialog) {
    this.#leg = leg;
    this.#stopped = new Promise((_, reject) => (this.#stop = () => reject(new Error('the call is over'))));
    this.#stopped.catch(() => {});
  }

  /** Takes a re-INVITE or an UPDATE that carries an offer. `refreshed`: headers of the session timer for the answer. */
  take(transaction: ServerTransaction, refreshed: readonly (readonly [string, string])[]): void {
    const { request } = transaction;
    const leg = this.#leg;
    const isInvite = request.method === 'INVITE';
    if (this.#theirs) return void transaction.respond(500, [['Retry-After', String(Math.floor(Math.random() * 10))]]);
    if (this.#ours || (isInvite && leg.state !== 'confirmed')) return void transaction.respond(491);
    if (request.body !== '' && !isSdp(request)) return void transaction.respond(415, [['Accept', 'application/sdp']]);
    const sdp = sdpOf(request);
    const answer = (body: string | null): void => {
      this.#settle(transaction);
      if (body !== null) this.lastSdp = body;
      leg.dialog.retarget(request);
      if (!transaction.respond(200, [contactOf(currentOf(leg.dialog.flow)), ...refreshed], body)) return;
      if (isInvite)
        this.#waiting.set(
          request.cseq,
          awaitAck(leg.stack, transaction, () => leg.giveUp('timeout')),
        );
    };
    if (sdp === null) return answer(isInvite ? this.lastSdp : null);
    const refuse = (status: number): void => {
      this.#settle(transaction);
      transaction.respond(status);
    };
    this.#await(transaction, refuse);
    leg.emit({ type: 'offered', sdp, accept: answer, refuse });
  }

  #await(transaction: ServerTransaction, refuse: (status: number) => void): void {
    const timer = setTimeout(() => refuse(500), this.#leg.stack.times.offer).unref();
    let done = (): void => {};
    const answered = new Promise<void>((resolve) => (done = resolve));
    this.#theirs = {
      transaction,
      answered,
      done: () => {
        clearTimeout(timer);
        done();
      },
    };
    transaction.onCancel = () => refuse(487);
  }

  #settle(transaction: ServerTransaction): void {
    if (this.#theirs?.transaction !== transaction) return;
    this.#theirs.done();
    this.#theirs = null;
  }

  /** The ACK of an answered re-INVITE. @returns whether it was one */
  acknowledged(ack: SipRequest): boolean {
    const stop = this.#waiting.get(ack.cseq);
    stop?.();
    return this.#waiting.delete(ack.cseq);
  }

  /** Makes an offer of ours, after those made before; `peer` is whom it is made for. @returns the answer @throws Error when refused, or when the call ends */
  make(sdp: string, peer?: Peer): Promise<string> {
    const made = this.#turn.then(() => Promise.race([this.#stopped, this.#try(sdp, peer)]));
    this.#turn = made.catch(() => {});
    return made;
  }

  async #try(sdp: string, peer: Peer | undefined): Promise<string> {
    for (let tries = 0; tries < mostTries; tries += 1) {
      while (this.#theirs) await this.#theirs.answered;
      if (this.#leg.state !== 'confirmed') throw new Error('there is no call to change');
      const response = await this.#send(sdp, peer);
      if (response.status < 300) {
        this.lastSdp = sdp;
        return response.body;
      }
      if (response.status === 481 || response.status === 408) this.#leg.giveUp('failed');
      if (response.status !== 491) throw new Error(`the offer was refused with ${response.status}`);
      // Who opened the dialog waits longer, so that the two do not meet again (RFC 3261 section 14.1).
      const [least, span] = this.#leg.direction === 'outgoing' ? [2_100, 1_900] : [0, 2_000];
      await new Promise((resolve) => setTimeout(resolve, least + Math.random() * span).unref());
    }
    throw new Error('the offer crossed others of the far side time and again');
  }

  async #send(sdp: string, peer: Peer | undefined): Promise<Pick<SipResponse, 'status' | 'body'>> {
    const { dialog, stack } = this.#leg;
    this.#ours = true;
    const outgoing = dialog.compose('INVITE', { body: sdp, headers: peer ? namesOf(peer, dialog) : [] });
    let ack: string | null = null;
    return new Promise<Pick<SipResponse, 'status' | 'body'>>((resolve) => {
      const response = (message: SipResponse): void => {
        if (message.status < 200) return;
        if (message.status < 300) {
          dialog.retarget(message);
          ack ??= dialog.compose('ACK', { seq: outgoing.seq }).text;
          currentOf(dialog.flow).send(ack);
        }
        resolve(message);
      };
      stack.send(outgoing, dialog.flow, { response, failed: () => resolve({ status: 408, body: '' }) });
    }).finally(() => (this.#ours = false));
  }

  /** The call is over: nobody waits for anything any more. */
  stop(): void {
    this.#stop();
    for (const stop of this.#waiting.values()) stop();
    this.#waiting.clear();
    const transaction = this.#theirs?.transaction;
    if (!transaction) return;
    this.#settle(transaction);
    transaction.respond(487);
  }
}
