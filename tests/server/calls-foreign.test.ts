import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isFull } from '#tests/support/extent.ts';
import { type CallServer, openCallServer, type Phone, roleOf, settle } from './calls-support.ts';
import { type ClientCall, someSdp } from './sip-compose.ts';

/** Guesses of speech ids; with TESTS=full as many as a patient stranger would have in a day. */
const guesses = isFull ? 2_000 : 50;

let world: CallServer;
let panel: Phone;
let desk: Phone;
let flat: Phone;
let stranger: Phone;

beforeAll(async () => {
  world = await openCallServer({});
  const { groups } = world.estate;
  await world.number('700', { domainId: groups.north });
  await world.person('1001', roleOf('concierge'), [groups.north]);
  await world.person('3001', roleOf('resident'), [groups.n1]);
  await world.person('1005', roleOf('concierge'), [groups.south]);
  await world.panel('2001', groups.north);
  panel = await world.phone('2001');
  desk = await world.phone('1001');
  flat = await world.phone('3001');
  stranger = await world.phone('1005');
});
afterEach(() => settle(world));
afterAll(() => world.close());

/** An INVITE in the name of another number, over the connection of one's own. */
function inNameOf(phone: Phone, number: string, target: string): ClientCall {
  const { client } = phone;
  const [callId, branch, uri] = [randomUUID(), client.newBranch(), `sip:${target}@${client.domain}`];
  const from = `<sip:${number}@${client.domain}>;tag=${randomUUID().slice(0, 8)}`;
  client.send(client.compose('INVITE', uri, { callId, from, to: `<${uri}>`, sequence: 1, branch, body: someSdp() }));
  return { callId, local: from, remote: `<${uri}>`, target: uri, sequence: 1, branch, invited: 1, invite: null };
}

describe('a registered phone (P13)', () => {
  it('does not call as another number, whether or not that one is registered', async () => {
    const before = await world.rows();
    for (const number of ['1001', '3001', '2001', '9999'])
      expect([number, (await stranger.final(inNameOf(stranger, number, '3001'))).status]).toEqual([number, 403]);
    expect(await world.rows()).toEqual(before);
    expect(flat.client.heard.filter(({ method }) => method === 'INVITE')).toEqual([]);
  });

  it('of another group does not join a call whose speech id it knows: neither one that waits nor one that is talked on', async () => {
    const id = randomUUID();
    const out = panel.dial('700', { 'X-Speech-Id': id });
    const come = await desk.incoming(id);
    await world.row(id, ({ status }) => status === 'waiting');
    const join = async () => (await stranger.final(stranger.dial('700', { 'X-Speech-Id': id }))).status;
    expect(await join()).toBeGreaterThanOrEqual(400);
    await desk.client.answer(come);
    expect((await panel.final(out)).status).toBe(200);
    await world.row(id, ({ status }) => status === 'answered');
    expect(await join()).toBeGreaterThanOrEqual(400);
    expect(await world.row(id)).toMatchObject({ status: 'answered', answeredBy: '1001' });
    await panel.client.bye(out);
  });

  it(`of ${guesses} guessed speech ids finds no call`, async () => {
    const id = randomUUID();
    panel.dial('700', { 'X-Speech-Id': id });
    await desk.incoming(id);
    await world.row(id, ({ status }) => status === 'waiting');
    const statuses = new Set<number | null>();
    for (let guess = 0; guess < guesses; guess += 1)
      statuses.add((await stranger.final(stranger.dial('700', { 'X-Speech-Id': randomUUID() }))).status);
    expect([...statuses].filter((status) => status === null || status < 400)).toEqual([]);
    expect(await world.row(id)).toMatchObject({ status: 'waiting', answeredBy: null });
  });
});
