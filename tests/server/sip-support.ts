import type { Binding, Invite, LegEvent, SipAccount, SipLeg } from '#server/telephony/sip/leg.ts';
import { type OpenSip, openSip, type SipOptions } from '#server/telephony/sip/server.ts';
import { SipClient, type SipClientOptions } from './sip-client.ts';
import { longestWait } from '#tests/support/in-time.ts';

export const sipPassword = 'Riverside-1000-secret';
export const projectId = '00000000-0000-4000-8000-000000000001';

export const account = (number: string, passwords: readonly string[] = [sipPassword]): SipAccount => ({
  number,
  name: `Number ${number}`,
  projectId,
  passwords,
});

/** A SIP side on free ports with the numbers 1000 to 1999, whose passwords a test may change. */
export interface TestSip {
  sip: OpenSip;
  url: string;
  accounts: Map<string, SipAccount>;
  /** Everything it logged, as text. */
  logged: () => string;
  /** Opens and registers a client. */
  client: (number: string, more?: Partial<SipClientOptions>) => Promise<SipClient>;
  options: (number: string, more?: Partial<SipClientOptions>) => SipClientOptions;
  close: () => Promise<void>;
}

export async function openTestSip(more: Partial<SipOptions> = {}): Promise<TestSip> {
  const accounts = new Map(Array.from({ length: 1_000 }, (_, at) => String(1_000 + at)).map((number) => [number, account(number)]));
  const lines: string[] = [];
  const note = (what: object, text: string) =>
    lines.push(`${text} ${JSON.stringify(what, (_, value: unknown) => (value instanceof Error ? (value.stack ?? '') : value))}`);
  const sip = await openSip({
    config: {
      host: '127.0.0.1',
      tls: null,
      publicUrl: 'http://localhost:8080',
      socketsPerIp: 1_000,
      trustedProxies: false,
      sipPort: 0,
      sipUdp: null,
    },
    log: { debug: note, warn: note },
    now: () => new Date(),
    accountOf: async (number) => accounts.get(number) ?? null,
    ...more,
  });
  const url = `ws${more.config?.tls ? 's' : ''}://127.0.0.1:${sip.ports.ws}`;
  const clients: SipClient[] = [];
  const options = (number: string, extra: Partial<SipClientOptions> = {}): SipClientOptions => ({ url, number, password: sipPassword, ...extra });
  return {
    sip,
    url,
    accounts,
    logged: () => lines.join('\n'),
    options,
    client: async (number, extra) => {
      const client = await SipClient.registered(options(number, extra));
      clients.push(client);
      return client;
    },
    close: async () => {
      for (const client of clients) client.close();
      await sip.close();
    },
  };
}

/** What happened on a leg, in order. */
export function record(leg: SipLeg): LegEvent[] {
  const events: LegEvent[] = [];
  leg.listen((event) => events.push(event));
  return events;
}

/** Waits until something holds. */
export async function until(holds: () => boolean, ms = longestWait): Promise<void> {
  const begun = performance.now();
  while (!holds()) {
    if (performance.now() - begun > ms) throw new Error(`waited ${ms} ms in vain until ${holds.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export interface Bridged {
  from: SipLeg;
  to: SipLeg[];
  invite: Invite;
  events: LegEvent[];
}

/** The simplest that calls can be: each call rings all bindings of the number dialled, the first that answers is joined, an end on one side ends the other. */
export function bridgeCalls(sip: OpenSip): Bridged[] {
  const calls: Bridged[] = [];
  sip.onInvite((leg, invite) => {
    const call: Bridged = { from: leg, to: [], invite, events: record(leg) };
    calls.push(call);
    const bindings: readonly Binding[] = sip.bindings(invite.target);
    if (bindings.length === 0) return leg.end({ status: 480 });
    let winner: SipLeg | null = null;
    for (const binding of bindings) {
      const other = sip.invite(binding, { from: leg.remote, to: { number: invite.target, name: null }, sdp: invite.sdp ?? 'v=0\r\n' });
      call.to.push(other);
      other.listen((event) => {
        if (event.type === 'progress') leg.ring();
        if (event.type === 'answered' && !winner) {
          winner = other;
          leg.accept(event.sdp ?? '');
          for (const rest of call.to) if (rest !== other) rest.end({ reason: { cause: 200, text: 'Call completed elsewhere' } });
        }
        if (event.type === 'ended' && (other === winner || call.to.every(({ state }) => state === 'ended')))
          leg.end({ status: event.end.status ?? 480 });
      });
    }
    leg.listen((event) => {
      if (event.type === 'ended') for (const other of call.to) other.end();
    });
  });
  return calls;
}
