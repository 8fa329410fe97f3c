import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { HistoryCall } from '#models/call-history.ts';
import { type CallServer, type StoredCall, openCallServer, type Phone, roleOf, settle, speechOf } from './calls-support.ts';
import type { Person } from './estate.ts';
import { type ClientCall, someSdp } from './sip-compose.ts';
import { until } from './sip-support.ts';

let world: CallServer;
let panel: Phone;
let desk: Phone;
let flat: Phone;
let neighbour: Phone;
let concierge: Person;
let resident: Person;
let manager: Person;

beforeAll(async () => {
  world = await openCallServer({ still: true, config: { logLevel: 'info' } });
  const { groups } = world.estate;
  await world.number('700', { domainId: groups.town });
  concierge = await world.person('1001', roleOf('concierge'), [groups.town]);
  resident = await world.person('1003', roleOf('resident'), [groups.n1]);
  manager = await world.person('1005', roleOf('administrator'), [groups.town]);
  await world.person('1004', roleOf('resident'), [groups.n2]);
  await world.panel('2001', groups.north);
  [panel, desk, flat, neighbour] = await Promise.all([world.phone('2001'), world.phone('1001'), world.phone('1003'), world.phone('1004')]);
});
afterEach(() => settle(world));
afterAll(() => world.close());

const over = (id: string) => world.row(id, ({ status }) => status === 'destroyed');
/** The panel has called the queue and talks to the desk. */
async function atDesk(): Promise<{ id: string; out: ClientCall; one: ClientCall }> {
  const id = randomUUID();
  const out = panel.dial('700', { 'X-Speech-Id': id });
  const one = await desk.incoming(id);
  await desk.client.answer(one);
  await panel.final(out);
  await world.row(id, ({ status }) => status === 'answered');
  return { id, out, one };
}
async function dialled(number: string, phone: Phone): Promise<{ id: string; out: ClientCall; come: ClientCall }> {
  const id = randomUUID();
  const out = desk.dial(number, { 'X-Speech-Id': id });
  const come = await phone.incoming(id);
  await phone.client.answer(come);
  await desk.final(out);
  await world.row(id, ({ status }) => status === 'answered');
  return { id, out, come };
}
const childOf = async (id: string): Promise<StoredCall> => {
  for (let look = 0; look < 200; look++) {
    const child = (await world.rows()).find(({ parentId }) => parentId === id);
    if (child) return child;
    await pause(10);
  }
  throw new Error('no call came of it');
};
/** Waits until the server names somebody within a call, and agrees. @returns who that is: the name-addr, and the speech id */
async function namedWithin({ client }: Phone, { callId }: ClientCall): Promise<{ who: string; speech: string; hold: string | undefined }> {
  const heard = await client.next((one) => one.method === 'INVITE' && one.of('call-id') === callId && one.tag.to !== '');
  client.reply(heard, 200, { body: someSdp('two') });
  return { who: heard.of('p-asserted-identity'), speech: heard.of('x-speech-id'), hold: /^a=(send\w*|inactive)/m.exec(heard.body)?.[1] };
}
const transfer = (person: Person, id: string, target: Record<string, string>) => person.client.post(`/calls/${id}/transfer`, target);

describe('a blind transfer', () => {
  it('by HTTP connects the panel to the flat; the desk is free, and both calls are on record', async () => {
    const { id, out, one } = await atDesk();
    expect((await transfer(concierge, id, { number: '1003' })).statusCode).toBe(200);
    await desk.end(one);
    const come = await flat.incoming();
    await flat.client.answer(come);
    const child = await childOf(id);
    expect(await over(id)).toMatchObject({ historyStatus: 'answered', endReason: 'transferred', answeredBy: '1001' });
    expect(await world.row(child.id, ({ status }) => status === 'answered')).toMatchObject({
      callerNumber: '2001',
      calleeNumber: '1003',
      answeredBy: '1003',
    });
    expect(speechOf(come.invite)).toBe(child.id);
    expect(panel.ended.has(out.callId)).toBe(false);
    await flat.client.bye(come);
    await panel.end(out);
    await over(child.id);
  });

  it('by REFER does the same, and tells how it went', async () => {
    const { id, one } = await atDesk();
    desk.client.within(one, 'REFER', { headers: { 'Refer-To': '<sip:1003@localhost>' } });
    expect((await desk.client.response('REFER', one.callId)).status).toBe(202);
    const notified = await desk.client.next((heard) => heard.method === 'NOTIFY' && heard.body.includes('200'));
    desk.client.reply(notified, 200);
    await desk.end(one);
    const come = await flat.incoming();
    await flat.client.answer(come);
    await world.row((await childOf(id)).id, ({ status }) => status === 'answered');
  });

  it('is taken back by the desk while it rings', async () => {
    const { id } = await atDesk();
    await transfer(concierge, id, { number: '1003' });
    const come = await flat.incoming();
    const child = await childOf(id);
    await world.row(child.id, ({ status }) => status === 'calling');
    const back = desk.dial('700', { 'X-Speech-Id': child.id });
    await desk.final(back);
    expect(await world.row(child.id, ({ status }) => status === 'answered')).toMatchObject({ answeredBy: '1001' });
    await flat.end(come);
  });

  it('comes back to the queue when nobody answers', async () => {
    const { id } = await atDesk();
    await transfer(concierge, id, { number: '1003' });
    flat.client.refuse(await flat.incoming(), 486);
    const child = await childOf(id);
    expect(await world.row(child.id, ({ status }) => status === 'waiting')).toMatchObject({ callerNumber: '2001' });
    const again = await desk.incoming(child.id);
    await desk.client.answer(again);
    expect(await world.row(child.id, ({ status }) => status === 'answered')).toMatchObject({ answeredBy: '1001' });
  });

  it('tells whoever is handed on whom it is being connected with, and no more where that one answers', async () => {
    const { id, out } = await atDesk();
    await transfer(concierge, id, { number: '1003' });
    const come = await flat.incoming();
    const child = await childOf(id);
    expect(await namedWithin(panel, out)).toEqual({ who: '"Person 1003" <sip:1003@localhost>', speech: child.id, hold: 'sendrecv' });
    await flat.client.answer(come);
    await world.row(child.id, ({ status }) => status === 'answered');
    await flat.client.bye(come);
    expect((await panel.end(out)).method).toBe('BYE');
    await expect(panel.client.next((one) => one.method === 'INVITE' && one.of('call-id') === out.callId, 10)).rejects.toThrow(/in vain/);
  });

  it('tells whoever is handed on who answers where that is another than was called', async () => {
    const { id, out } = await atDesk();
    await transfer(concierge, id, { number: '1003' });
    await namedWithin(panel, out);
    flat.client.refuse(await flat.incoming(), 486);
    const child = await childOf(id);
    await desk.client.answer(await desk.incoming(child.id));
    expect(await namedWithin(panel, out)).toMatchObject({ who: '"Person 1001" <sip:1001@localhost>', speech: child.id });
  });

  it.each([
    ['a number that there is not', '5555', 404],
    ['oneself', '1001', 422],
    ['the one who is handed over', '2001', 422],
  ])('to %s is refused and changes nothing', async (_, number, status) => {
    const { id, one } = await atDesk();
    expect((await transfer(concierge, id, { number })).statusCode).toBe(status);
    await pause(30);
    expect([desk.ended.has(one.callId), (await world.row(id)).status]).toEqual([false, 'answered']);
  });

  it('is for those who talk in the call', async () => {
    const { id } = await atDesk();
    expect((await transfer(resident, id, { number: '1004' })).statusCode).toBe(404);
    expect((await transfer(concierge, randomUUID(), { number: '1004' })).statusCode).toBe(404);
  });
});

describe('an attended transfer', () => {
  it('connects the two whom one talks to, whichever way the calls were made', async () => {
    const [first, second] = [await dialled('1003', flat), await dialled('1004', neighbour)];
    expect((await transfer(concierge, first.id, { speech_id: second.id })).statusCode).toBe(200);
    await Promise.all([desk.end(first.out), desk.end(second.out)]);
    const child = await childOf(first.id);
    expect(await world.row(child.id, ({ status }) => status === 'answered')).toMatchObject({
      callerNumber: '1003',
      calleeNumber: '1004',
      answeredBy: '1004',
    });
    expect(await over(second.id)).toMatchObject({ historyStatus: 'answered', endReason: 'transferred' });
    await until(() => world.media.asked.filter(({ what }) => what === 'bridge').length > 2);
    expect([flat.ended.has(first.come.callId), neighbour.ended.has(second.come.callId)]).toEqual([false, false]);
    await neighbour.client.bye(second.come);
    await flat.end(first.come);
    await over(child.id);
  });

  it('tells each of the two with whom it talks now, and under what speech id', async () => {
    const [first, second] = [await dialled('1003', flat), await dialled('1004', neighbour)];
    await transfer(concierge, first.id, { speech_id: second.id });
    const [one, other] = await Promise.all([namedWithin(flat, first.come), namedWithin(neighbour, second.come)]);
    expect([one.who, other.who]).toEqual(['"Person 1004" <sip:1004@localhost>', '"Person 1003" <sip:1003@localhost>']);
    const child = await childOf(first.id);
    expect([one.speech, other.speech]).toEqual([child.id, child.id]);
  });

  it('may be made again by one who was moved by the first', async () => {
    const [first, second] = [await dialled('1003', flat), await dialled('1004', neighbour)];
    await transfer(concierge, first.id, { speech_id: second.id });
    await Promise.all([namedWithin(flat, first.come), namedWithin(neighbour, second.come), desk.end(first.out), desk.end(second.out)]);
    const third = flat.dial('1001');
    await desk.client.answer(await desk.incoming());
    await flat.final(third);
    const tag = (address: string): string => /tag=([^;]+)/.exec(address)?.[1] ?? '';
    const replaces = `${first.come.callId};to-tag=${tag(first.come.remote)};from-tag=${tag(first.come.local)}`;
    flat.client.within(third, 'REFER', { headers: { 'Refer-To': `<sip:1004@localhost?Replaces=${encodeURIComponent(replaces)}>` } });
    expect((await flat.client.response('REFER', third.callId)).status).toBe(202);
    await Promise.all([flat.end(first.come), flat.end(third)]);
    expect((await namedWithin(neighbour, second.come)).who).toBe('"Person 1001" <sip:1001@localhost>');
  });

  it('into a call of others is refused', async () => {
    const { id } = await dialled('1003', flat);
    expect((await transfer(concierge, id, { speech_id: randomUUID() })).statusCode).toBe(404);
    expect((await transfer(concierge, id, { speech_id: id })).statusCode).toBe(404);
    expect((await world.row(id)).status).toBe('answered');
  });
});

describe('a visitor on hold at the desk', () => {
  /** The desk has put the visitor on hold, and talks to the flat. */
  async function asking() {
    const visitor = await atDesk();
    await desk.client.bye(visitor.one);
    await world.row(visitor.id, ({ status }) => status === 'answered_waiting');
    return { visitor, asked: await dialled('1003', flat) };
  }

  it('is connected with whoever the desk talks to; both calls are on record, and who hands on is free', async () => {
    const { visitor, asked } = await asking();
    expect((await transfer(concierge, visitor.id, { speech_id: asked.id })).statusCode).toBe(200);
    await desk.end(asked.out);
    const child = await childOf(visitor.id);
    expect(await world.row(child.id, ({ status }) => status === 'answered')).toMatchObject({
      callerNumber: '2001',
      calleeNumber: '1003',
      answeredBy: '1003',
    });
    expect(await over(visitor.id)).toMatchObject({ historyStatus: 'answered', endReason: 'transferred', answeredBy: '1001' });
    expect(await over(asked.id)).toMatchObject({ endReason: 'transferred' });
    const [atPanel, atFlat] = await Promise.all([namedWithin(panel, visitor.out), namedWithin(flat, asked.come)]);
    expect([atPanel.who, atFlat.who]).toEqual(['"Person 1003" <sip:1003@localhost>', '"Panel 2001" <sip:2001@localhost>']);
    expect([atPanel.speech, atFlat.speech]).toEqual([child.id, child.id]);
    expect([panel.ended.has(visitor.out.callId), flat.ended.has(asked.come.callId)]).toEqual([false, false]);
    await flat.client.bye(asked.come);
    await panel.end(visitor.out);
    await over(child.id);
    const { data } = (await manager.client.get('/calls/history?size=100')).json<{ data: HistoryCall[] }>();
    const rowOf = (id: string) => data.find((row) => row.id === id);
    expect(rowOf(child.id)).toMatchObject({ transferred_by: { number: '1001', name: 'Person 1001' }, transferred_to: null });
    expect(rowOf(visitor.id)).toMatchObject({ transferred_by: null, transferred_to: { number: '1003', name: 'Person 1003' } });
    expect(rowOf(asked.id)).toMatchObject({ transferred_by: null, transferred_to: null });
  });

  it('is nobody else’s to connect, nor the desk’s that has it no more', async () => {
    const { visitor, asked } = await asking();
    expect((await transfer(resident, visitor.id, { speech_id: asked.id })).statusCode).toBe(404);
    await panel.client.bye(visitor.out);
    await over(visitor.id);
    expect((await transfer(concierge, visitor.id, { speech_id: asked.id })).statusCode).toBe(404);
    expect((await world.row(asked.id)).status).toBe('answered');
  });

  it('stays on hold where whoever was asked has hung up', async () => {
    const { visitor, asked } = await asking();
    await flat.client.bye(asked.come);
    await over(asked.id);
    expect((await transfer(concierge, visitor.id, { speech_id: asked.id })).statusCode).toBe(404);
    expect((await world.row(visitor.id)).status).toBe('answered_waiting');
  });

  it('may be handed on at once, too', async () => {
    const visitor = await atDesk();
    await desk.client.bye(visitor.one);
    await world.row(visitor.id, ({ status }) => status === 'answered_waiting');
    expect((await transfer(concierge, visitor.id, { number: '1003' })).statusCode).toBe(200);
    await flat.client.answer(await flat.incoming());
    expect(await world.row((await childOf(visitor.id)).id, ({ status }) => status === 'answered')).toMatchObject({ answeredBy: '1003' });
  });
});
