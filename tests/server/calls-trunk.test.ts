import { randomUUID } from 'node:crypto';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sipTrunkGroups, sipTrunks } from '#server/db/schema/index.ts';
import { dialledUri } from '#server/telephony/calls/trunks.ts';
import { type CallServer, openCallServer, type Phone, roleOf, settle } from './calls-support.ts';
import { type Heard, readHeard } from './sip-heard.ts';

/** Somebody's SIP server at the other end of a trunk: keeps what it hears, and answers as a test says. */
interface Provider {
  port: number;
  heard: Heard[];
  send: (text: string) => void;
  answer: (request: Heard, status: number, body?: string) => void;
  next: (holds: (heard: Heard) => boolean) => Promise<Heard>;
  close: () => void;
}
const plainSdp = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  'c=IN IP4 127.0.0.1',
  't=0 0',
  'm=audio 40000 RTP/AVP 0 101',
  'a=rtpmap:0 PCMU/8000',
  'a=rtpmap:101 telephone-event/8000',
  '',
].join('\r\n');

async function openProvider(serverPort: () => number): Promise<Provider> {
  const socket: Socket = createSocket('udp4');
  const heard: Heard[] = [];
  let from: RemoteInfo | null = null;
  socket.on('message', (data, remote) => {
    from = remote;
    if (data.length > 8) heard.push(readHeard(data.toString()));
  });
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  const { port } = socket.address();
  const send = (text: string): void => socket.send(text, from?.port ?? serverPort(), '127.0.0.1');
  const taken = new Set<Heard>();
  return {
    port,
    heard,
    send,
    answer: (request, status, body = '') => {
      const vias = (request.headers.get('via') ?? []).map((via) => `Via: ${via}\r\n`).join('');
      const to = request.of('to').includes('tag=') ? request.of('to') : `${request.of('to')};tag=theirs`;
      const type = body === '' ? '' : 'Content-Type: application/sdp\r\n';
      send(
        `SIP/2.0 ${status} Said\r\n${vias}From: ${request.of('from')}\r\nTo: ${to}\r\nCall-ID: ${request.of('call-id')}\r\nCSeq: ${request.of('cseq')}\r\nContact: <sip:theirs@127.0.0.1:${port}>\r\n${type}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    },
    next: async (holds) => {
      const begun = performance.now();
      for (;;) {
        const one = heard.find((each) => !taken.has(each) && holds(each));
        if (one) {
          taken.add(one);
          return one;
        }
        if (performance.now() - begun > 5_000)
          throw new Error(`the provider waited in vain: ${heard.map(({ text }) => text.split('\r\n', 1)[0]).join(' | ')}`);
        await pause(10);
      }
    },
    close: () => socket.close(),
  };
}

let world: CallServer;
let provider: Provider;
let desk: Phone;

beforeAll(async () => {
  world = await openCallServer({ config: { sipUdp: { host: '127.0.0.1', port: 0 } } });
  provider = await openProvider(() => world.telephony.sip.ports.udp ?? 0);
  const { here, groups } = world.estate;
  await world.person('1001', roleOf('concierge'), [groups.north]);
  const [trunk] = await world.server.services.db
    .insert(sipTrunks)
    .values({ projectId: here, name: 'Line', terminationUri: `sip:127.0.0.1:${provider.port}`, outgoingNumber: '74950000000' })
    .returning();
  await world.server.services.db.insert(sipTrunkGroups).values({ trunkId: trunk?.id ?? '', groupId: groups.town });
  desk = await world.phone('1001');
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
    [486, 486, 'busy'],
    [404, 480, 'failed'],
    [503, 480, 'failed'],
  ])('that the provider answers %i is told as %i', async (theirs, ours, status) => {
    const id = randomUUID();
    const out = desk.dial('88005550000', { 'X-Speech-Id': id });
    const invite = await provider.next((heard) => heard.method === 'INVITE');
    provider.answer(invite, theirs);
    expect((await desk.final(out)).status).toBe(ours);
    expect(await world.row(id, (call) => call.status === 'destroyed')).toMatchObject({ historyStatus: status });
  });
});

describe('a call in through a trunk', () => {
  const invite = (number: string): void => {
    const lines = [
      `INVITE sip:${number}@127.0.0.1 SIP/2.0`,
      `Via: SIP/2.0/UDP 127.0.0.1:${provider.port};branch=z9hG4bK${randomUUID()}`,
      'Max-Forwards: 70',
      'From: "Outside" <sip:84951112233@127.0.0.1>;tag=a',
      `To: <sip:${number}@127.0.0.1>`,
      `Call-ID: ${randomUUID()}`,
      'CSeq: 1 INVITE',
      `Contact: <sip:out@127.0.0.1:${provider.port}>`,
      'Content-Type: application/sdp',
      `Content-Length: ${plainSdp.length}`,
    ];
    provider.send(`${lines.join('\r\n')}\r\n\r\n${plainSdp}`);
  };

  it('rings the number it names, without a password, and is written down as such', async () => {
    invite('1001');
    const come = await desk.incoming();
    expect(come.remote).toContain('84951112233');
    await desk.client.answer(come);
    const answer = await provider.next((heard) => heard.status === 200 && heard.cseq.method === 'INVITE');
    expect(answer.body).toContain('m=audio');
    const [call] = (await world.rows()).filter(({ callerNumber }) => callerNumber === '84951112233');
    expect(call).toMatchObject({ trunk: 'incoming', callerName: 'Outside', calleeNumber: '1001' });
  });

  it('to the number shown outside comes to the desk', async () => {
    await world.number('700', { domainId: world.estate.groups.town });
    await world.person('1000', roleOf('concierge'), [world.estate.groups.town]);
    const front = await world.phone('1000');
    invite('+74950000000');
    const come = await front.incoming();
    expect([come.invite?.of('x-speech-type'), come.invite?.of('x-target-callee')]).toEqual(['awaiting', '700']);
  });

  it('does not go out again', async () => {
    invite('79001112233');
    expect((await provider.next((heard) => heard.status === 404)).cseq.method).toBe('INVITE');
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
