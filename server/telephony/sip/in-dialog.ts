import { dialable } from '#models/sip.ts';
import { unheard } from './client-transaction.ts';
import { currentOf } from './flow.ts';
import type { LegInDialog } from './leg-in-dialog.ts';
import { headerOf, readAddress, type SipRequest, tokensOf } from './message.ts';
import type { Offers } from './offers.ts';
import type { ServerTransaction } from './server-transaction.ts';
import { capabilities } from './stack.ts';
import { allowed, type Header, phraseOf } from './write.ts';

/** Least and most of a session timer, in seconds (RFC 4028). */
const [leastSession, longestSession] = [90, 7_200];
const longestKey = 6_000;
/** Letters of the body that a key comes in. */
const longestBody = 256;

/** A key by INFO: `application/dtmf-relay` with Signal and Duration, or `application/dtmf` with the key alone. */
export function readKey(request: SipRequest): { digit: string; duration: number } | null {
  if (request.body.length > longestBody) return null;
  const type = headerOf(request, 'content-type') ?? '';
  const relay = /^application\/dtmf-relay\b/i.test(type);
  if (!relay && !/^application\/dtmf\b/i.test(type)) return null;
  const digit = (relay ? /^\s*Signal\s*=\s*(.)\s*$/im.exec(request.body)?.[1] : /^\s*(.)\s*$/.exec(request.body)?.[1])?.toUpperCase();
  const duration = Number(/^\s*Duration\s*=\s*(\d{1,6})\s*$/im.exec(request.body)?.[1] ?? 100);
  return digit !== undefined && /^[\dA-D*#]$/.test(digit) ? { digit, duration: Math.min(duration, longestKey) } : null;
}

/** What a session timer is set to and who keeps it alive (RFC 4028 section 9): only where the far side does. */
export function sessionOf(request: SipRequest): { seconds: number } | 'too-small' | null {
  const value = headerOf(request, 'session-expires');
  const seconds = Number(/^\s*(\d{1,9})/.exec(value ?? '')?.[1]);
  if (value === null || Number.isNaN(seconds) || !tokensOf(request, 'supported').includes('timer') || /refresher\s*=\s*uas/i.test(value)) return null;
  return seconds < leastSession ? 'too-small' : { seconds: Math.min(seconds, longestSession) };
}

/** Requests within a dialog, other than its end: offers, keys, transfer, signs of life. */
export class InDialog {
  readonly #leg: LegInDialog & { readonly offers: Offers };
  readonly #legs: ReadonlyMap<string, LegInDialog>;
  #session: NodeJS.Timeout | null = null;

  constructor(leg: LegInDialog & { readonly offers: Offers }, legs: ReadonlyMap<string, LegInDialog>) {
    this.#leg = leg;
    this.#legs = legs;
  }

  receive(transaction: ServerTransaction): void {
    const { request } = transaction;
    switch (request.method) {
      case 'INVITE':
      case 'UPDATE': {
        const refreshed = this.refresh(request);
        return refreshed === null ? void transaction.respond(422, [['Min-SE', String(leastSession)]]) : this.#leg.offers.take(transaction, refreshed);
      }
      case 'INFO':
        return this.#info(transaction);
      case 'REFER':
        return this.#refer(transaction);
      case 'OPTIONS':
        return void transaction.respond(200, capabilities);
      case 'NOTIFY':
      case 'SUBSCRIBE':
        return void transaction.respond(489);
      default:
        return void transaction.respond(405, [['Allow', allowed.join(', ')]]);
    }
  }

  /** Starts the session timer anew. @returns headers for the answer; null where the far side wants it shorter than may be */
  refresh(request: SipRequest): Header[] | null {
    const session = sessionOf(request);
    if (session === 'too-small') return null;
    if (!session) return [];
    const { seconds } = session;
    if (this.#session) clearTimeout(this.#session);
    // A far side without a socket cannot refresh: its media tells whether it is there.
    const expire = () =>
      currentOf(this.#leg.dialog.flow).isOpen ? this.#leg.giveUp('timeout') : (this.#session = setTimeout(expire, seconds * 1_000).unref());
    this.#session = setTimeout(expire, seconds * 1_000).unref();
    return [
      ['Session-Expires', `${seconds};refresher=uac`],
      ['Require', 'timer'],
    ];
  }

  #info(transaction: ServerTransaction): void {
    const { request } = transaction;
    if (request.body === '') return void transaction.respond(200);
    const key = readKey(request);
    if (!key) return void transaction.respond(415, [['Accept', 'application/dtmf-relay, application/dtmf']]);
    transaction.respond(200);
    this.#leg.emit({ type: 'dtmf', ...key });
  }

  #refer(transaction: ServerTransaction): void {
    const { request } = transaction;
    const leg = this.#leg;
    const target = readAddress(headerOf(request, 'refer-to') ?? '');
    const to = target?.uri.user ?? '';
    if (!target || !dialable.test(to) || leg.state !== 'confirmed') return void transaction.respond(target ? 404 : 400);
    const named = /[?&]replaces=([^&>]+)/i.exec(target.uri.text)?.[1];
    const other = named === undefined ? null : this.#replaced(named);
    // 481 would end the call of who asks; what it asks for is what is not there.
    if (named !== undefined && !other?.speechId) return void transaction.respond(404);
    const notify = (status: number): void => {
      if (leg.state === 'ended') return;
      const standing = status < 200 ? 'active;expires=60' : 'terminated;reason=noresource';
      const headers: Header[] = [
        ['Event', `refer;id=${request.cseq}`],
        ['Subscription-State', standing],
      ];
      const body = `SIP/2.0 ${status} ${phraseOf(status)}\r\n`;
      const outgoing = leg.dialog.compose('NOTIFY', { headers, body, type: 'message/sipfrag;version=2.0' });
      leg.stack.send(outgoing, leg.dialog.flow, unheard);
    };
    const accept = (): void => {
      if (transaction.respond(202)) notify(100);
    };
    leg.emit({ type: 'transfer', to, replaces: other?.speechId ?? null, accept, refuse: (status) => void transaction.respond(status), notify });
    setTimeout(() => transaction.respond(603), leg.stack.times.offer).unref();
  }

  /** The leg of ours that a Replaces names (RFC 3891): by Call-ID and both tags. */
  #replaced(named: string): LegInDialog | null {
    let replaces: string;
    try {
      replaces = decodeURIComponent(named);
    } catch {
      return null;
    }
    const [callId = '', ...params] = replaces.split(';');
    for (const param of params) {
      const [, tag] = param.split('=');
      const leg = tag === undefined ? undefined : this.#legs.get(tag);
      if (leg && leg.dialog.callId === callId) return leg;
    }
    return null;
  }

  stop(): void {
    if (this.#session) clearTimeout(this.#session);
  }
}
