import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Invite, LegEvent, SipLeg } from '#server/telephony/sip/leg.ts';
import { SipClient, type SipClientOptions } from './sip-client.ts';
import { type ClientCall, someSdp } from './sip-compose.ts';
import { openTestSip, record, type TestSip, until } from './sip-support.ts';

// On a loaded machine the process of both sides stands still for longer than what is measured in these tests.
const times = { t1: 20, t2: 80, t4: 50, reattach: 600, vanish: 150, offer: 400, ping: 100, pong: 1_000, stranger: 2_000 };
let server: TestSip;
/** Whether a page is being loaded where a phone was. */
let isLoading = false;
beforeAll(async () => {
  server = await openTestSip({ times, isLoading: () => isLoading });
});
afterAll(() => server.close());
const idle = () => until(() => server.sip.load.legs === 0 && server.sip.load.dialogs === 0);

interface Taken {
  leg: SipLeg;
  invite: Invite;
  events: LegEvent[];
}
let taken: Taken[] = [];
beforeEach(() => {
  taken = [];
  server.sip.onInvite((leg, invite) => taken.push({ leg, invite, events: record(leg) }));
});
// What a test that failed has left behind would fail all that come after it.
afterEach(async () => {
  for (const { leg } of taken) leg.end();
  await idle();
});

/** A call that stands. */
async function talk(client: SipClient, headers: Record<string, string> = {}): Promise<Taken & { call: ClientCall }> {
  const before = taken.length;
  const call = client.invite('1999', { headers });
  await until(() => taken.length > before);
  const one = taken.at(-1);
  if (!one) throw new Error('nobody called');
  one.leg.accept(someSdp('first answer'), { 'X-Speech-Id': 'speech-of-ours' });
  client.acknowledge(call, await client.response('INVITE', call.callId));
  await until(() => one.leg.state === 'confirmed');
  return { ...one, call };
}
/** The answer to the last INVITE of a call, or to the one of this number; that to an earlier one may come again on a slow machine. */
const lastAnswer = (client: SipClient, call: ClientCall, number = call.sequence) =>
  client.next((one) => (one.status ?? 0) >= 200 && one.cseq.method === 'INVITE' && one.cseq.number === number && one.of('call-id') === call.callId);
const offersOf = (events: readonly LegEvent[]) => events.filter((event) => event.type === 'offered');

describe('an offer of the far side', () => {
  it('is answered, and acknowledged', async () => {
    const client = await server.client('1500');
    const { leg, events, call } = await talk(client);
    client.within(call, 'INVITE', { body: someSdp('hold') });
    await until(() => offersOf(events).length === 1);
    const [offer] = offersOf(events);
    expect(offer?.sdp).toBe(someSdp('hold'));
    offer?.accept(someSdp('held'));
    const answer = await lastAnswer(client, call);
    expect([answer.status, answer.body]).toEqual([200, someSdp('held')]);
    client.acknowledge(call, answer);
    // On a slow machine it may have come again before it was acknowledged; after that it does not, and the call stands.
    const answers = () => client.heard.filter(({ status, cseq }) => status === 200 && cseq.number === answer.cseq.number && cseq.method === 'INVITE');
    await wait(50);
    const { length } = answers();
    await wait(times.t2 * 2);
    expect([answers().length, leg.state]).toEqual([length, 'confirmed']);
    leg.end();
    client.reply(await client.request('BYE'), 200);
    await idle();
  });

  it('is refused, and the call stands', async () => {
    const client = await server.client('1501');
    const { leg, events, call } = await talk(client);
    client.within(call, 'UPDATE', { body: someSdp('video') });
    await until(() => offersOf(events).length === 1);
    offersOf(events)[0]?.refuse(488);
    expect((await client.response('UPDATE', call.callId)).status).toBe(488);
    expect(leg.state).toBe('confirmed');
    await client.bye(call);
    await idle();
  });

  it('that nobody looks at is refused in time; a second meanwhile has to wait', async () => {
    const client = await server.client('1502');
    const { call } = await talk(client);
    client.within(call, 'INVITE', { body: someSdp('one') });
    client.within(call, 'INVITE', { body: someSdp('two') });
    const early = await lastAnswer(client, call);
    expect([early.status, Number(early.of('retry-after')) < 10]).toEqual([500, true]);
    expect((await lastAnswer(client, call, call.sequence - 1)).status).toBe(500);
    await client.bye(call);
    await idle();
  });

  it('whose answer nobody acknowledges ends the call', async () => {
    const client = await server.client('1503');
    const { events, call } = await talk(client);
    client.within(call, 'INVITE', { body: someSdp('hold') });
    await until(() => offersOf(events).length === 1);
    offersOf(events)[0]?.accept(someSdp('held'));
    client.reply(await client.request('BYE'), 200);
    expect(events.at(-1)).toMatchObject({ type: 'ended', end: { by: 'lost', cause: 'timeout' } });
    await idle();
  });

  it('that is taken back is answered 487', async () => {
    const client = await server.client('1504');
    const { events, call } = await talk(client);
    const branch = client.within(call, 'INVITE', { body: someSdp('hold') });
    await until(() => offersOf(events).length === 1);
    client.cancel({ ...call, branch, invited: call.sequence });
    expect((await lastAnswer(client, call)).status).toBe(487);
    await client.bye(call);
    await idle();
  });

  it('without a session is a sign of life, and is told the session again', async () => {
    const client = await server.client('1505');
    const { events, call } = await talk(client);
    client.within(call, 'UPDATE');
    expect((await client.response('UPDATE', call.callId)).status).toBe(200);
    client.within(call, 'INVITE');
    const answer = await lastAnswer(client, call);
    expect([answer.status, answer.body]).toEqual([200, someSdp('first answer')]);
    client.acknowledge(call, answer);
    expect(offersOf(events)).toEqual([]);
    await client.bye(call);
    await idle();
  });
});

describe('an offer of ours', () => {
  it('gets its answer; two wait for each other', async () => {
    const client = await server.client('1510');
    const { leg, call } = await talk(client);
    const [first, second] = [leg.reoffer(someSdp('one')), leg.reoffer(someSdp('two'))];
    for (const mark of ['one', 'two']) {
      const invite = await client.request('INVITE');
      expect(invite.body).toBe(someSdp(mark));
      client.reply(invite, 200, { body: someSdp(`answer to ${mark}`) });
      await client.request('ACK');
    }
    expect([await first, await second]).toEqual([someSdp('answer to one'), someSdp('answer to two')]);
    await client.bye(call);
    await idle();
  });

  it('that is refused leaves the call as it is', async () => {
    const client = await server.client('1511');
    const { leg, call } = await talk(client);
    const offered = leg.reoffer(someSdp('no'));
    offered.catch(() => {});
    client.reply(await client.request('INVITE'), 488);
    await expect(offered).rejects.toThrow('488');
    expect(leg.state).toBe('confirmed');
    await client.bye(call);
    await idle();
  });

  it('that crosses one of theirs comes again, and theirs is told to (D18)', async () => {
    const client = await server.client('1512');
    const { leg, events, call } = await talk(client);
    const offered = leg.reoffer(someSdp('ours'));
    const ours = await client.request('INVITE');
    client.within(call, 'INVITE', { body: someSdp('theirs') });
    const outcome = await lastAnswer(client, call);
    expect(outcome.status).toBe(491);
    client.reply(ours, 491);
    await client.request('ACK');
    client.reply(await client.request('INVITE'), 200, { body: someSdp('answer') });
    expect(await offered).toBe(someSdp('answer'));
    client.within(call, 'INVITE', { body: someSdp('theirs again') });
    await until(() => offersOf(events).length === 1);
    offersOf(events)[0]?.accept(someSdp('agreed'));
    expect((await lastAnswer(client, call)).body).toBe(someSdp('agreed'));
    await client.bye(call);
    await idle();
  });

  it.each([481, 408])('that finds no call there (%i) ends it here', async (status) => {
    const client = await server.client('1513');
    const { leg, events } = await talk(client);
    const offered = leg.reoffer(someSdp('any'));
    offered.catch(() => {});
    client.reply(await client.request('INVITE'), status);
    await expect(offered).rejects.toThrow(/refused|over/);
    expect(events.at(-1)).toMatchObject({ type: 'ended', end: { by: 'lost' } });
    await idle();
  });

  it('ends with the call', async () => {
    const client = await server.client('1514');
    const { leg, call } = await talk(client);
    const offered = leg.reoffer(someSdp('any'));
    offered.catch(() => {});
    await client.request('INVITE');
    await client.bye(call);
    await expect(offered).rejects.toThrow('the call is over');
    await idle();
  });
});

describe('within a call', () => {
  it.each([
    ['application/dtmf-relay', 'Signal=#\r\nDuration=160\r\n', { digit: '#', duration: 160 }],
    ['application/dtmf-relay', 'Signal= 5\r\nDuration= 1000', { digit: '5', duration: 1000 }],
    ['application/dtmf', '*', { digit: '*', duration: 100 }],
    ['application/dtmf-relay', 'Signal=a\r\nDuration=999999', { digit: 'A', duration: 6000 }],
  ])('a key by INFO (%s, %j)', async (type, body, key) => {
    const client = await server.client('1520');
    const { events, call } = await talk(client);
    client.within(call, 'INFO', { type, body });
    expect((await client.response('INFO', call.callId)).status).toBe(200);
    expect(events.at(-1)).toEqual({ type: 'dtmf', ...key });
    client.within(call, 'INFO', { type, body: 'Signal=##' });
    expect((await client.response('INFO', call.callId)).status).toBe(415);
    await client.bye(call);
    await idle();
  });

  it('a key of ours by INFO', async () => {
    const client = await server.client('1526');
    const { leg, call } = await talk(client);
    leg.sendKey('\r\n', 1);
    leg.sendKey('#', 160);
    const info = await client.request('INFO');
    expect([info.of('content-type'), info.body]).toEqual(['application/dtmf-relay', 'Signal=#\r\nDuration=160\r\n']);
    client.reply(info, 200);
    await client.bye(call);
    await idle();
  });

  it('who asks whether we are there is told, and what we do not do is refused', async () => {
    const client = await server.client('1521');
    const { call } = await talk(client);
    const statuses: (number | null)[] = [];
    for (const method of ['OPTIONS', 'MESSAGE', 'NOTIFY', 'SUBSCRIBE']) {
      client.within(call, method);
      statuses.push((await client.response(method, call.callId)).status);
    }
    expect(statuses).toEqual([200, 405, 489, 489]);
    await client.bye(call);
    await idle();
  });

  it('a transfer is told, accepted, and reported on', async () => {
    const client = await server.client('1522');
    const { events, call } = await talk(client);
    client.within(call, 'REFER', { headers: { 'Refer-To': '<sip:1007@localhost>' } });
    await until(() => events.at(-1)?.type === 'transfer');
    const transfer = events.at(-1);
    if (transfer?.type !== 'transfer') throw new Error('no transfer');
    expect([transfer.to, transfer.replaces]).toEqual(['1007', null]);
    transfer.accept();
    expect((await client.response('REFER', call.callId)).status).toBe(202);
    transfer.notify(200);
    for (const [body, state] of [
      ['SIP/2.0 100 Trying\r\n', 'active;expires=60'],
      ['SIP/2.0 200 OK\r\n', 'terminated;reason=noresource'],
    ]) {
      const notify = await client.request('NOTIFY');
      expect([notify.body, notify.of('subscription-state'), notify.of('event')]).toEqual([body, state, `refer;id=${call.sequence}`]);
      client.reply(notify, 200);
    }
    await client.bye(call);
    await idle();
  });

  it('a transfer to another call of the same person names its speech id', async () => {
    const client = await server.client('1523');
    const [first, second] = [await talk(client), await talk(client)];
    const tag = /tag=([^;]+)/.exec(second.call.remote)?.[1] ?? '';
    const own = /tag=([^;]+)/.exec(second.call.local)?.[1] ?? '';
    const refer = (replaces: string) =>
      client.within(first.call, 'REFER', { headers: { 'Refer-To': `<sip:1007@localhost?Replaces=${encodeURIComponent(replaces)}>` } });
    refer(`${second.call.callId};to-tag=${tag};from-tag=${own}`);
    await until(() => first.events.at(-1)?.type === 'transfer');
    const transfer = first.events.at(-1);
    expect(transfer).toMatchObject({ to: '1007', replaces: 'speech-of-ours' });
    if (transfer?.type === 'transfer') transfer.refuse(603);
    expect((await client.response('REFER', first.call.callId)).status).toBe(603);
    refer('nothing;to-tag=a;from-tag=b');
    expect((await client.response('REFER', first.call.callId)).status).toBe(404);
    await client.bye(first.call);
    await client.bye(second.call);
    await idle();
  });

  it('a transfer to what is no number is refused', async () => {
    const client = await server.client('1524');
    const { events, call } = await talk(client);
    client.within(call, 'REFER', { headers: { 'Refer-To': '<sip:alice@evil.example>' } });
    expect((await client.response('REFER', call.callId)).status).toBe(404);
    client.within(call, 'REFER');
    expect((await client.response('REFER', call.callId)).status).toBe(400);
    expect(events.some(({ type }) => type === 'transfer')).toBe(false);
    await client.bye(call);
    await idle();
  });

  it('a session timer is agreed on, and may not be too short', async () => {
    const client = await server.client('1525');
    const call = client.invite('1999', { headers: { 'Session-Expires': '90', Supported: 'timer' } });
    await until(() => taken.length === 1);
    taken[0]?.leg.accept(someSdp());
    const answer = await client.response('INVITE', call.callId);
    expect([answer.of('session-expires'), answer.of('require')]).toEqual(['90;refresher=uac', 'timer']);
    client.acknowledge(call, answer);
    await client.bye(call);
    const short = client.invite('1999', { headers: { 'Session-Expires': '10', Supported: 'timer' } });
    const refused = await client.response('INVITE', short.callId);
    expect([refused.status, refused.of('min-se')]).toEqual([422, '90']);
    await idle();
  });

  it('a session that is refreshed goes on, and one that is not ends when its time is over (D48)', async () => {
    // Nobody asks whether the socket is there while the clock leaps.
    const still = await openTestSip({ times: { ...times, ping: 3_600_000, stranger: 3_600_000 } });
    still.sip.onInvite((leg, invite) => taken.push({ leg, invite, events: record(leg) }));
    const client = await still.client('1527');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const call = client.invite('1999', { headers: { 'Session-Expires': '90', Supported: 'timer' } });
      await vi.waitUntil(() => taken.length === 1);
      taken[0]?.leg.accept(someSdp());
      client.acknowledge(call, await client.response('INVITE', call.callId));
      await vi.advanceTimersByTimeAsync(88_000);
      client.within(call, 'UPDATE', { headers: { 'Session-Expires': '90', Supported: 'timer' } });
      expect((await client.response('UPDATE', call.callId)).of('session-expires')).toBe('90;refresher=uac');
      await vi.advanceTimersByTimeAsync(89_000);
      expect(taken[0]?.leg.state).toBe('confirmed');
      await vi.advanceTimersByTimeAsync(2_000);
      expect(taken[0]?.leg.state).toBe('ended');
      expect(taken[0]?.events.at(-1)).toMatchObject({ type: 'ended', end: { by: 'lost', cause: 'timeout' } });
      client.reply(await client.request('BYE'), 200);
    } finally {
      vi.useRealTimers();
      await still.close();
    }
  });
});

describe('the end of the socket', () => {
  const facts = (events: readonly LegEvent[]) => events.map(({ type }) => type).filter((type) => type !== 'confirmed');

  it('ends no call: it goes on over the next socket of the same registration', async () => {
    const options = server.options('1530', { instance: 'urn:uuid:5f5d3b0e-0000-4000-8000-000000001530' });
    const client = await SipClient.registered(options);
    const { leg, events, call } = await talk(client);
    client.kill();
    await until(() => facts(events).includes('unreachable'));
    const again = await SipClient.registered(options);
    await until(() => facts(events).includes('reachable'));
    leg.end();
    const bye = await again.request('BYE');
    expect(bye.of('call-id')).toBe(call.callId);
    again.reply(bye, 200);
    expect(facts(events)).toEqual(['unreachable', 'reachable', 'ended']);
    await idle();
    again.close();
  });

  it('ends no call: the far side may end it over the next socket too', async () => {
    const options = server.options('1531', { instance: 'urn:uuid:5f5d3b0e-0000-4000-8000-000000001531' });
    const client = await SipClient.registered(options);
    const { events, call } = await talk(client);
    client.kill();
    const again = await SipClient.open(options);
    expect((await again.bye(call)).status).toBe(200);
    expect(events.at(-1)).toMatchObject({ type: 'ended', end: { by: 'them', cause: 'bye' } });
    await idle();
    again.close();
  });

  it('ends a call that nobody has answered, after a while', async () => {
    const client = await server.client('1532');
    client.invite('1999');
    await until(() => taken.length === 1);
    taken[0]?.leg.ring();
    client.kill();
    await until(() => taken[0]?.leg.state === 'ended');
    expect(facts(taken[0]?.events ?? [])).toEqual(['unreachable', 'ended']);
    expect(taken[0]?.events.at(-1)).toMatchObject({ end: { by: 'lost', cause: 'transport' } });
    await idle();
  });

  it('a talk without socket stays until somebody ends it', async () => {
    const client = await server.client('1533');
    const { leg, events } = await talk(client);
    client.kill();
    await wait(400);
    expect([leg.state, facts(events)]).toEqual(['confirmed', ['unreachable']]);
    leg.end();
    await until(() => server.sip.load.legs === 0);
  });

  it('is noticed when nothing is answered any more', async () => {
    const client = await server.client('1534');
    const { events } = await talk(client);
    // Half-open: the far side is there for TCP, and for nobody else.
    client.freeze();
    await until(() => facts(events).includes('unreachable'), 2_000);
    expect(server.sip.bindings('1534')).toEqual([]);
    client.kill();
  });

  it('comes to who neither registers nor calls', async () => {
    const [stranger, caller] = [await SipClient.open(server.options('1537')), await server.client('1536')];
    const { call } = await talk(caller);
    await caller.register({ expires: 0 });
    expect(await stranger.closed()).toBe(1013);
    await wait(times.stranger + 200);
    expect((await caller.bye(call)).status).toBe(200);
  });

  it('a call to a binding that is gone says so at once', async () => {
    const client = await server.client('1535');
    const [binding] = server.sip.bindings('1535');
    if (!binding) throw new Error('not registered');
    client.kill();
    await until(() => server.sip.bindings('1535').length === 0);
    const events = record(server.sip.invite(binding, { from: { number: '700', name: null }, to: { number: '1535', name: null }, sdp: someSdp() }));
    await until(() => events.length === 1);
    expect(events).toEqual([{ type: 'ended', end: { by: 'lost', cause: 'transport', status: null, reason: null } }]);
  });
});

describe('a page that rings and goes', () => {
  const origin = 'http://localhost:8080';
  /** Milliseconds until a call that rings at a phone is over, once `leave` has ended its socket; and where the phone was. */
  async function overAfter(number: string, more: Partial<SipClientOptions>, leave: (client: SipClient) => void): Promise<number> {
    const client = await SipClient.registered(server.options(number, more));
    const [binding] = server.sip.bindings(number);
    if (!binding) throw new Error('not registered');
    const party = { number: '700', name: null };
    const leg = server.sip.invite(binding, { from: party, to: { number, name: null }, sdp: someSdp() });
    const over = new Promise<number>((resolve) => {
      leg.listen(({ type }) => {
        if (type === 'ended') resolve(performance.now() - left);
      });
    });
    client.reply(await client.request('INVITE'), 180);
    const left = performance.now();
    leave(client);
    return over;
  }

  it('lets its caller know soon when it is closed', async () => {
    const after = await overAfter('1540', { origin }, (client) => client.close());
    expect([after >= times.vanish - 5, after < times.reattach]).toEqual([true, true]);
  });
  it('is waited for while a page is being loaded there, when it was torn, and when it was no page', async () => {
    isLoading = true;
    const reloaded = await overAfter('1541', { origin }, (client) => client.close());
    isLoading = false;
    const torn = await overAfter('1542', { origin }, (client) => client.kill());
    const panel = await overAfter('1543', {}, (client) => client.close());
    for (const after of [reloaded, torn, panel]) expect(after).toBeGreaterThanOrEqual(times.reattach - 5);
  });
  it('goes on at the page that comes back in time', async () => {
    isLoading = true;
    const options = server.options('1544', { origin, instance: 'urn:uuid:5f5d3b0e-0000-4000-8000-000000001544' });
    const client = await SipClient.registered(options);
    const [binding] = server.sip.bindings('1544');
    if (!binding) throw new Error('not registered');
    const leg = server.sip.invite(binding, { from: { number: '700', name: null }, to: { number: '1544', name: null }, sdp: someSdp() });
    client.reply(await client.request('INVITE'), 180);
    client.close();
    await wait(times.vanish * 2);
    const again = await SipClient.registered(options);
    await wait(times.reattach * 1.5);
    isLoading = false;
    expect(leg.state).not.toBe('ended');
    leg.end();
    again.close();
  });
});
