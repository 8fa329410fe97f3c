import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type CallServer, openCallServer, type Phone, roleOf, settle } from './calls-support.ts';
import { type ClientCall, someSdp } from './sip-compose.ts';

const rounds = 10;
let world: CallServer;
let anna: Phone;
let boris: Phone;
let panel: Phone;

const page = (number: string): string => `urn:uuid:5f5d3b0e-0000-4000-8000-00000000${number}`;
beforeAll(async () => {
  world = await openCallServer({ config: { logLevel: 'info' } });
  const { groups } = world.estate;
  await world.number('700', { domainId: groups.town });
  await world.person('1001', roleOf('concierge'), [groups.town]);
  await world.person('1003', roleOf('resident'), [groups.n1]);
  await world.panel('2001', groups.north);
  [anna, boris, panel] = await Promise.all([world.phone('1001', page('1001')), world.phone('1003', page('1003')), world.phone('2001', page('2001'))]);
});
afterEach(() => settle(world));
afterAll(() => world.close());

/** The page of a phone has another network: its connection is gone without a word, and it registers anew as who it was. */
async function elsewhere(phone: Phone): Promise<Phone> {
  phone.client.kill();
  return world.phone(phone.number, page(phone.number));
}
const over = (id: string) => world.row(id, ({ status }) => status === 'destroyed');
const answered = (id: string) => world.row(id, ({ status }) => status === 'answered');
const towards = (direction: string): string => someSdp().replace('a=sendrecv', `a=${direction}`);

/** Offers anew within a call, again where it crossed an offer of the server. */
async function offer(phone: Phone, call: ClientCall, direction: string): Promise<number | null> {
  const { client } = phone;
  const branch = client.within(call, 'INVITE', { body: towards(direction) });
  const { sequence } = call;
  const said = await client.next((one) => (one.status ?? 0) >= 200 && one.cseq.number === sequence && one.of('call-id') === call.callId);
  client.within(call, 'ACK', { sequence, ...(said.status === 200 ? {} : { branch }) });
  call.sequence = sequence;
  return said.status === 491 ? offer(phone, call, direction) : said.status;
}
/** Takes offers of the server within a call until one has this direction. */
async function offered({ client }: Phone, { callId }: ClientCall, direction: string): Promise<void> {
  for (;;) {
    const heard = await client.next((one) => one.method === 'INVITE' && one.of('call-id') === callId && one.tag.to !== '');
    const theirs = /^a=(sendrecv|sendonly|recvonly|inactive)/m.exec(heard.body)?.[1];
    client.reply(heard, 200, { body: towards(theirs === 'sendonly' ? 'recvonly' : 'sendrecv') });
    await client.next((one) => one.method === 'ACK' && one.of('call-id') === callId && one.cseq.number === heard.cseq.number);
    if (theirs === direction) return;
  }
}
async function talk(): Promise<{ id: string; out: ClientCall; come: ClientCall }> {
  const id = randomUUID();
  const out = anna.dial('1003', { 'X-Speech-Id': id });
  const come = await boris.incoming(id);
  await boris.client.answer(come);
  expect((await anna.final(out)).status).toBe(200);
  await answered(id);
  return { id, out, come };
}

describe('another network', () => {
  it(`while it rings out: the call goes on over it, ${rounds} times of ${rounds}, and leaves nothing behind (D10)`, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const id = randomUUID();
      const out = anna.dial('1003', { 'X-Speech-Id': id });
      const come = await boris.incoming(id);
      anna = await elsewhere(anna);
      const acknowledged = boris.client.answer(come);
      expect((await anna.final(out)).status).toBe(200);
      await acknowledged;
      await answered(id);
      expect((await anna.client.bye(out)).status).toBe(200);
      await over(id);
      await settle(world);
    }
  });

  it('while the queue plays its tone to the caller: it waits on, is taken, and may hang up (D11)', async () => {
    const id = randomUUID();
    const out = panel.dial('700', { 'X-Speech-Id': id });
    const come = await anna.incoming(id);
    await panel.client.next((heard) => heard.status === 183 && heard.of('call-id') === out.callId);
    panel = await elsewhere(panel);
    expect((await world.row(id)).status).toBe('waiting');
    const acknowledged = anna.client.answer(come);
    expect((await panel.final(out)).status).toBe(200);
    await acknowledged;
    await answered(id);
    expect((await panel.client.bye(out)).status).toBe(200);
    await over(id);
  });

  it('while a hold is asked for: asked again from there, both sides agree on it, and on its end (D13)', async () => {
    const { id, out, come } = await talk();
    anna.client.within(out, 'INVITE', { body: towards('sendonly') });
    anna = await elsewhere(anna);
    const held = offered(boris, come, 'sendonly');
    expect(await offer(anna, out, 'sendonly')).toBe(200);
    await held;
    const free = offered(boris, come, 'sendrecv');
    expect(await offer(anna, out, 'sendrecv')).toBe(200);
    await free;
    expect((await world.row(id)).status).toBe('answered');
    await anna.client.bye(out);
    await over(id);
  });

  it('lost for SIP alone, or for sound alone: the other goes on, and each comes back by itself (D15)', async () => {
    const { id, out } = await talk();
    const asked = world.media.asked.length;
    anna = await elsewhere(anna);
    const [call] = world.telephony.exchange.live;
    const leg = call?.endsOf('1001')?.own.id ?? '';
    expect(leg).not.toBe('');
    expect(world.media.asked.slice(asked).filter(({ what }) => what === 'close' || what === 'unbridge')).toEqual([]);
    world.media.say({ type: 'disconnected', leg });
    expect(await offer(anna, out, 'sendrecv')).toBe(200);
    world.media.say({ type: 'connected', leg });
    expect((await world.row(id)).status).toBe('answered');
    expect((await anna.client.bye(out)).status).toBe(200);
    await over(id);
  });

  it('of who took a call of the queue: paused it stays paused, and the join that was lost may be asked again (D16)', async () => {
    const id = randomUUID();
    const out = panel.dial('700', { 'X-Speech-Id': id });
    const come = await anna.incoming(id);
    await anna.client.answer(come);
    expect((await panel.final(out)).status).toBe(200);
    await anna.client.bye(come);
    await world.row(id, ({ status }) => status === 'answered_waiting');
    anna = await elsewhere(anna);
    expect((await world.row(id)).status).toBe('answered_waiting');
    const lost = anna.dial('700', { 'X-Speech-Id': id });
    anna = await elsewhere(anna);
    expect((await anna.final(lost)).status).toBe(200);
    await answered(id);
    expect(panel.ended.has(out.callId)).toBe(false);
    await anna.client.bye(lost);
    await world.row(id, ({ status }) => status === 'answered_waiting');
    await panel.client.bye(out);
    await over(id);
  });
});
