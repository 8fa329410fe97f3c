import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { topics } from '#models/realtime.ts';
import { type CallServer, holdUpClaim, openCallServer, type Phone, roleOf, settle, speechOf, waitingFor } from './calls-support.ts';
import { type Channel, openChannel } from './channel.ts';
import type { Person } from './estate.ts';
import type { ClientCall } from './sip-compose.ts';
import type { Heard } from './sip-heard.ts';
import { until } from './sip-support.ts';

let world: CallServer;
let panel: Phone;
let first: Phone;
let second: Phone;
let front: Person;
let tower: Person;
let resident: Person;
let url: string;
const channels: Channel[] = [];

beforeAll(async () => {
  world = await openCallServer({ config: { logLevel: 'info' } });
  const { groups } = world.estate;
  await world.number('700', { domainId: groups.town });
  front = await world.person('1001', roleOf('concierge'), [groups.town]);
  tower = await world.person('1002', roleOf('concierge'), [groups.north]);
  await world.person('1005', roleOf('concierge'), [groups.south]);
  resident = await world.person('1003', roleOf('resident'), [groups.n1]);
  await world.panel('2001', groups.north);
  panel = await world.phone('2001');
  first = await world.phone('1001');
  second = await world.phone('1002');
  await world.server.app.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(world.server.app.server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const channel of channels.splice(0)) channel.ws.terminate();
  await settle(world);
});
afterAll(() => world.close());

const over = (id: string) => world.row(id, ({ status }) => status === 'destroyed');
const waits = (id: string) => world.row(id, ({ status }) => status === 'waiting');

/** The panel calls the queue; both at the desk are rung. */
async function ring(headers: Record<string, string> = {}): Promise<{ id: string; out: ClientCall; one: ClientCall; two: ClientCall }> {
  const id = randomUUID();
  const out = panel.dial('700', { 'X-Speech-Id': id, ...headers });
  const [one, two] = await Promise.all([first.incoming(id), second.incoming(id)]);
  return { id, out, one, two };
}
async function accepted(): Promise<{ id: string; out: ClientCall; one: ClientCall }> {
  const { id, out, one, two } = await ring();
  await first.client.answer(one);
  expect((await panel.final(out)).status).toBe(200);
  expect((await second.end(two)).of('reason')).toContain('Call completed elsewhere by 1001');
  await world.row(id, ({ status }) => status === 'answered');
  return { id, out, one };
}
async function paused(): Promise<{ id: string; out: ClientCall }> {
  const { id, out, one } = await accepted();
  await first.client.bye(one);
  await world.row(id, ({ status }) => status === 'answered_waiting');
  return { id, out };
}
async function listening(person: Person, topic: string): Promise<Channel> {
  const channel = await openChannel(url, person.client.token);
  channels.push(channel);
  expect(await channel.subscribe(topic)).toBe('Subscribed');
  return channel;
}
const published = (channel: Channel, id: string): string[] =>
  channel.all('CallUpdated').flatMap(({ payload: { call } }) => (call?.id === id ? [`${call.status} ${call.answered_by ?? '-'}`] : []));

describe('a panel that calls the queue', () => {
  it('is offered to all at the desk who have it in sight, listed, and shown that somebody is coming', async () => {
    const { id, out, one } = await ring();
    const early = await panel.client.next((heard: Heard) => heard.status === 183 && heard.of('call-id') === out.callId);
    expect(early.body).toContain('m=audio');
    expect(world.media.asked.findLast(({ what }) => what === 'play')?.with).toEqual(['waiting']);
    expect([one.invite?.of('x-speech-type'), speechOf(one.invite), one.invite?.of('x-target-callee')]).toEqual(['awaiting', id, '700']);
    expect(await waitingFor(front)).toMatchObject([
      { id, caller: '2001', callee: '700', type: 'awaiting', status: 'waiting', answered_by: null, group: 'town · north', info: { door: true } },
    ]);
    expect((await waitingFor(tower)).map((call) => call.id)).toEqual([id]);
    panel.client.cancel(out);
    expect((await panel.final(out)).status).toBe(487);
    await Promise.all([first.end(one), over(id)]);
    expect(await waitingFor(front)).toEqual([]);
    expect(await over(id)).toMatchObject({ historyStatus: 'cancel' });
  });

  it('is answered by one: all others fall silent, and everybody is told in order (CALL-21)', async () => {
    const [queue, own] = [await listening(front, topics.calls('700')), await listening(tower, topics.calls('1002'))];
    const { id, one } = await accepted();
    await first.client.bye(one);
    await world.row(id, ({ status }) => status === 'answered_waiting');
    expect((await front.client.post(`/calls/${id}/stop`)).statusCode).toBe(200);
    const story = ['waiting -', 'answered 1001', 'answered_waiting 1001', 'destroyed 1001'];
    await until(() => published(queue, id).length >= story.length && published(own, id).length >= story.length);
    expect(published(queue, id)).toEqual(story);
    expect(published(own, id)).toEqual(story);
    const names = queue.all('CallUpdated').map(({ payload: { call } }) => [call?.status, call?.answered_by_name]);
    expect(names).toContainEqual(['answered', 'Person 1001']);
  });

  it('waits for all again where an answer is taken back before there was talk', async () => {
    const { id, one } = await ring();
    await first.client.answer(one);
    await first.client.bye(one, { Reason: 'SIP ;cause=487; text="Request Terminated"' });
    await waits(id);
    const [again] = await Promise.all([first.incoming(id), second.incoming(id)]);
    await first.client.answer(again);
    await world.row(id, ({ status }) => status === 'answered');
    await first.client.bye(again);
    await world.row(id, ({ status }) => status === 'answered_waiting');
    // A CANCEL that crosses the answer, by one who does not acknowledge that any more.
    const join = second.dial('700', { 'X-Speech-Id': id });
    expect((await second.client.response('INVITE', join.callId, 200)).status).toBe(200);
    second.client.cancel(join);
    await waits(id);
    await first.incoming(id);
  });

  it('is on hold for whoever took it and puts it on hold before the two are joined', async () => {
    let connect = (): void => {};
    const bridge = vi.spyOn(world.media, 'bridge').mockImplementationOnce(() => new Promise((done) => (connect = () => done([]))));
    const { id, one, two } = await ring();
    await first.client.answer(one);
    await until(() => bridge.mock.calls.length === 1);
    await first.client.bye(one);
    await world.row(id, ({ status }) => status === 'answered_waiting');
    connect();
    expect((await second.end(two)).of('reason')).toContain('Call completed elsewhere by 1001');
    expect(await world.row(id)).toMatchObject({ status: 'answered_waiting', answeredBy: '1001' });
    expect((await front.client.post(`/calls/${id}/stop`)).statusCode).toBe(200);
    await over(id);
    bridge.mockRestore();
  });

  it('is on hold for whoever answers it and puts it on hold before it is known that they were the first', async () => {
    const claim = holdUpClaim();
    const { id, one, two } = await ring();
    await first.client.answer(one);
    await claim.asked();
    await first.client.bye(one);
    claim.decide();
    expect(await world.row(id, ({ status }) => status === 'answered_waiting')).toMatchObject({ answeredBy: '1001' });
    expect((await second.end(two)).of('reason')).toContain('Call completed elsewhere by 1001');
    expect((await front.client.post(`/calls/${id}/stop`)).statusCode).toBe(200);
    await over(id);
  });

  it('stays when the one who took it pauses, and goes on with whoever joins', async () => {
    const { id, out } = await paused();
    expect(world.media.asked.slice(-4).map(({ what }) => what)).toContain('play');
    const join = second.dial('700', { 'X-Speech-Id': id });
    expect((await second.final(join)).status).toBe(200);
    expect(await world.row(id, ({ status }) => status === 'answered')).toMatchObject({ answeredBy: '1002' });
    expect((await first.final(first.dial('700', { 'X-Speech-Id': id }))).status).toBe(486);
    await second.client.bye(join);
    const held = await world.row(id, ({ status }) => status === 'answered_waiting');
    // A console that comes later counts from then how long it is on hold.
    expect((await waitingFor(front)).map((call) => [call.id, call.updated_at])).toEqual([[id, Math.floor(held.updatedAt.getTime() / 1_000)]]);
    const again = first.dial('700', { 'X-Speech-Id': id });
    expect((await first.final(again)).status).toBe(200);
    expect((await front.client.post(`/calls/${id}/stop`)).statusCode).toBe(200);
    await Promise.all([first.end(again), panel.end(out)]);
    expect(await over(id)).toMatchObject({ historyStatus: 'answered', endReason: 'stopped', answeredBy: '1001' });
  });

  it('is paused and resumed thirty times without ever being dropped (D43)', async () => {
    const { id, out } = await paused();
    for (let round = 0; round < 30; round++) {
      const join = first.dial('700', { 'X-Speech-Id': id });
      expect((await first.final(join)).status).toBe(200);
      await first.client.bye(join);
      await world.row(id, ({ status }) => status === 'answered_waiting');
    }
    expect(panel.ended.has(out.callId)).toBe(false);
    expect(await world.row(id)).toMatchObject({ answeredBy: '1001' });
  });

  it('names the owner to whoever comes second', async () => {
    const { id } = await paused();
    const [one, two] = [first.dial('700', { 'X-Speech-Id': id }), second.dial('700', { 'X-Speech-Id': id })];
    const answers = await Promise.all([first.final(one), second.final(two)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 486]));
    const { answeredBy } = await world.row(id);
    expect(answers.find(({ status }) => status === 486)?.of('reason')).toContain(`answered by ${answeredBy}`);
  });

  it('rings whoever comes on duty while it waits', async () => {
    await Promise.all([world.unplug(first), world.unplug(second)]);
    const id = randomUUID();
    panel.dial('700', { 'X-Speech-Id': id });
    await waits(id);
    first = await world.phone('1001');
    await first.incoming(id);
    second = await world.phone('1002');
    expect((await second.incoming(id)).invite?.of('x-speech-type')).toBe('awaiting');
  });

  it('waits on when all at the desk decline', async () => {
    const { id, one, two } = await ring();
    first.client.refuse(one, 603);
    second.client.refuse(two, 486);
    await pause(60);
    expect(await world.row(id)).toMatchObject({ status: 'waiting' });
    const join = first.dial('700', { 'X-Speech-Id': id });
    expect((await first.final(join)).status).toBe(200);
  });

  it('rings again at a phone that gave up ringing', async () => {
    const { id, one, two } = await ring();
    first.client.refuse(one, 408);
    await first.incoming(id);
    expect(second.ended.has(two.callId)).toBe(false);
  });

  it('goes back to waiting when the one who took it is lost (D35)', async () => {
    const { id, out, one } = await accepted();
    const [call] = world.telephony.exchange.live;
    const leg = call?.endsOf('1001')?.own.id ?? '';
    world.media.say({ type: 'failed', leg });
    world.media.say({ type: 'silent', leg });
    first.client.kill();
    // The server has heard of it: what it waits for is how long that lasts.
    await pause(200);
    world.server.pass(9_000);
    await pause(100);
    expect((await world.row(id)).status).toBe('answered');
    world.server.pass(1_000);
    await second.incoming(id, 12_000);
    expect(await waits(id)).toMatchObject({ answeredBy: null });
    expect([panel.ended.has(out.callId), one.callId.length > 0]).toEqual([false, true]);
    first = await world.phone('1001');
  });

  it('is out of reach of those who do not sit at its desk', async () => {
    const { id } = await paused();
    const stranger = await world.phone('1005');
    expect((await stranger.final(stranger.dial('700', { 'X-Speech-Id': id }))).status).toBe(404);
    expect((await resident.client.get('/calls/waiting')).statusCode).toBe(403);
    expect((await resident.client.post(`/calls/${id}/stop`)).statusCode).toBe(404);
    expect((await world.row(id)).status).toBe('answered_waiting');
    stranger.client.kill();
  });

  it('that is stopped while it waits is over for all', async () => {
    const { id, out, one } = await ring();
    await waits(id);
    expect((await tower.client.post(`/calls/${id}/stop`)).statusCode).toBe(200);
    expect((await panel.final(out)).status).toBe(480);
    await first.end(one);
    expect(await over(id)).toMatchObject({ historyStatus: 'cancel', endReason: 'stopped' });
    expect((await tower.client.post(`/calls/${id}/stop`)).statusCode).toBe(200);
  });
});

describe('an SOS call', () => {
  it('goes to the desk whatever was dialled, first in every list, and says so to all who are rung (D41)', async () => {
    const calm = await ring();
    const id = randomUUID();
    const other = await world.phone('2001');
    other.dial('1', { 'X-Speech-Id': id, 'X-SOS-Call': '1' });
    const come = await first.incoming(id);
    expect([come.invite?.of('x-sos-call'), speechOf(come.invite)]).toEqual(['1', id]);
    expect((await waitingFor(front)).map((call) => [call.id, call.sos])).toEqual([
      [id, true],
      [calm.id, false],
    ]);
    expect(await world.row(id)).toMatchObject({ sos: true, type: 'awaiting', calleeNumber: '700' });
    other.client.kill();
  });

  it('reaches also somebody who talks (D41)', async () => {
    const { id } = await accepted();
    const sos = randomUUID();
    const other = await world.phone('2001');
    other.dial('700', { 'X-Speech-Id': sos, 'X-SOS-Call': '1' });
    await first.incoming(sos);
    expect((await world.row(id)).status).toBe('answered');
    other.client.kill();
  });
});

describe('a person', () => {
  it('cannot make a call of theirs an SOS call', async () => {
    const phone = await world.phone('1003');
    const id = randomUUID();
    phone.dial('700', { 'X-Speech-Id': id, 'X-SOS-Call': '1' });
    expect((await first.incoming(id)).invite?.of('x-sos-call')).toBe('');
    expect((await world.row(id)).sos).toBe(false);
    phone.client.kill();
  });
});

describe('a restart', () => {
  it('leaves no ghost: what ran is over, with the reason', async () => {
    const { id } = await accepted();
    const ghost = randomUUID();
    const row = await world.row(id);
    await world.server.services.db
      .insert((await import('#server/db/schema/index.ts')).calls)
      .values({ ...row, id: ghost, status: 'waiting', answeredAt: null, answeredBy: null });
    await world.restart();
    expect(await world.row(id)).toMatchObject({ status: 'destroyed', historyStatus: 'answered', endReason: 'server_stopped' });
    expect(await world.row(ghost)).toMatchObject({ status: 'destroyed', historyStatus: 'failed', endReason: 'server_restarted' });
    expect(await waitingFor(front)).toEqual([]);
    [panel, first, second] = await Promise.all([world.phone('2001'), world.phone('1001'), world.phone('1002')]);
  });
});
