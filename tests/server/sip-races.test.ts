import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Invite, LegEvent, SipLeg } from '#server/telephony/sip/leg.ts';
import { isFull } from '#tests/support/extent.ts';
import type { SipClient } from './sip-client.ts';
import { type ClientCall, someSdp } from './sip-compose.ts';
import { bridgeCalls, type Bridged, openTestSip, record, type TestSip, until } from './sip-support.ts';
import { seededRandom } from '#server/random.ts';

const random = seededRandom(3);
/** Timers of RFC 3261 shortened: 64 × T1 is 1.28 s. */
const times = { t1: 20, t2: 80, t4: 50, reattach: 300, offer: 500 };
let server: TestSip;
beforeAll(async () => {
  server = await openTestSip({ times });
});
afterAll(() => server.close());
const idle = (ms?: number) => until(() => server.sip.load.legs === 0 && server.sip.load.dialogs === 0, ms);

/** What a callee's phone does by itself: rings, answers after a while, obeys CANCEL and BYE. */
async function liveAs(client: SipClient, answerAfter: () => number): Promise<void> {
  const open = new Map<string, ClientCall>();
  for (;;) {
    const request = await client.next(({ method }) => method !== null, 600_000).catch(() => null);
    if (!request) return;
    const id = request.of('call-id');
    if (request.method === 'INVITE') {
      const call: ClientCall = {
        callId: id,
        local: `${request.of('to')};tag=${id.slice(0, 8)}`,
        remote: request.of('from'),
        target: '',
        sequence: 0,
        branch: '',
        invited: request.cseq.number,
        invite: request,
      };
      open.set(id, call);
      client.ring(call);
      void wait(answerAfter()).then(() => open.delete(id) && client.isOpen && client.reply(request, 200, { call, body: someSdp('answer') }));
    }
    if (request.method === 'CANCEL' || request.method === 'BYE') client.reply(request, 200);
    const call = open.get(id);
    if (request.method === 'CANCEL' && call && open.delete(id)) client.refuse(call, 487);
  }
}

/** Calls, hangs up after a while in the way the moment asks for, and says how it ended. */
async function callAndLeave(client: SipClient, number: string, after: number): Promise<'cancelled' | 'talked' | 'crossed'> {
  const call = client.invite(number);
  await wait(after);
  const early = client.heard.find((one) => one.of('call-id') === call.callId && one.cseq.method === 'INVITE' && (one.status ?? 0) >= 200);
  if (!early) {
    client.cancel(call);
    await client.response('CANCEL', call.callId);
  }
  const answer = await client.response('INVITE', call.callId);
  if (answer.status === 487) {
    client.acknowledgeFailure(call, answer);
    return 'cancelled';
  }
  expect(answer.status).toBe(200);
  client.acknowledge(call, answer);
  // Where the CANCEL came late, the server hangs up too: the two goodbyes may cross.
  expect(early ? [200] : [200, 481]).toContain((await client.bye(call)).status);
  return early ? 'talked' : 'crossed';
}

describe('CANCEL and 200 cross', () => {
  it(`at every moment nothing is left behind (D20)`, async () => {
    bridgeCalls(server.sip);
    const [caller, callee] = [await server.client('1200'), await server.client('1201')];
    let delay = 0;
    void liveAs(callee, () => delay);
    const seen = new Map<string, number>();
    const leave = async (answerAfter: number, leaveAfter: number): Promise<void> => {
      delay = answerAfter;
      const ended = await callAndLeave(caller, '1201', leaveAfter);
      seen.set(ended, (seen.get(ended) ?? 0) + 1);
      await idle();
    };
    // Long before, long after, and every moment around the answer.
    await leave(500, 0);
    await leave(0, 500);
    for (let round = 0; round < (isFull ? 20 : 2); round += 1)
      for (let offset = 0; offset < 16; offset += 1) await leave(8 + Math.round(random() * 4), offset * 1.2 + random());
    expect(seen.get('cancelled')).toBeGreaterThan(0);
    expect(seen.get('talked')).toBeGreaterThan(0);
    const answered = callee.heard.filter(({ method }) => method === 'ACK').length;
    // Who was told that there is talk was told that it is over.
    expect(callee.heard.filter(({ method }) => method === 'BYE').length).toBeGreaterThanOrEqual(seen.get('talked') ?? 0);
    expect(answered).toBeGreaterThan(0);
  });

  it('a CANCEL that comes after the answer ends the call as soon as that may be said', async () => {
    const calls = bridgeCalls(server.sip);
    const [caller, callee] = [await server.client('1202'), await server.client('1203')];
    const call = caller.invite('1203');
    const incoming = await callee.incoming();
    callee.reply(incoming.invite ?? (await callee.request('INVITE')), 200, { call: incoming, body: someSdp() });
    const answer = await caller.response('INVITE', call.callId);
    caller.cancel(call);
    expect((await caller.response('CANCEL', call.callId)).status).toBe(200);
    await until(() => calls.at(-1)?.from.state === 'ended');
    expect(caller.heard.some(({ method }) => method === 'BYE')).toBe(false);
    caller.acknowledge(call, answer);
    caller.reply(await caller.request('BYE'), 200);
    callee.reply(await callee.request('BYE'), 200);
    await idle();
  });

  it('a CANCEL of somebody else does not reach the call', async () => {
    bridgeCalls(server.sip);
    const [caller, callee, stranger] = [await server.client('1204'), await server.client('1205'), await server.client('1206')];
    const call = caller.invite('1205');
    await callee.incoming();
    stranger.cancel({ ...call, local: `<sip:1206@localhost>;tag=x` });
    const via = (one: SipClient) => one.instance.slice(-12);
    stranger.send(
      stranger
        .compose('CANCEL', call.target, { callId: call.callId, from: call.local, to: call.remote, sequence: 1, branch: call.branch })
        .replace(via(stranger), via(caller)),
    );
    expect((await stranger.response('CANCEL', call.callId)).status).toBe(481);
    expect((await stranger.response('CANCEL', call.callId)).status).toBe(481);
    expect(caller.heard.some(({ status }) => status === 487)).toBe(false);
    caller.cancel(call);
    expect((await caller.response('INVITE', call.callId)).status).toBe(487);
    await idle();
  });
});

describe('of one leg', () => {
  let taken: { leg: SipLeg; invite: Invite; events: LegEvent[] }[] = [];
  beforeEach(() => {
    taken = [];
    server.sip.onInvite((leg, invite) => taken.push({ leg, invite, events: record(leg) }));
  });
  const last = () => {
    const found = taken.at(-1);
    if (!found) throw new Error('nobody called');
    return found;
  };
  const called = async (client: SipClient, how: Parameters<SipClient['invite']>[1] = {}) => {
    const before = taken.length;
    const call = client.invite('1299', how);
    await until(() => taken.length > before);
    return call;
  };

  it('a duplicate of the INVITE is one call, and is told again what was said', async () => {
    const client = await server.client('1210');
    const branch = client.newBranch();
    const call = await called(client, { branch, callId: 'duplicate' });
    last().leg.ring();
    await client.response('INVITE', call.callId, 180);
    const same = client.compose('INVITE', call.target, {
      callId: call.callId,
      from: call.local,
      to: call.remote,
      sequence: 1,
      branch,
      body: someSdp(),
    });
    client.send(same);
    expect((await client.response('INVITE', call.callId, 180)).status).toBe(180);
    last().leg.accept(someSdp());
    const answer = await client.response('INVITE', call.callId);
    client.send(same);
    expect((await client.response('INVITE', call.callId)).status).toBe(200);
    expect(taken).toHaveLength(1);
    client.acknowledge(call, answer);
    await until(() => last().leg.state === 'confirmed');
    last().leg.end();
    client.reply(await client.request('BYE'), 200);
    await idle();
  });

  it('the same INVITE on another way is a loop', async () => {
    const client = await server.client('1211');
    const call = await called(client);
    client.send(client.compose('INVITE', call.target, { callId: call.callId, from: call.local, to: call.remote, sequence: 1, body: someSdp() }));
    expect((await client.next(({ status }) => status === 482)).of('call-id')).toBe(call.callId);
    last().leg.end({ status: 486 });
    expect((await client.response('INVITE', call.callId)).status).toBe(486);
    await idle();
  });

  it('an ACK that never comes: the answer is sent again, then the call is hung up (D24)', async () => {
    const client = await server.client('1212');
    const call = await called(client);
    last().leg.accept(someSdp());
    const bye = await client.request('BYE', 5_000);
    expect(client.heard.filter(({ status, cseq }) => status === 200 && cseq.method === 'INVITE').length).toBeGreaterThan(3);
    client.reply(bye, 200);
    expect(last().events.at(-1)).toMatchObject({ type: 'ended', end: { by: 'lost', cause: 'timeout' } });
    expect(bye.of('call-id')).toBe(call.callId);
    await idle();
  });

  it('hung up before the ACK: the BYE waits for it', async () => {
    const client = await server.client('1213');
    const call = await called(client);
    last().leg.accept(someSdp());
    last().leg.end();
    const answer = await client.response('INVITE', call.callId);
    await wait(60);
    expect(client.heard.some(({ method }) => method === 'BYE')).toBe(false);
    client.acknowledge(call, answer);
    client.reply(await client.request('BYE'), 200);
    expect(last().events.map(({ type }) => type)).toEqual(['ended']);
    await idle();
  });

  it('BYE twice, for the answer to the first was lost: the second finds no call (D23)', async () => {
    const client = await server.client('1214');
    const call = await called(client);
    last().leg.accept(someSdp());
    client.acknowledge(call, await client.response('INVITE', call.callId));
    await until(() => last().leg.state === 'confirmed');
    expect((await client.bye(call)).status).toBe(200);
    expect((await client.bye(call)).status).toBe(481);
    expect(last().events.filter(({ type }) => type === 'ended')).toHaveLength(1);
    await idle();
  });

  it('a BYE of the caller before any answer ends the INVITE too', async () => {
    const client = await server.client('1215');
    const call = await called(client);
    last().leg.ring();
    const ringing = await client.response('INVITE', call.callId, 180);
    call.remote = ringing.of('to');
    expect((await client.bye(call)).status).toBe(200);
    expect((await client.response('INVITE', call.callId)).status).toBe(487);
    await idle();
  });

  it('an ACK to nothing, and one too many, are swallowed', async () => {
    const client = await server.client('1216');
    const call = await called(client);
    last().leg.accept(someSdp());
    const answer = await client.response('INVITE', call.callId);
    for (let times = 0; times < 3; times += 1) client.acknowledge(call, answer);
    await until(() => last().leg.state === 'confirmed');
    expect(last().events.map(({ type }) => type)).toEqual(['confirmed']);
    await client.bye(call);
    client.acknowledge(call, answer);
    await idle();
  });

  it('what comes out of order is refused, and the call stands', async () => {
    const client = await server.client('1217');
    const call = await called(client);
    last().leg.accept(someSdp());
    client.acknowledge(call, await client.response('INVITE', call.callId));
    await until(() => last().leg.state === 'confirmed');
    client.within(call, 'INFO', { sequence: 9 });
    expect((await client.response('INFO', call.callId)).status).toBe(200);
    client.within(call, 'INFO', { sequence: 5 });
    expect((await client.response('INFO', call.callId)).status).toBe(500);
    call.sequence = 20;
    expect((await client.bye(call)).status).toBe(200);
    await idle();
  });

  it('a caller who wants our offer answers it with the ACK', async () => {
    const client = await server.client('1218');
    const call = await called(client, { sdp: '' });
    expect(last().invite.sdp).toBeNull();
    last().leg.accept(someSdp('our offer'));
    client.acknowledge(call, await client.response('INVITE', call.callId), someSdp('their answer'));
    await until(() => last().leg.state === 'confirmed');
    expect(last().events).toEqual([{ type: 'answered', sdp: someSdp('their answer') }, { type: 'confirmed' }]);
    await client.bye(call);
    await idle();
  });

  it.each([480, 486, 404, 488, 603, 408, 500, 503])('a refusal with %i reaches the caller', async (status) => {
    const client = await server.client('1219');
    const call = await called(client);
    last().leg.end({ status, reason: { cause: 200, text: 'answered by "1001"\r\nX-Evil: 1' } });
    const answer = await client.response('INVITE', call.callId);
    expect([answer.status, answer.of('reason'), answer.of('x-evil')]).toEqual([
      status,
      String.raw`SIP;cause=200;text="answered by \"1001\" X-Evil: 1"`,
      '',
    ]);
    client.acknowledgeFailure(call, answer);
    await idle();
  });

  it('a call to what is no number, or with what is no offer, is refused (D29)', async () => {
    const client = await server.client('1220');
    const from = `<sip:1220@localhost>;tag=t`;
    const send = async (uri: string, more: { body?: string; type?: string } = {}) => {
      const callId = `odd ${uri} ${more.type ?? ''}`.replaceAll(/\W/g, '');
      client.send(client.compose('INVITE', uri, { callId, from, to: '<sip:x@localhost>', sequence: 1, body: someSdp(), ...more }));
      return (await client.response('INVITE', callId)).status;
    };
    expect(await send('sip:localhost')).toBe(404);
    expect(await send('sip:alice@localhost')).toBe(404);
    expect(await send('sip:1%0d%0aX-Evil:%201@localhost')).toBe(400);
    expect(await send(`sip:${'1'.repeat(40)}@localhost`)).toBe(404);
    expect(await send('sip:1000@localhost', { body: 'hello', type: 'text/plain' })).toBe(415);
    expect(taken).toHaveLength(0);
  });

  it('nobody calls as another', async () => {
    const client = await server.client('1221');
    client.send(
      client.compose('INVITE', 'sip:1000@localhost', {
        callId: 'as-another',
        from: '<sip:1000@localhost>;tag=t',
        to: '<sip:1000@localhost>',
        sequence: 1,
        body: someSdp(),
      }),
    );
    expect((await client.response('INVITE', 'as-another')).status).toBe(403);
  });
});

describe('of a leg that we make', () => {
  const party = { number: '700', name: 'Desk "A"\r\nX-Evil: 1' };
  const make = (number: string, headers: Record<string, string> = {}) => {
    const [binding] = server.sip.bindings(number);
    if (!binding) throw new Error(`${number} is nowhere`);
    const leg = server.sip.invite(binding, { from: party, to: { number, name: null }, sdp: someSdp(), headers });
    return { leg, events: record(leg) };
  };

  it('nothing that was given becomes a header of its own (D29)', async () => {
    const client = await server.client('1230');
    const { leg } = make('1230', { 'X-Speech-Id': 'a\r\nX-Evil: 2' });
    const incoming = await client.incoming();
    expect(incoming.invite?.of('x-evil')).toBe('');
    expect(incoming.invite?.of('x-speech-id')).toBe('a X-Evil: 2');
    client.refuse(incoming, 486);
    await until(() => leg.state === 'ended');
    expect(() => make('1230', { 'X-A: b\r\nX-Evil': '1' })).toThrow('no name of a header');
    await idle();
  });

  it.each([302, 404, 408, 480, 486, 488, 500, 503, 603])('a refusal with %i is told as it is', async (status) => {
    const client = await server.client('1231');
    const { leg, events } = make('1231');
    const incoming = await client.incoming();
    client.refuse(incoming, status);
    await until(() => leg.state === 'ended');
    expect(events).toEqual([{ type: 'ended', end: { by: 'them', cause: 'refused', status, reason: 'Said' } }]);
    await client.request('ACK');
    await client.register({ expires: 0 });
    await idle();
  });

  it('cancelled before anything came back: the CANCEL waits for the first word', async () => {
    const client = await server.client('1232');
    const { leg } = make('1232');
    leg.end();
    const incoming = await client.incoming();
    await wait(50);
    expect(client.heard.some(({ method }) => method === 'CANCEL')).toBe(false);
    client.ring(incoming);
    client.reply(await client.request('CANCEL'), 200, { call: incoming });
    client.refuse(incoming, 487);
    await client.request('ACK');
    await idle();
  });

  it('answered after it was cancelled: acknowledged and hung up', async () => {
    const client = await server.client('1233');
    const { leg, events } = make('1233');
    const incoming = await client.incoming();
    client.ring(incoming);
    await until(() => leg.state === 'ringing');
    leg.end();
    await client.answer(incoming);
    client.reply(await client.request('BYE'), 200);
    expect(events.map(({ type }) => type)).toEqual(['progress', 'ended']);
    await idle();
  });

  it('an answer that comes again is acknowledged again', async () => {
    const client = await server.client('1234');
    const { leg, events } = make('1234');
    const incoming = await client.incoming();
    await client.answer(incoming);
    await client.answer(incoming);
    expect(events.map(({ type }) => type)).toEqual(['answered', 'confirmed']);
    leg.end();
    client.reply(await client.request('BYE'), 200);
    await idle();
  });

  it('nobody answers at all: given up in time', async () => {
    await server.client('1235');
    const { leg, events } = make('1235');
    await until(() => leg.state === 'ended', 3_000);
    expect(events.at(-1)).toMatchObject({ type: 'ended', end: { by: 'lost', cause: 'timeout' } });
    await idle();
  });

  it('a BYE that nobody answers ends the call all the same (D23)', async () => {
    const client = await server.client('1236');
    const { leg, events } = make('1236');
    await client.answer(await client.incoming());
    await until(() => leg.state === 'confirmed');
    leg.end();
    expect(events.at(-1)).toMatchObject({ type: 'ended', end: { by: 'us', cause: 'bye' } });
    await client.request('BYE');
    await until(() => server.sip.load.clients === 0, 3_000);
  });
});

it('calls of many at once all end', async () => {
  const calls: Bridged[] = bridgeCalls(server.sip);
  const pairs = await Promise.all(
    Array.from({ length: 20 }, async (_, at) => [await server.client(String(1300 + at)), await server.client(String(1400 + at))] as const),
  );
  for (const [, callee] of pairs) void liveAs(callee, () => random() * 10);
  await Promise.all(pairs.map(([caller], at) => callAndLeave(caller, String(1400 + at), random() * 30)));
  // Who hangs up at once may have called nobody yet.
  expect(calls.length).toBeGreaterThan(0);
  await idle();
});
