import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type CallServer, openCallServer, type Phone, roleOf, settle } from './calls-support.ts';
import { type ClientCall, someSdp } from './sip-compose.ts';
import type { Heard } from './sip-heard.ts';

let world: CallServer;
let anna: Phone;
let boris: Phone;
let clara: Phone;

beforeAll(async () => {
  world = await openCallServer({ config: { logLevel: 'info' } });
  const { groups } = world.estate;
  await world.person('1001', roleOf('concierge'), [groups.town]);
  await world.person('1003', roleOf('resident'), [groups.n1]);
  await world.person('1004', roleOf('resident'), [groups.n1]);
  [anna, boris, clara] = await Promise.all([world.phone('1001'), world.phone('1003'), world.phone('1004')]);
});
afterEach(() => settle(world));
afterAll(() => world.close());

async function talk(from: Phone, to: Phone): Promise<{ id: string; out: ClientCall; come: ClientCall }> {
  const id = randomUUID();
  const out = from.dial(to.number, { 'X-Speech-Id': id });
  const come = await to.incoming(id);
  await to.client.answer(come);
  expect((await from.final(out)).status).toBe(200);
  await world.row(id, ({ status }) => status === 'answered');
  return { id, out, come };
}
const towards = (direction: string, mark = 'one'): string => someSdp(mark).replace('a=sendrecv', `a=${direction}`);
/** Offers anew within a call, once more where it crossed an offer of the server (RFC 3261 section 14.1). @returns the status of the answer */
async function offer(phone: Phone, call: ClientCall, direction: string): Promise<number | null> {
  const { client } = phone;
  const branch = client.within(call, 'INVITE', { body: towards(direction) });
  const sequence = call.sequence;
  const answer = await client.next((one) => (one.status ?? 0) >= 200 && one.cseq.number === sequence && one.of('call-id') === call.callId);
  client.within(call, 'ACK', { sequence, ...(answer.status === 200 ? {} : { branch }) });
  call.sequence = sequence;
  return answer.status === 491 ? offer(phone, call, direction) : answer.status;
}
/** Waits for an offer of the server within a call and answers it. @returns its direction */
async function offered({ client }: Phone, { callId }: ClientCall, answer: string | number): Promise<string | undefined> {
  const heard: Heard = await client.next((one) => one.method === 'INVITE' && one.of('call-id') === callId && one.tag.to !== '');
  if (typeof answer === 'number') client.reply(heard, answer);
  else {
    client.reply(heard, 200, { body: towards(answer, 'two') });
    await client.next((one) => one.method === 'ACK' && one.of('call-id') === callId && one.cseq.number === heard.cseq.number);
  }
  return /^a=(sendrecv|sendonly|recvonly|inactive)/m.exec(heard.body)?.[1];
}

describe('formats', () => {
  it('one who speaks what the other does not understand is asked to speak as that one does, once the talk has begun', async () => {
    const bridge = world.media.bridge.bind(world.media);
    // The media say so of the caller.
    world.media.bridge = async (one, other) => [...(await bridge(one, other)), one];
    try {
      const { id, out, come } = await talk(anna, boris);
      expect(await offered(anna, out, 'sendrecv')).toBe('sendrecv');
      const [callee] = (world.media.asked.findLast(({ what }) => what === 'bridge')?.with ?? []) as string[];
      const asked = world.media.asked.findLast(({ what }) => what === 'offer');
      expect(asked).toMatchObject({ leg: world.telephony.exchange.call(id)?.callerLeg.id, with: [{ kind: 'webrtc' }, callee] });
      // Told once: a hold that follows is that and no more.
      expect(await offer(boris, come, 'sendonly')).toBe(200);
      expect(await offered(anna, out, 'recvonly')).toBe('sendonly');
      expect(world.media.asked.findLast(({ what }) => what === 'offer')?.with).toEqual([{ video: false, kind: 'webrtc' }, undefined]);
    } finally {
      world.media.bridge = bridge;
    }
  });
});

describe('hold', () => {
  it('is told to the other side and taken back again, by whichever side it was', async () => {
    const { out, come } = await talk(anna, boris);
    expect(await offer(anna, out, 'sendonly')).toBe(200);
    expect(await offered(boris, come, 'recvonly')).toBe('sendonly');
    // It is the media of that very leg that are offered anew.
    const [other] = (world.media.asked.findLast(({ what }) => what === 'bridge')?.with ?? []) as string[];
    expect(world.media.asked.findLast(({ what }) => what === 'offer')?.leg).toBe(other);
    expect(await offer(anna, out, 'sendrecv')).toBe(200);
    expect(await offered(boris, come, 'sendrecv')).toBe('sendrecv');
    expect(await offer(boris, come, 'inactive')).toBe(200);
    expect(await offered(anna, out, 'recvonly')).toBe('sendonly');
  });

  it('that the other side will not hear of does not end the call', async () => {
    const { id, out, come } = await talk(anna, boris);
    await offer(anna, out, 'sendonly');
    expect(await offered(boris, come, 488)).toBe('sendonly');
    await offer(anna, out, 'sendrecv');
    expect(await offered(boris, come, 'sendrecv')).toBe('sendrecv');
    expect(await world.row(id)).toMatchObject({ status: 'answered' });
  });

  it('of both at once crosses and is told to both', async () => {
    const { out, come } = await talk(anna, boris);
    const crossed = Promise.all([offer(anna, out, 'sendonly'), offer(boris, come, 'sendonly')]);
    const [offers] = await Promise.all([Promise.all([offered(anna, out, 'inactive'), offered(boris, come, 'inactive')]), crossed]);
    expect(offers).toEqual(['sendonly', 'sendonly']);
  });

  it('is over for whoever is connected elsewhere', async () => {
    const first = await talk(anna, boris);
    await offer(anna, first.out, 'sendonly');
    await offered(boris, first.come, 'recvonly');
    const second = await talk(anna, clara);
    const [person] = world.telephony.exchange.live.filter(({ id }) => id === second.id);
    if (!person) throw new Error('the second call is gone');
    await world.telephony.exchange.transfer(person, '1001', { speech_id: first.id });
    expect(await offered(boris, first.come, 'sendrecv')).toBe('sendrecv');
  });
});
