import { randomUUID } from 'node:crypto';
import type { AnyActorRef, InspectionEvent } from 'xstate';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type CallServer, openCallServer, type Phone, roleOf, settle, sipPassword, speechOf } from './calls-support.ts';
import type { ClientCall } from './sip-compose.ts';
import { until } from './sip-support.ts';
import { inTime } from '#tests/support/in-time.ts';

let world: CallServer;
const watched: InspectionEvent[] = [];
let anna: Phone;
let boris: Phone;

beforeAll(async () => {
  world = await openCallServer({ config: { logLevel: 'info' }, inspect: (event) => watched.push(event) });
  const { groups } = world.estate;
  await world.person('1001', roleOf('concierge'), [groups.town]);
  await world.person('1003', roleOf('resident'), [groups.n1]);
  await world.person('1004', roleOf('resident'), [groups.s1]);
  await world.person('1009', roleOf('resident'), [groups.n1]);
  anna = await world.phone('1001');
  boris = await world.phone('1003');
});
afterEach(() => settle(world));
afterAll(() => world.close());

/** Anna and Boris talk. */
async function talk(id = randomUUID()): Promise<{ id: string; out: ClientCall; come: ClientCall }> {
  const out = anna.dial('1003', { 'X-Speech-Id': id });
  const come = await boris.incoming();
  await boris.client.answer(come);
  expect((await anna.final(out)).status).toBe(200);
  await world.row(id, ({ status }) => status === 'answered');
  return { id, out, come };
}
const over = (id: string) => world.row(id, ({ status }) => status === 'destroyed');

describe('a call from person to person', () => {
  it('is talked and written down with all who took part', async () => {
    const id = randomUUID();
    const out = anna.dial('1003', { 'X-Speech-Id': id });
    const come = await boris.incoming();
    expect([speechOf(come.invite), come.invite?.of('x-speech-type'), come.invite?.of('x-target-callee')]).toEqual([id, 'normal', '1003']);
    await anna.client.response('INVITE', out.callId, 180);
    await boris.client.answer(come);
    expect((await anna.final(out)).of('x-speech-id')).toBe(id);
    expect(await world.row(id, ({ status }) => status === 'answered')).toMatchObject({
      answeredBy: '1003',
      callerNumber: '1001',
      calleeNumber: '1003',
    });
    expect(world.media.asked.some(({ what }) => what === 'bridge')).toBe(true);
    await anna.client.bye(out);
    await boris.end(come);
    expect(await over(id)).toMatchObject({ historyStatus: 'answered', endReason: 'hung_up', answeredByName: 'Person 1003' });
  });

  it('can be watched as a chart, with plain events and no secret in them', async () => {
    const { id, out } = await talk();
    await anna.client.bye(out);
    await over(id);
    const mine = watched.filter(({ actorRef }) => (actorRef as AnyActorRef).id === `call:${id}`);
    const states = mine.flatMap((event) =>
      event.type === '@xstate.snapshot' ? [JSON.stringify((event.snapshot as { value?: unknown }).value)] : [],
    );
    expect(states.filter((state, at) => state !== states[at - 1])).toEqual([
      '"routing"',
      '"ringing"',
      '{"claiming":"asking"}',
      '{"answered":"connecting"}',
      '{"answered":"talking"}',
      '"over"',
    ]);
    const said = JSON.stringify(mine.map((event) => ('event' in event ? event.event : null)));
    expect(said).not.toMatch(/v=0|a=fingerprint|ice-pwd/);
    expect(said).not.toContain(sipPassword);
  });

  it('makes up a speech id where none is sent, and is cancelled by its caller', async () => {
    const out = anna.dial('1003');
    const come = await boris.incoming();
    expect(speechOf(come.invite)).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
    anna.client.cancel(out);
    expect((await anna.final(out)).status).toBe(487);
    await boris.end(come);
    expect(await over(speechOf(come.invite))).toMatchObject({ historyStatus: 'cancel', endReason: 'caller_left', answeredBy: null });
  });

  it('that is over cannot be joined, and is not begun anew', async () => {
    const { id, out } = await talk();
    await anna.client.bye(out);
    await over(id);
    expect((await anna.final(anna.dial('1003', { 'X-Speech-Id': id }))).status).toBe(410);
  });

  it('may be ended by the one called', async () => {
    const { id, out, come } = await talk();
    await boris.client.bye(come);
    await anna.end(out);
    expect(await over(id)).toMatchObject({ historyStatus: 'answered' });
  });

  it.each([
    ['busy', 486, 486, 'busy', 'busy'],
    ['declined', 603, 603, 'busy', 'declined'],
    ['out of service', 480, 480, 'failed', 'unreachable'],
    ['of no common media', 488, 480, 'failed', 'unreachable'],
    ['unknown there', 404, 480, 'failed', 'unreachable'],
    ['not there in time', 408, 408, 'noanswer', 'no_answer'],
    ['out of order', 500, 480, 'failed', 'unreachable'],
    ['overloaded', 503, 480, 'failed', 'unreachable'],
    ['elsewhere', 302, 480, 'failed', 'unreachable'],
  ])('that is %s is told so to the caller (D25)', async (_, theirs, ours, status, reason) => {
    const id = randomUUID();
    const out = anna.dial('1003', { 'X-Speech-Id': id });
    const come = await boris.incoming();
    if (come.invite) boris.client.reply(come.invite, theirs, { call: come, headers: { 'Retry-After': '5', Contact: '<sip:666@evil.example>' } });
    expect((await anna.final(out)).status).toBe(ours);
    expect(await over(id)).toMatchObject({ historyStatus: status, endReason: reason });
  });

  it.each([
    ['its own number (D29)', '1001', 403],
    ['a number that there is not', '5555', 404],
    ['a number that nobody has registered', '1004', 480],
  ])('to %s is refused', async (_, number, status) => {
    const out = anna.dial(number);
    expect((await anna.final(out)).status).toBe(status);
  });

  it('to somebody out of reach of the role is refused', async () => {
    const id = randomUUID();
    const out = boris.dial('1004', { 'X-Speech-Id': id });
    expect((await boris.final(out)).status).toBe(403);
    expect(await over(id)).toMatchObject({ historyStatus: 'failed', endReason: 'forbidden' });
  });

  it('reaches the concierge from below, whatever the role says', async () => {
    const out = boris.dial('1001');
    const come = await anna.incoming();
    boris.client.cancel(out);
    expect((await boris.final(out)).status).toBe(487);
    await anna.end(come);
  });

  it('with a description that nobody understands is answered 488', async () => {
    const out = anna.dial('1003', {}, 'v=0\r\no=- 1 1 IN IP4 1.1.1.1\r\ns=-\r\nt=0 0\r\nm=audio 9 RTP/AVP 18\r\nc=IN IP4 1.1.1.1\r\n');
    expect((await anna.final(out)).status).toBe(488);
  });

  it('rings all tabs: the first that confirms has it, the others are told why they fall silent (D26)', async () => {
    const second = await world.phone('1003');
    const id = randomUUID();
    const out = anna.dial('1003', { 'X-Speech-Id': id });
    const [one, two] = await Promise.all([boris.incoming(), second.incoming()]);
    await second.client.answer(two);
    expect((await anna.final(out)).status).toBe(200);
    expect((await boris.end(one, inTime(1_000))).of('reason')).toMatch(/cause=200.*completed elsewhere/i);
    await anna.client.bye(out);
    await second.end(two);
    await over(id);
    await world.unplug(second);
  });

  it('has one winner also when both tabs answer at once (D26, F5)', async () => {
    const second = await world.phone('1003');
    for (let round = 0; round < 10; round++) {
      const id = randomUUID();
      const out = anna.dial('1003', { 'X-Speech-Id': id });
      const [one, two] = await Promise.all([boris.incoming(), second.incoming()]);
      await Promise.allSettled([boris.client.answer(one), second.client.answer(two)]);
      expect((await anna.final(out)).status).toBe(200);
      await world.row(id, ({ status }) => status === 'answered');
      await until(() => boris.ended.has(one.callId) || second.ended.has(two.callId));
      const [lost, won] = boris.ended.has(one.callId) ? [one, two] : [two, one];
      expect([boris, second].some((phone) => phone.ended.get(lost.callId)?.of('reason').includes('cause=200'))).toBe(true);
      expect([boris, second].some((phone) => phone.ended.has(won.callId))).toBe(false);
      await anna.client.bye(out);
      await over(id);
    }
    await world.unplug(second);
  });

  it('never lets more than so many ring for one caller', async () => {
    const outs = Array.from({ length: 20 }, () => anna.dial('1003'));
    await until(() => world.telephony.exchange.live.length === 20);
    expect((await anna.final(anna.dial('1003'))).status).toBe(503);
    for (const out of outs) anna.client.cancel(out);
    for (const out of outs) expect((await anna.final(out)).status).toBe(487);
  });
});
