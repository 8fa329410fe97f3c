import { describe, expect, it } from 'vitest';
import { invite, normalInvite, phoneAtWork, type PhoneAtWork, speech } from '#tests/support/phone.ts';

const accept = (number: number) => ({ type: 'call.accept', speechId: speech(number), video: false }) as const;
const confirm = (desk: PhoneAtWork, number: number): void => desk.leg(number).report({ type: 'leg.confirmed', at: 5_000, video: false });
const asks = ({ facts }: PhoneAtWork): string[] =>
  facts.flatMap((fact) => (fact.type === 'dialog.ask' ? [fact.dialog.text.key] : fact.type === 'dialog.withdraw' ? ['withdrawn'] : []));
/** Whom the questions name: in talk, and to be talked to. */
const named = ({ facts }: PhoneAtWork): unknown[] =>
  facts.flatMap((fact) => (fact.type === 'dialog.ask' ? [[fact.dialog.text.params?.['name'], fact.dialog.text.params?.['other']]] : []));
const alerts = ({ facts }: PhoneAtWork): unknown[] => facts.flatMap((fact) => (fact.type === 'alert.show' ? [fact.alert.key] : []));
const isAsking = ({ phone }: PhoneAtWork): boolean => phone.getSnapshot().hasTag('asking');

/** Talks in call 1, and is asked about calling 1004 instead. */
async function asked(): Promise<PhoneAtWork> {
  const desk = await phoneAtWork();
  desk.dial('1003', 1);
  confirm(desk, 1);
  desk.dial('1004', 2);
  expect(asks(desk)).toEqual(['phone.ask.end']);
  return desk;
}

describe('while the phone asks what to do with the current call', () => {
  it('Answer on a call that rings replaces the question, and the answer to it takes that call', async () => {
    const desk = await asked();
    desk.incoming(normalInvite(3, { number: '1005' }));
    expect(desk.can(accept(3))).toBe(true);
    desk.send(accept(3));
    expect(asks(desk)).toEqual(['phone.ask.end', 'withdrawn', 'phone.ask.end']);
    desk.answer('approve');
    expect([desk.call(1)?.status, desk.call(3)?.awaits, desk.call(2)]).toEqual(['destroyed', 'answer', undefined]);
    expect(isAsking(desk)).toBe(false);
  });

  it('the question says with whom one would talk, of several that ring', async () => {
    const desk = await asked();
    desk.incoming(normalInvite(3, { number: '1005', name: 'Clara' }));
    desk.incoming(normalInvite(4, { number: '1006', name: 'David' }));
    for (const number of [3, 4]) desk.send(accept(number));
    expect(named(desk)).toEqual([
      ['1003', '1004'],
      ['1003', 'Clara'],
      ['1003', 'David'],
    ]);
  });

  it('Answer on an SOS replaces the question about another call', async () => {
    const desk = await asked();
    desk.incoming(normalInvite(3, { number: '1005' }));
    desk.send(accept(3));
    desk.incoming(invite(4, { sos: 'yes' }));
    desk.send(accept(4));
    desk.answer('hold');
    desk.leg(1).report({ type: 'leg.held', by: 'us', on: true });
    expect([desk.call(4)?.awaits, desk.call(3)?.isRinging, desk.call(1)?.isHeld]).toEqual(['answer', true, true]);
  });

  it('saying no to the new question keeps the current call and lets the other one ring', async () => {
    const desk = await asked();
    desk.incoming(normalInvite(3, { number: '1005' }));
    desk.send(accept(3));
    desk.answer('cancel');
    expect([desk.call(1)?.status, desk.call(3)?.isRinging, isAsking(desk)]).toEqual(['active', true, false]);
  });

  it('the question of a call that is gone is not put for the one before it again', async () => {
    const desk = await asked();
    desk.incoming(normalInvite(3, { number: '1005' }));
    desk.send(accept(3));
    desk.leg(3).report({ type: 'leg.ended', at: 9_000, end: { by: 'them', cause: 'cancelled', status: null, takenBy: null } });
    expect([isAsking(desk), desk.call(1)?.status, desk.call(2)]).toEqual([false, 'active', undefined]);
  });
});

describe('while the current call is being put aside', () => {
  async function puttingAside(): Promise<PhoneAtWork> {
    const desk = await phoneAtWork();
    desk.dial('1003', 1);
    confirm(desk, 1);
    desk.incoming(normalInvite(2, { number: '1004' }));
    desk.send(accept(2));
    desk.answer('hold');
    return desk;
  }

  it('Answer on yet another call takes the place of the one that waits, without a question', async () => {
    const desk = await puttingAside();
    desk.incoming(invite(3, { sos: 'yes' }));
    expect(desk.can(accept(3))).toBe(true);
    desk.send(accept(3));
    expect(asks(desk)).toEqual(['phone.ask.end']);
    desk.leg(1).report({ type: 'leg.held', by: 'us', on: true });
    expect([desk.call(3)?.awaits, desk.call(2)?.isRinging, desk.call(1)?.isHeld]).toEqual(['answer', true, true]);
  });

  it('calling somebody takes the place of the call that was to be answered', async () => {
    const desk = await puttingAside();
    desk.dial('1005', 3);
    desk.leg(1).report({ type: 'leg.held', by: 'us', on: true });
    expect([desk.call(3)?.status, desk.call(2)?.isRinging]).toEqual(['calling', true]);
  });
});

it('another tab that agreed to put aside a call which is no longer the one in the way hears that nothing was done', async () => {
  const desk = await phoneAtWork();
  desk.dial('1003', 1);
  desk.incoming(normalInvite(2, { number: '1004' }));
  desk.from.tabs({ type: 'tabs.commanded', command: { ...accept(2), over: { speechId: speech(9), how: 'hangUp' } } });
  expect(alerts(desk)).toEqual(['phone.line_taken']);
  expect(desk.call(2)?.isRinging).toBe(true);
});

describe('Answer on an SOS while one talks', () => {
  async function askedOfSos(): Promise<PhoneAtWork> {
    const desk = await phoneAtWork();
    desk.dial('1003', 1);
    confirm(desk, 1);
    desk.incoming(invite(2, { sos: 'yes' }));
    desk.send(accept(2));
    return desk;
  }
  const question = ({ facts }: PhoneAtWork) => facts.findLast((fact) => fact.type === 'dialog.ask')?.dialog;

  it('asks whether to hold the one and answer the other, by name, with the focus on doing so', async () => {
    const desk = await askedOfSos();
    const asked = question(desk);
    expect(asked?.text).toMatchObject({ key: 'phone.ask.sos', params: { name: expect.any(String), caller: expect.any(String) } });
    expect([asked?.focus, asked?.actions.map(({ action }) => action)]).toEqual(['hold', ['cancel', 'hold']]);
  });

  it('once more holds the current call and answers it', async () => {
    const desk = await askedOfSos();
    expect(desk.can(accept(2))).toBe(true);
    desk.send(accept(2));
    expect(asks(desk)).toEqual(['phone.ask.sos', 'withdrawn']);
    desk.leg(1).report({ type: 'leg.held', by: 'us', on: true });
    expect([desk.call(2)?.awaits, desk.call(1)?.isHeld, isAsking(desk)]).toEqual(['answer', true, false]);
  });

  it('once more on another call than an SOS asks again, and puts nothing aside', async () => {
    const desk = await asked();
    desk.incoming(normalInvite(3, { number: '1005' }));
    desk.send(accept(3));
    desk.send(accept(3));
    expect([asks(desk).at(-1), desk.call(1)?.status, isAsking(desk)]).toEqual(['phone.ask.end', 'active', true]);
  });
});
