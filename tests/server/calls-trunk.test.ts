import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sipTrunkGroups, sipTrunks } from '#server/db/schema/index.ts';
import { dialledUri } from '#server/telephony/calls/trunks.ts';
import type { Person } from './estate.ts';
import { type CallServer, openCallServer, type Phone, roleOf, settle } from './calls-support.ts';
import { openProvider, plainSdp, type Provider } from './sip-provider.ts';

let world: CallServer;
let provider: Provider;
let desk: Phone;
let admin: Person;

beforeAll(async () => {
  world = await openCallServer({ config: { sipUdp: { host: '127.0.0.1', port: 0 }, integrationLoopback: true } });
  provider = await openProvider(() => world.telephony.sip.ports.udp ?? 0);
  const { here, groups } = world.estate;
  await world.person('1001', roleOf('concierge'), [groups.north]);
  const [trunk] = await world.server.services.db
    .insert(sipTrunks)
    .values({
      projectId: here,
      name: 'Line',
      terminationUri: `sip:127.0.0.1:${provider.port}`,
      outgoingNumber: '74950000000',
      incomingAuthentication: 'address',
    })
    .returning();
  await world.server.services.db.insert(sipTrunkGroups).values({ trunkId: trunk?.id ?? '', groupId: groups.town });
  desk = await world.phone('1001');
  admin = await world.person('1009', roleOf('administrator'), [groups.town]);
});
beforeEach(() => settle(world));
afterAll(async () => {
  provider.close();
  await world.close();
});

describe('a call out through a trunk', () => {
  it('goes to the termination URI with the number dialled, under the number shown outside', async () => {
    const id = randomUUID();
    const out = desk.dial('+74951234567', { 'X-Speech-Id': id });
    const invite = await provider.next((heard) => heard.method === 'INVITE');
    expect(invite.uri).toMatch(new RegExp(`^sip:\\+74951234567@127\\.0\\.0\\.1:${provider.port}`));
    expect(invite.of('from')).toContain('sip:74950000000@');
    expect([invite.of('x-speech-id'), invite.body.includes('RTP/AVP')]).toEqual(['', true]);
    provider.answer(invite, 180);
    await desk.client.response('INVITE', out.callId, 180);
    provider.answer(invite, 200, plainSdp);
    expect((await desk.final(out)).status).toBe(200);
    await provider.next((heard) => heard.method === 'ACK');
    expect(await world.row(id, ({ status }) => status === 'answered')).toMatchObject({ trunk: 'outgoing', answeredBy: '+74951234567' });
    await desk.client.bye(out);
    provider.answer(await provider.next((heard) => heard.method === 'BYE'), 200);
    expect(await world.row(id, ({ status }) => status === 'destroyed')).toMatchObject({ historyStatus: 'answered' });
  });

  it('that is handed on tells nobody outside who is in the house', async () => {
    const id = randomUUID();
    const out = desk.dial('+74957654321', { 'X-Speech-Id': id });
    const invite = await provider.next((heard) => heard.method === 'INVITE' && heard.of('to').includes('74957654321'));
    provider.answer(invite, 200, plainSdp);
    await desk.final(out);
    await world.person('1005', roleOf('resident'), [world.estate.groups.north]);
    const flat = await world.phone('1005');
    const [call] = world.telephony.exchange.live.filter((one) => one.id === id);
    if (!call) throw new Error('the call is gone');
    await world.telephony.exchange.transfer(call, '1001', { number: '1005' });
    const come = await flat.incoming();
    await flat.client.answer(come);
    await flat.client.bye(come);
    provider.answer(await provider.next((heard) => heard.method === 'BYE' && heard.of('call-id') === invite.of('call-id')), 200);
    expect(provider.heard.filter((heard) => heard.text.includes('1005'))).toEqual([]);
  });

  it.each([
    [486, 486, 'busy', 'Busy Here'],
    [403, 480, 'failed', 'No credit'],
    [404, 480, 'failed', 'Not Found'],
    [503, 480, 'failed', 'Service Unavailable'],
  ])('that the provider answers %i is told as %i, and why, with the trunk', async (theirs, ours, status, phrase) => {
    const id = randomUUID();
    const out = desk.dial('88005550000', { 'X-Speech-Id': id });
    const invite = await provider.next((heard) => heard.method === 'INVITE');
    provider.answer(invite, theirs, '', phrase);
    const answer = await desk.final(out);
    expect([answer.status, answer.of('reason')]).toEqual([ours, `SIP;cause=${theirs};text="Line: ${phrase}"`]);
    const refused = { trunkName: 'Line', trunkStatus: theirs, trunkReason: phrase };
    expect(await world.row(id, (call) => call.status === 'destroyed')).toMatchObject({ historyStatus: status, ...refused });
    const { data } = (await admin.client.get(`/calls/history/${id}`)).json() as { data: { refusal: unknown } };
    expect(data.refusal).toEqual({ trunk: 'Line', status: theirs, reason: phrase });
  });
});

describe('a call in through a trunk', () => {
  it('rings the number it names, from the address and port of the provider, and is written down as such', async () => {
    const out = await provider.call('1001');
    const come = await desk.incoming();
    expect(come.remote).toContain('84951112233');
    await desk.client.answer(come);
    const answer = await out.answered(200);
    expect(answer.body).toContain('m=audio');
    out.within('ACK', answer);
    const [call] = (await world.rows()).filter(({ callerNumber }) => callerNumber === '84951112233');
    expect(call).toMatchObject({ trunk: 'incoming', callerName: 'Outside', calleeNumber: '1001' });
  });

  it('to the number shown outside comes to the desk', async () => {
    await world.number('700', { domainId: world.estate.groups.town });
    await world.person('1000', roleOf('concierge'), [world.estate.groups.town]);
    const front = await world.phone('1000');
    await provider.call('+74950000000');
    const come = await front.incoming();
    expect([come.invite?.of('x-speech-type'), come.invite?.of('x-target-callee')]).toEqual(['awaiting', '700']);
  });

  it('does not go out again', async () => {
    expect((await (await provider.call('79001112233')).answered(404)).cseq.method).toBe('INVITE');
  });
});

describe('the address of a trunk', () => {
  it.each([
    ['sip:pbx.example', 'sip:100@pbx.example'],
    ['sips:pbx.example:5061;transport=tls', 'sips:100@pbx.example:5061;transport=tls'],
    ['10.0.0.1:5080', 'sip:100@10.0.0.1:5080'],
    ['sip:old@pbx.example', 'sip:100@pbx.example'],
  ])('%s takes the number dialled', (uri, dialled) => expect(dialledUri(uri, '100')).toBe(dialled));
});
