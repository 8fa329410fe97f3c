import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { someSdp } from './sip-compose.ts';
import { bridgeCalls, type Bridged, openTestSip, type TestSip, until } from './sip-support.ts';

let server: TestSip;
let calls: Bridged[];
beforeAll(async () => {
  server = await openTestSip();
  calls = bridgeCalls(server.sip);
});
afterAll(() => server.close());
const idle = () => until(() => server.sip.load.legs === 0 && server.sip.load.dialogs === 0);

describe('a call between two clients', () => {
  it('rings, is answered, talks and ends by the caller', async () => {
    const [one, two] = [await server.client('1000', { name: 'Ann "the" Admin' }), await server.client('1001')];
    const call = one.invite('1001', { headers: { 'X-Speech-Id': 'abc' } });
    const incoming = await two.incoming();
    expect(incoming.invite?.uri).toBe(two.contact);
    expect(incoming.invite?.of('from')).toContain('"Number 1000" <sip:1000@localhost>');
    two.ring(incoming);
    expect((await one.response('INVITE', call.callId, 180)).status).toBe(180);
    const ack = two.answer(incoming, someSdp('answer'));
    const answer = await one.response('INVITE', call.callId);
    expect([answer.status, answer.body]).toEqual([200, someSdp('answer')]);
    one.acknowledge(call, answer);
    await ack;
    await until(() => calls.at(-1)?.from.state === 'confirmed');
    expect(calls.at(-1)?.invite).toMatchObject({ target: '1001', account: '1000' });
    expect(calls.at(-1)?.invite.header('x-speech-id')).toBe('abc');
    const bye = two.request('BYE');
    expect((await one.bye(call)).status).toBe(200);
    two.reply(await bye, 200);
    await idle();
  });

  it('ends by the callee, who may say why', async () => {
    const [one, two] = [await server.client('1002'), await server.client('1003')];
    const calling = one.call('1003');
    const incoming = await two.incoming();
    await two.answer(incoming);
    await calling;
    const bye = one.request('BYE');
    two.within(incoming, 'BYE', { headers: { Reason: 'SIP;cause=200;text="Door opened"' } });
    expect((await two.response('BYE', incoming.callId)).status).toBe(200);
    one.reply(await bye, 200);
    await idle();
  });

  it('is cancelled while it rings', async () => {
    const [one, two] = [await server.client('1004'), await server.client('1005')];
    const call = one.invite('1005');
    const incoming = await two.incoming();
    two.ring(incoming);
    await one.response('INVITE', call.callId, 180);
    one.cancel(call);
    expect((await one.response('CANCEL', call.callId)).status).toBe(200);
    expect((await one.response('INVITE', call.callId)).status).toBe(487);
    const cancel = await two.request('CANCEL');
    two.reply(cancel, 200, { call: incoming });
    two.refuse(incoming, 487);
    await two.request('ACK');
    await idle();
  });

  it('rings everywhere the callee is; the first answer wins and the others are told', async () => {
    const one = await server.client('1006');
    const [left, right] = [await server.client('1007'), await server.client('1007')];
    const calling = one.call('1007');
    const [atLeft, atRight] = [await left.incoming(), await right.incoming()];
    left.ring(atLeft);
    right.ring(atRight);
    await left.answer(atLeft);
    const call = await calling;
    const cancel = await right.request('CANCEL');
    expect(cancel.of('reason')).toContain('cause=200');
    right.reply(cancel, 200, { call: atRight });
    right.refuse(atRight, 487);
    const bye = left.request('BYE');
    await one.bye(call);
    left.reply(await bye, 200);
    await idle();
  });
});
