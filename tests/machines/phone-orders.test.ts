import { createActor, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';
import { callMirror } from '#machines/phone/call/call-mirror.ts';
import type { CallInput } from '#machines/phone/call/call-facts.ts';
import type { CallEvent } from '#machines/phone/call/call.setup.ts';
import type { CallMirror } from '#machines/phone/mirror.ts';
import type { LegEnd } from '#machines/phone/ports.ts';
import type { ServerCall } from '#models/call.ts';
import { callPorts, farBye, invite, normalInvite, speech, waiting } from '#tests/support/phone.ts';

const speechId = speech(1);
const published = (more: Partial<ServerCall>): CallEvent => ({ type: 'call.published', at: null, call: waiting(1, more) });
const ended = (more: Partial<LegEnd>): CallEvent => ({ type: 'leg.ended', at: 9_000, end: { ...farBye, ...more } });
const confirmed: CallEvent = { type: 'leg.confirmed', at: 5_000, video: false };
const mine: CallEvent = published({ status: 'answered', answered_by: '1001-tab1' });
const theirs: CallEvent = published({ status: 'answered', answered_by: '1002', answered_by_name: 'Olga Petrova' });
const destroyed: CallEvent = published({ status: 'destroyed' });

const awaiting: CallInput = { me: '1001', recallSeconds: 60, origin: 'incoming', call: invite(1) };
const normal: CallInput = { me: '1001', recallSeconds: 60, origin: 'incoming', call: normalInvite(1) };
const dialled: CallInput = { me: '1001', recallSeconds: 60, origin: 'dialled', speechId, number: '1003', video: false, at: 1_000 };
const listed: CallInput = { me: '1001', recallSeconds: 60, origin: 'listed', at: null, call: waiting(1) };
const accept: CallEvent = { type: 'call.accept', speechId, video: false };
const hold: CallEvent = { type: 'call.hold', speechId };

/** How a call comes into each of its statuses, with and without a leg. */
const standings: Record<string, { input: CallInput; way: readonly CallEvent[] }> = {
  'new, ringing from a queue': { input: awaiting, way: [] },
  'new, ringing from a person': { input: normal, way: [] },
  'new, known from the server': { input: { ...listed, call: waiting(1, { status: 'new' }) }, way: [] },
  'new, accepted before it rings': { input: { ...listed, call: waiting(1, { status: 'new' }) }, way: [accept] },
  'new, being answered': { input: awaiting, way: [accept] },
  'calling, dialled': { input: dialled, way: [] },
  'calling, known from the server': { input: { ...listed, call: waiting(1, { status: 'calling' }) }, way: [] },
  'active, normal': { input: normal, way: [accept, confirmed] },
  'active, awaiting': { input: awaiting, way: [accept, confirmed] },
  joining: { input: listed, way: [accept] },
  paused: { input: listed, way: [] },
  'paused, held by me': { input: normal, way: [accept, confirmed, hold, { type: 'leg.held', by: 'us', on: true }] },
  'active, pausing': { input: listed, way: [accept, confirmed, mine, hold] },
  processed_paused: { input: { ...listed, call: waiting(1, { status: 'answered_waiting' }) }, way: [] },
  destroyed: { input: normal, way: [ended({})] },
};

/** One happening, told by SIP on one channel and by the server on another. */
const happenings: Record<string, { pair: readonly [CallEvent, CallEvent]; in: (standing: string) => boolean }> = {
  'the far side hangs up': { pair: [ended({ cause: 'bye' }), published({ status: 'destroyed', end_reason: 'hung_up' })], in: () => true },
  'the caller gives up': { pair: [ended({ cause: 'cancelled' }), published({ status: 'destroyed', end_reason: 'caller_left' })], in: () => true },
  'the caller gives up, the server says no more': { pair: [ended({ cause: 'cancelled' }), destroyed], in: (one) => /ringing/.test(one) },
  'a colleague takes it': { pair: [ended({ cause: 'answeredElsewhere', takenBy: '1002' }), theirs], in: (one) => !/active|held/.test(one) },
  'a colleague takes it, the ring just stops': { pair: [ended({ cause: 'cancelled' }), theirs], in: (one) => /ringing/.test(one) },
  'my join is refused for a colleague': {
    pair: [ended({ cause: 'refused', status: 486 }), theirs],
    in: (one) => one === 'joining' || /answered/.test(one),
  },
  'I have it': { pair: [confirmed, mine], in: (one) => /answered|dialled|joining/.test(one) },
  'my leg breaks, the server has it waiting': {
    pair: [ended({ cause: 'transport' }), published({ status: 'answered_waiting' })],
    in: (one) => /awaiting|pausing/.test(one),
  },
  'it is paused': { pair: [ended({ by: 'us' }), published({ status: 'answered_waiting' })], in: (one) => /pausing/.test(one) },
  'the ring goes on to others': { pair: [ended({ cause: 'cancelled' }), published({ status: 'waiting' })], in: (one) => /queue/.test(one) },
  'the queue ends it while I join': {
    pair: [ended({ cause: 'refused', status: 404 }), published({ status: 'destroyed', end_reason: 'caller_left' })],
    in: (one) => one === 'joining',
  },
  'the far side holds and the server says so far': { pair: [{ type: 'leg.held', by: 'them', on: true }, mine], in: (one) => /active/.test(one) },
};

function after(input: CallInput, events: readonly CallEvent[]): CallMirror {
  const { call } = callPorts();
  const actor = createActor(call, { input, clock: new SimulatedClock() }).start();
  for (const event of events) actor.send(event);
  return callMirror(actor.getSnapshot());
}

describe('the order of what SIP and the server say does not matter (D44)', () => {
  for (const [happening, { pair, in: applies }] of Object.entries(happenings))
    for (const [standing, { input, way }] of Object.entries(standings).filter(([name]) => applies(name)))
      it(`${happening}: ${standing}`, () => {
        const [sip, server] = pair;
        const [one, other] = [after(input, [...way, sip, server]), after(input, [...way, server, sip])];
        expect(other).toEqual({ ...one, endedAt: other.endedAt });
      });

  it('any two events in any standing agree at the latest with the last word of the server', () => {
    const events = [
      ...new Map(Object.values(happenings).flatMap(({ pair }) => pair.map((event) => [JSON.stringify(event), event] as const))).values(),
    ];
    const divergent: string[] = [];
    for (const [standing, { input, way }] of Object.entries(standings))
      for (const [at, first] of events.entries())
        for (const second of events.slice(0, at)) {
          const last = [after(input, [...way, first, second, destroyed]), after(input, [...way, second, first, destroyed])];
          if (last.some(({ status }) => status !== 'destroyed')) divergent.push(`${standing}: ${first.type} ${second.type}`);
        }
    expect(divergent).toEqual([]);
  });
});

it('what a line outside said is kept, whether SIP or the server is heard first', () => {
  const refusal = { trunk: 'Line', status: 403, reason: 'Forbidden' };
  const [sip, server] = [ended({ cause: 'refused', status: 480 }), published({ status: 'destroyed', end_reason: 'unreachable', refusal })];
  for (const events of [
    [sip, server],
    [server, sip],
  ])
    expect(after(dialled, events)).toMatchObject({ status: 'destroyed', refusal });
});

describe('every refusal has its words (D25)', () => {
  it.each([
    [486, 'busy'],
    [480, 'unavailable'],
    [404, 'notFound'],
    [488, 'refused'],
    [603, 'declined'],
    [408, 'noAnswer'],
    [500, 'serverFailed'],
    [503, 'serverFailed'],
    [302, 'refused'],
    [487, 'cancelled'],
  ])('%i is %s', (status, reason) => {
    expect(after(dialled, [ended({ cause: 'refused', status })])).toMatchObject({ status: 'destroyed', endReason: reason });
  });
});

it('a browser that cannot make calls is told of as such, and not as one without sound (D31)', () => {
  const unsupported: CallEvent = { type: 'leg.microphone', trouble: 'unsupported' };
  expect(after(dialled, [unsupported, ended({ by: 'us', cause: 'media' })])).toMatchObject({ status: 'destroyed', endReason: 'unsupported' });
  expect(after(dialled, [ended({ by: 'us', cause: 'media' })])).toMatchObject({ endReason: 'noMedia' });
});

it('who rings has waited since the call began, however late this desk is offered it', () => {
  const late = { ...invite(1), at: 90_000 };
  expect(after({ ...awaiting, call: late }, []).startedAt).toBe(90_000);
  expect(after({ ...awaiting, call: late }, [published({})]).startedAt).toBe(1_000);
  expect(after(listed, [{ type: 'call.offered', call: late }]).startedAt).toBe(1_000);
});
