import { constants } from '#models/constants.ts';
import type { Authority } from './authority.ts';
import { currentOf, type Flow } from './flow.ts';
import type { Binding, SipAccount } from './leg.ts';
import { type Address, headerOf, type SipRequest } from './message.ts';
import type { ServerTransaction } from './server-transaction.ts';
import { clean, type Header } from './write.ts';

/** Least of a registration, in seconds: who asks for less is told (423). */
export const leastSeconds = 60;
/** So many places a number may be reached at; the oldest goes. */
const mostBindings = 20;
const longestContact = 512;

/** A binding with what the server alone needs of it. */
export interface Registration extends Omit<Binding, 'address'> {
  /** Where requests to it are sent. */
  contact: string;
  flow: Flow;
  proof: string;
  callId: string;
  cseq: number;
  timer: NodeJS.Timeout;
}

export interface RegistrarOptions {
  authority: Authority;
  now: () => number;
  /** How long a broken flow's registration waits for its next flow, ms. */
  reattach: number;
  /** A flow has taken the place of another. */
  moved: () => void;
}

const secondsOf = (contact: Address | undefined, request: SipRequest): number => {
  const asked = contact?.params.expires ?? headerOf(request, 'expires');
  return asked !== null && /^\d{1,10}$/.test(asked)
    ? Math.min(Number(asked), constants.reregisterIntervalSeconds)
    : constants.reregisterIntervalSeconds;
};
const instanceOf = ({ params, uri }: Address): string => (params['+sip.instance']?.replaceAll(/[<>"]/g, '') ?? clean(uri.text)).slice(0, 200);

/** Keeps where each number can be reached (RFC 3261 section 10, RFC 5626). */
export class Registrar {
  readonly #options: RegistrarOptions;
  /** By number, then by instance. */
  readonly #numbers = new Map<string, Map<string, Registration>>();
  readonly #listeners = new Set<(number: string, reachable: boolean) => void>();
  readonly #reachable = new Set<string>();

  constructor(options: RegistrarOptions) {
    this.#options = options;
  }

  listen(listener: (number: string, reachable: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Where a number can be reached at this moment. */
  reachable(number: string): Registration[] {
    return [...(this.#numbers.get(number)?.values() ?? [])].filter(({ flow }) => flow.isOpen);
  }

  /** The registration of a number over this flow. */
  over(flow: Flow, number: string): Registration | null {
    return [...(this.#numbers.get(number)?.values() ?? [])].find((one) => one.flow === flow) ?? null;
  }

  async register(transaction: ServerTransaction): Promise<void> {
    const { request, flow } = transaction;
    const number = request.to.uri.user ?? '';
    const proven = await this.#options.authority.prove(transaction, number);
    if (!proven || transaction.state !== 'proceeding') return;
    const contacts = request.contacts.filter(({ uri }) => uri.text.length <= longestContact);
    if (headerOf(request, 'contact') === '*') return this.#forgetAll(transaction, number);
    if (contacts.length > mostBindings || contacts.length < request.contacts.length) return void transaction.respond(400);
    const wanted = contacts.map((contact) => ({ contact, seconds: secondsOf(contact, request) }));
    if (wanted.some(({ seconds }) => seconds > 0 && seconds < leastSeconds))
      return void transaction.respond(423, [['Min-Expires', String(leastSeconds)]]);
    const bindings = this.#numbers.get(number);
    const isLate = wanted.some(({ contact }) => {
      const known = bindings?.get(instanceOf(contact));
      return known?.callId === request.callId && request.cseq <= known.cseq;
    });
    if (isLate) return void transaction.respond(500);
    for (const { contact, seconds } of wanted)
      if (seconds === 0) this.#remove(bindings?.get(instanceOf(contact)));
      else this.#store(request, { account: proven.account, proof: proven.proof, contact, seconds, flow });
    this.#answer(transaction, number);
  }

  #forgetAll(transaction: ServerTransaction, number: string): void {
    if (headerOf(transaction.request, 'expires') !== '0') return void transaction.respond(400);
    for (const one of this.#numbers.get(number)?.values() ?? []) this.#remove(one);
    this.#answer(transaction, number);
  }

  #answer(transaction: ServerTransaction, number: string): void {
    const now = this.#options.now();
    const contacts = [...(this.#numbers.get(number)?.values() ?? [])].map(({ contact, instance, expiresAt }): Header => [
      'Contact',
      `<${contact}>;expires=${Math.max(1, Math.round((expiresAt.getTime() - now) / 1_000))}${instance.startsWith('urn:') ? `;+sip.instance="<${instance}>"` : ''}`,
    ]);
    transaction.respond(200, [...contacts, ['Date', new Date(now).toUTCString()]]);
  }

  #store(request: SipRequest, how: { account: SipAccount; proof: string; contact: Address; seconds: number; flow: Flow }): void {
    const { account, proof, contact, seconds, flow } = how;
    const { number } = account;
    const instance = instanceOf(contact);
    const bindings = this.#numbers.get(number) ?? new Map<string, Registration>();
    this.#numbers.set(number, bindings);
    const known = bindings.get(instance);
    if (known) clearTimeout(known.timer);
    const made: Registration = {
      number,
      instance,
      kind: flow.transport === 'UDP' ? 'rtp' : 'webrtc',
      userAgent: headerOf(request, 'user-agent')?.slice(0, 200) ?? null,
      expiresAt: new Date(this.#options.now() + seconds * 1_000),
      contact: clean(contact.uri.text),
      flow,
      proof,
      callId: request.callId,
      cseq: request.cseq,
      timer: setTimeout(() => this.#remove(made), seconds * 1_000).unref(),
    };
    bindings.delete(instance);
    bindings.set(instance, made);
    if (flow.reliable) flow.accounts.add(number);
    if (known) this.#move(known.flow, flow);
    if (bindings.size > mostBindings) this.#remove(bindings.values().next().value);
    this.#publish(number, known?.flow !== flow);
  }

  /** Calls that went over the old flow go over the new one. */
  #move(from: Flow, to: Flow): void {
    if (from === to) return;
    to.next = null;
    const last = currentOf(from);
    if (last !== to) last.next = to;
    if (from.reliable) from.close();
    this.#options.moved();
  }

  #remove(one: Registration | undefined): void {
    if (!one) return;
    clearTimeout(one.timer);
    const bindings = this.#numbers.get(one.number);
    if (bindings?.get(one.instance) !== one) return;
    bindings.delete(one.instance);
    if (!this.over(one.flow, one.number)) one.flow.accounts.delete(one.number);
    if (bindings.size === 0) this.#numbers.delete(one.number);
    this.#publish(one.number);
  }

  /** A flow broke: its registrations wait a while for its next flow. */
  flowClosed(flow: Flow): void {
    for (const number of flow.accounts) {
      const one = this.over(flow, number);
      if (one) setTimeout(() => this.#remove(one.flow.isOpen ? undefined : one), this.#options.reattach).unref();
      this.#publish(number);
    }
  }

  /** Ends registrations whose password no longer holds: of somebody who signed out, or a number that was taken away. */
  async recheck(number: string): Promise<void> {
    for (const one of this.#numbers.get(number)?.values() ?? [])
      if (!(await this.#options.authority.stillHolds(number, one.proof))) {
        this.#remove(one);
        if (one.flow.reliable && one.flow.accounts.size === 0) one.flow.close();
      }
  }

  get numbers(): string[] {
    return [...this.#numbers.keys()];
  }

  /** `isFurther`: there is one more place, or another way to one. */
  #publish(number: string, isFurther = false): void {
    const isReachable = this.reachable(number).length > 0;
    if (isReachable === this.#reachable.has(number) && !(isFurther && isReachable)) return;
    if (isReachable) this.#reachable.add(number);
    else this.#reachable.delete(number);
    for (const listener of this.#listeners) listener(number, isReachable);
  }

  close(): void {
    for (const bindings of this.#numbers.values()) for (const { timer } of bindings.values()) clearTimeout(timer);
    this.#listeners.clear();
  }
}
