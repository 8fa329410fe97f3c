import { describe, expect, it } from 'vitest';
import type { ServerCall } from '#models/call.ts';
import { invite, phoneAtWork, type PhoneAtWork, speech, waiting } from '#tests/support/phone.ts';

type Word = (desk: PhoneAtWork) => void;
const saysOfCall =
  (more: Partial<ServerCall>): Word =>
  (desk) =>
    desk.publish(waiting(1, more));
const rings =
  (more: Parameters<typeof invite>[1] = {}): Word =>
  (desk) =>
    desk.incoming(invite(1, more));

/** What the server says of each kind of call, in the order it says it, and the INVITE, which may overtake all of that or come last. */
const kinds: Record<string, { words: Record<string, Word>; ring: Word }> = {
  'a call to the desk': {
    words: { new: saysOfCall({ status: 'new' }), waiting: saysOfCall({ status: 'waiting' }) },
    ring: rings(),
  },
  'an SOS': {
    words: { new: saysOfCall({ status: 'new', sos: true }), waiting: saysOfCall({ status: 'waiting', sos: true }) },
    ring: rings({ sos: 'yes' }),
  },
  'a call that rings at a flat first': {
    words: { new: saysOfCall({ status: 'new' }), calling: saysOfCall({ status: 'calling' }), waiting: saysOfCall({ status: 'waiting' }) },
    ring: rings(),
  },
  'a call between others that is intercepted': {
    words: {
      new: saysOfCall({ status: 'new', type: 'normal', callee: '1003' }),
      calling: saysOfCall({ status: 'calling', type: 'normal', callee: '1003' }),
    },
    ring: rings({ callee: '1003' }),
  },
};

const press = (desk: PhoneAtWork): void => {
  expect(desk.call(1)?.may).toContain('call.accept');
  desk.send({ type: 'call.accept', speechId: speech(1), video: false });
};
/** What the server does with what this desk has sent: a join is let in, an answer is acknowledged; then it says who has the call. */
function decide(desk: PhoneAtWork): void {
  const leg = desk.leg(1);
  const asked = leg.input.kind === 'join' || leg.commands.some(({ type }) => type === 'leg.answer');
  expect(asked).toBe(true);
  leg.report({ type: 'leg.confirmed', at: 5_000, video: false });
  desk.publish(waiting(1, { status: 'answered', answered_by: '1001' }));
}

/** All ways to weave the ring into what is said, and the press of Answer between any two. */
const orders = Object.entries(kinds).flatMap(([kind, { words, ring }]) => {
  const said = Object.entries(words);
  return [...said.keys(), said.length].flatMap((place) => {
    const events: [string, Word][] = [...said.slice(0, place), ['INVITE', ring], ...said.slice(place)];
    return events.map((_, at) => {
      const played: [string, Word][] = [...events.slice(0, at + 1), ['press', press], ...events.slice(at + 1)];
      return { kind, order: played.map(([name]) => name).join(', '), played };
    });
  });
});

describe('Answer is there from the first word of a call, and a press of it is carried out in every order', () => {
  it.each(orders)('$kind: $order', async ({ played }) => {
    const desk = await phoneAtWork();
    for (const [, word] of played) word(desk);
    expect(desk.mirror().calls).toHaveLength(1);
    decide(desk);
    expect(desk.call(1)).toMatchObject({ status: 'active', activeAt: 5_000, takenBy: null });
    expect(desk.facts.filter(({ type }) => type === 'alert.show')).toEqual([]);
  });
});

describe('an answer under way', () => {
  it.each([
    ['of a call that rings here', rings()],
    ['of a call that waits', saysOfCall({ status: 'waiting' })],
  ])('is taken back without an end for anybody else: %s', async (_, comes) => {
    const desk = await phoneAtWork();
    saysOfCall({ status: 'waiting' })(desk);
    comes(desk);
    press(desk);
    desk.send({ type: 'call.hangUp', speechId: speech(1) });
    expect(desk.leg(1).commands.at(-1)).toEqual({ type: 'leg.hangUp' });
    expect(desk.call(1)).toMatchObject({ status: 'paused', isBusy: false });
    expect(desk.call(1)?.may).toContain('call.accept');
    expect(desk.ports.stopCall.asked).toEqual([]);
  });
});

describe('a press before the call rings here', () => {
  it('is not sent to the server before that can take it', async () => {
    const desk = await phoneAtWork();
    saysOfCall({ status: 'new' })(desk);
    press(desk);
    expect([desk.legs.length, desk.call(1)?.awaits, desk.call(1)?.isBusy]).toEqual([0, 'offer', true]);
    saysOfCall({ status: 'waiting' })(desk);
    expect(desk.leg(1).input).toMatchObject({ kind: 'join', number: '700' });
  });

  it('is over when a colleague was faster, who is named', async () => {
    const desk = await phoneAtWork();
    saysOfCall({ status: 'new' })(desk);
    press(desk);
    saysOfCall({ status: 'answered', answered_by: '1002' })(desk);
    expect(desk.call(1)).toMatchObject({ status: 'destroyed', takenBy: '1002', endReason: 'answeredElsewhere' });
  });

  it('is over when the visitor leaves', async () => {
    const desk = await phoneAtWork();
    saysOfCall({ status: 'new' })(desk);
    press(desk);
    saysOfCall({ status: 'destroyed', end_reason: 'caller_left' })(desk);
    expect(desk.call(1)).toMatchObject({ status: 'destroyed', endReason: 'cancelled' });
  });

  it('can be taken back, and the call waits as before', async () => {
    const desk = await phoneAtWork();
    saysOfCall({ status: 'calling' })(desk);
    press(desk);
    desk.send({ type: 'call.hangUp', speechId: speech(1) });
    expect(desk.call(1)).toMatchObject({ status: 'calling', isBusy: false });
    expect(desk.ports.stopCall.asked).toEqual([]);
    press(desk);
  });

  it('says so when nothing comes of it', async () => {
    const desk = await phoneAtWork();
    saysOfCall({ status: 'calling' })(desk);
    press(desk);
    desk.clock.increment(35_000);
    expect(desk.call(1)).toMatchObject({ status: 'calling', isBusy: false });
    expect(desk.facts.findLast(({ type }) => type === 'alert.show')).toMatchObject({ alert: { key: 'phone.join_failed' } });
  });

  it('asks about the current call first', async () => {
    const desk = await phoneAtWork();
    desk.dial('1003', 2);
    desk.leg(2).report({ type: 'leg.confirmed', at: 5_000, video: false });
    saysOfCall({ status: 'new' })(desk);
    press(desk);
    rings()(desk);
    desk.answer('approve');
    expect([desk.call(2)?.status, desk.call(1)?.awaits]).toEqual(['destroyed', 'answer']);
  });
});
