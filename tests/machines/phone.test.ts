import { backTo, connectionOf, onHoldHere } from '#machines/phone/line.ts';
import type { CallMirror } from '#machines/phone/mirror.ts';
import type { CallInfo } from '#models/call.ts';
import { uuid } from '#tests/support/people.ts';
import { describe, expect, it } from 'vitest';
import { concierge, farBye, invite, normalInvite, phoneAtWork, type PhoneAtWork, resident, speech, waiting } from '#tests/support/phone.ts';
import { settled } from '#tests/support/ports.ts';

const confirm = (desk: PhoneAtWork, number: number): void => desk.leg(number).report({ type: 'leg.confirmed', at: 5_000, video: false });
const accept = (number: number) => ({ type: 'call.accept', speechId: speech(number), video: false }) as const;
function here<T>(one: T | null | undefined): T {
  if (one === null || one === undefined) throw new Error('it is not there');
  return one;
}
const alerts = ({ facts }: PhoneAtWork): unknown[] =>
  facts.flatMap((fact) => (fact.type === 'alert.show' ? [fact.alert.key ?? fact.alert.problem?.code] : []));
const dialogs = ({ facts }: PhoneAtWork): string[] => facts.flatMap((fact) => (fact.type === 'dialog.ask' ? [fact.dialog.text.key] : []));

describe('a dialled call', () => {
  it('calls, is active once confirmed, is destroyed by the far side and leaves five seconds later', async () => {
    const desk = await phoneAtWork();
    desk.dial('1003', 1);
    expect(desk.leg(1).input).toEqual({ kind: 'dial', speechId: speech(1), video: false, number: '1003' });
    expect(desk.call(1)).toMatchObject({ status: 'calling', direction: 'outgoing', type: 'normal' });
    desk.leg(1).report({ type: 'leg.progress' });
    expect(desk.call(1)?.isProgressing).toBe(true);
    confirm(desk, 1);
    expect(desk.call(1)).toMatchObject({ status: 'active', activeAt: 5_000 });
    desk.leg(1).report({ type: 'leg.ended', end: farBye, at: 9_000 });
    expect(desk.call(1)).toMatchObject({ status: 'destroyed', endReason: 'farHungUp', endedAt: 9_000 });
    expect(desk.live()).toBe(0);
    desk.clock.increment(4_999);
    expect(desk.call(1)).toBeDefined();
    desk.clock.increment(1);
    desk.clock.increment(10_000);
    expect(desk.call(1)).toBeUndefined();
  });

  it('to the own number is refused with the words for it (D29)', async () => {
    const desk = await phoneAtWork();
    desk.dial('1001', 1);
    expect(alerts(desk)).toEqual(['interface.unable_to_call_your_number']);
    expect(desk.mirror().calls).toEqual([]);
  });

  it.each(['', 'abc', '1'.repeat(40), 'sip:1003@evil', '1003%00', '1003\r\nX: y', ' 1003'])(
    'to %j is not possible, whoever asks (D29)',
    async (number) => {
      const desk = await phoneAtWork();
      expect(desk.can({ type: 'phone.dial', number, video: false, speechId: speech(1), at: 0 })).toBe(false);
      desk.dial(number, 1);
      desk.from.tabs({ type: 'tabs.commanded', command: { type: 'phone.dial', number, video: false, speechId: speech(2), at: 0 } });
      expect(desk.legs).toEqual([]);
    },
  );

  it('pressed twice is one call (D27)', async () => {
    const desk = await phoneAtWork();
    desk.dial('1003', 1);
    desk.dial('1003', 2);
    expect(desk.legs.length).toBe(1);
    expect(dialogs(desk)).toEqual([]);
  });

  it('empties the keypad, which keeps the number for the next video press', async () => {
    const desk = await phoneAtWork();
    const keypad = desk.phone.getSnapshot().children.keypad;
    keypad?.send({ type: 'keypad.paste', text: ' +44 (20) 1003 ' });
    expect(keypad?.getSnapshot().context.typed).toBe('+44201003');
    keypad?.send({ type: 'keypad.paste', text: 'sip:1003@evil' });
    keypad?.send({ type: 'keypad.call', speechId: speech(1), at: 1 });
    expect(desk.leg(1).input).toMatchObject({ number: '+44201003', video: false });
    expect(keypad?.getSnapshot().context).toMatchObject({ typed: '', last: '+44201003' });
    keypad?.send({ type: 'keypad.erase' });
    keypad?.send({ type: 'keypad.video', speechId: speech(2), at: 1 });
    expect(keypad?.getSnapshot().context.typed).toBe('+44201003');
  });

  it('is remembered by the browser for this number: after a reload it is there to be called again', async () => {
    const dialled = new Map<string, string>();
    const desk = await phoneAtWork(concierge, [], null, dialled);
    desk.dial('1003', 1);
    const last = (one: PhoneAtWork) => one.phone.getSnapshot().children.keypad?.getSnapshot().context.last;
    desk.phone.stop();
    expect(last(await phoneAtWork(concierge, [], null, dialled))).toBe('1003');
    expect(last(await phoneAtWork(resident, [], null, dialled))).toBeNull();
    expect(last(await phoneAtWork(concierge, [], null, new Map([['1001', 'sip:evil']])))).toBeNull();
  });

  it('is not possible while the number is not registered', async () => {
    const desk = await phoneAtWork();
    desk.from.agent({ type: 'sip.failed', invalid: false, chance: 0.5 });
    expect(desk.can({ type: 'phone.dial', number: '1003', video: false, speechId: speech(1), at: 0 })).toBe(false);
  });
});

describe('one call is active', () => {
  it('a normal call is asked about, and ended when the person agrees (D28)', async () => {
    const desk = await phoneAtWork();
    desk.dial('1003', 1);
    confirm(desk, 1);
    desk.incoming(normalInvite(2));
    expect(desk.heard.tone).toBe('waiting');
    desk.send(accept(2));
    expect(dialogs(desk)).toEqual(['phone.ask.end']);
    desk.answer('approve');
    expect(desk.call(1)).toMatchObject({ status: 'destroyed', endReason: 'hungUp' });
    expect(desk.leg(2).commands).toEqual([{ type: 'leg.answer', video: false }]);
    expect(desk.heard.tone).toBeNull();
  });

  it('declining changes nothing (D28)', async () => {
    const desk = await phoneAtWork();
    desk.dial('1003', 1);
    confirm(desk, 1);
    desk.dial('1004', 2);
    desk.answer('cancel');
    expect(desk.call(1)?.status).toBe('active');
    expect(desk.call(2)).toBeUndefined();
    desk.dial('1004', 3);
    expect(dialogs(desk).length).toBe(2);
  });

  it('a normal call is held if the person chooses so, and the other one waits for the hold to be agreed', async () => {
    const desk = await phoneAtWork();
    desk.dial('1003', 1);
    confirm(desk, 1);
    desk.dial('1004', 2);
    desk.answer('hold');
    expect(desk.call(1)).toMatchObject({ status: 'active', awaits: 'hold', isHeld: false });
    expect(desk.call(2)).toBeUndefined();
    desk.leg(1).report({ type: 'leg.held', by: 'us', on: true });
    expect(desk.call(1)).toMatchObject({ status: 'paused', isHeld: true });
    expect(desk.call(2)?.status).toBe('calling');
  });

  it('a failed hold keeps the call and drops the other one', async () => {
    const desk = await phoneAtWork();
    desk.dial('1003', 1);
    confirm(desk, 1);
    desk.dial('1004', 2);
    desk.answer('hold');
    desk.leg(1).report({ type: 'leg.holdFailed' });
    expect(desk.call(1)).toMatchObject({ status: 'active', awaits: null });
    expect(alerts(desk)).toEqual(['phone.hold_failed']);
    expect(desk.call(2)).toBeUndefined();
  });

  it('an awaiting active call is paused (D28)', async () => {
    const desk = await phoneAtWork(concierge, [waiting(1), waiting(2)]);
    desk.send(accept(1));
    expect(desk.leg(1).input).toEqual({ kind: 'join', speechId: speech(1), video: false, number: '700' });
    expect(desk.call(1)?.status).toBe('joining');
    confirm(desk, 1);
    desk.send(accept(2));
    expect(dialogs(desk)).toEqual(['phone.ask.pause']);
    desk.answer('approve');
    expect(desk.call(1)).toMatchObject({ status: 'active', awaits: 'pause' });
    desk.leg(1).report({ type: 'leg.ended', end: { ...farBye, by: 'us' }, at: 6_000 });
    expect(desk.call(1)).toMatchObject({ status: 'processed_paused', isMine: true });
    expect(desk.call(2)).toMatchObject({ status: 'joining', isMine: false });
  });

  it('is not asked about where the press says it already: an awaiting call is paused, and who is called may be connected with it', async () => {
    const desk = await phoneAtWork(concierge, [waiting(1)]);
    desk.send(accept(1));
    confirm(desk, 1);
    desk.send({ type: 'phone.dial', number: '1003', video: false, speechId: speech(2), at: 5_000, over: { speechId: speech(1), how: 'hold' } });
    desk.leg(1).report({ type: 'leg.ended', end: { ...farBye, by: 'us' }, at: 6_000 });
    expect(desk.leg(2).input).toMatchObject({ kind: 'dial', number: '1003' });
    const talk = (): CallMirror => here(desk.call(2));
    const visitor = (): CallMirror => here(desk.call(1));
    expect(connectionOf(talk(), visitor())).toBeNull();
    confirm(desk, 2);
    expect(onHoldHere(desk.mirror().calls)).toEqual([visitor()]);
    desk.send(here(connectionOf(talk(), visitor())));
    expect(desk.ports.connectCalls.asked).toEqual([{ speechId: speech(1), with: speech(2) }]);
    expect(desk.call(1)?.awaits).toBe('transfer');
    // The server ends the leg of the talk, and says of both calls what became of them, in any order.
    desk.publish(waiting(2, { type: 'normal', caller: '1001', callee: '1003', status: 'destroyed', end_reason: 'transferred' }));
    desk.leg(2).report({ type: 'leg.ended', end: farBye, at: 7_000 });
    await desk.ports.connectCalls.answer();
    expect([desk.call(1), desk.call(2)]).toMatchObject([{ endReason: 'transferred' }, { endReason: 'transferred' }]);
    expect(dialogs(desk)).toEqual([]);
  });

  it('ends with one press that goes back to who is on hold, also while it rings there', async () => {
    const desk = await phoneAtWork(concierge, [waiting(1, { status: 'answered_waiting', answered_by: '1001' })]);
    desk.dial('1003', 2);
    desk.send(backTo(here(desk.call(1)), here(desk.call(2))));
    expect(desk.call(2)).toMatchObject({ status: 'destroyed', endReason: 'cancelled' });
    expect(desk.leg(1).input).toMatchObject({ kind: 'join', number: '700' });
    expect(dialogs(desk)).toEqual([]);
  });

  it('goes on by itself when the call in the way ends while the question stands', async () => {
    const desk = await phoneAtWork();
    desk.dial('1003', 1);
    confirm(desk, 1);
    desk.incoming(normalInvite(2));
    desk.send(accept(2));
    desk.leg(1).report({ type: 'leg.ended', end: farBye, at: 6_000 });
    expect(desk.facts.some(({ type }) => type === 'dialog.withdraw')).toBe(true);
    expect(desk.leg(2).commands.map(({ type }) => type)).toEqual(['leg.answer']);
  });

  it('takes the question back when the other call is gone', async () => {
    const desk = await phoneAtWork();
    desk.dial('1003', 1);
    confirm(desk, 1);
    desk.incoming(normalInvite(2));
    desk.send(accept(2));
    desk.leg(2).report({ type: 'leg.ended', end: { ...farBye, cause: 'cancelled' }, at: 6_000 });
    expect(desk.facts.map(({ type }) => type)).toContain('dialog.withdraw');
    expect(desk.phone.getSnapshot().hasTag('asking')).toBe(false);
    expect(desk.call(1)?.status).toBe('active');
  });
});

describe('what the server tells', () => {
  it('lists waiting calls, SOS first, then the oldest', async () => {
    const desk = await phoneAtWork(concierge, [waiting(3), waiting(2), waiting(4, { sos: true })]);
    expect(desk.mirror().calls.map(({ speechId }) => speechId)).toEqual([speech(4), speech(2), speech(3)]);
    expect(desk.mirror().calls.every(({ status }) => status === 'paused')).toBe(true);
  });

  it('one answer, silence everywhere: who took it is named, and the bell is still within the event', async () => {
    const desk = await phoneAtWork();
    desk.incoming(invite(1));
    expect(desk.heard.tone).toBe('call');
    desk.publish(waiting(1, { status: 'answered', answered_by: '1002-desk2', answered_by_name: 'Olga Petrova' }));
    expect(desk.call(1)).toMatchObject({ takenByName: 'Olga Petrova' });
    expect(desk.heard.tone).toBeNull();
    expect(desk.call(1)).toMatchObject({ status: 'destroyed', endReason: 'answeredElsewhere', takenBy: '1002' });
    expect(desk.said.notifier.map(({ type }) => type)).toEqual(['notifier.show', 'notifier.close']);
  });

  it('a call I was in before the reload is offered to be joined again (D36)', async () => {
    const desk = await phoneAtWork(concierge, [waiting(1, { status: 'answered', answered_by: '1001' })]);
    expect(desk.call(1)).toMatchObject({ status: 'processed_paused', isRejoin: true });
    expect(desk.call(1)?.may).toContain('call.resume');
  });

  it('a call that the reload left on hold is offered to be joined again, and calls back; one put on hold here is resumed', async () => {
    const desk = await phoneAtWork(concierge, [waiting(1, { status: 'answered_waiting', answered_by: '1001' })]);
    expect(desk.call(1)).toMatchObject({ status: 'processed_paused', isRejoin: true });
    desk.clock.increment(60_000);
    expect(desk.call(1)?.isRecalling).toBe(true);
    desk.send({ type: 'call.resume', speechId: speech(1) });
    confirm(desk, 1);
    desk.send({ type: 'call.hold', speechId: speech(1) });
    desk.leg(1).report({ type: 'leg.ended', end: { ...farBye, by: 'us' }, at: 6_000 });
    expect(desk.call(1)).toMatchObject({ status: 'processed_paused', isRejoin: false, isMine: true });
  });

  it('what does not wait any more after a gap is gone', async () => {
    const desk = await phoneAtWork(concierge, [waiting(1), waiting(2)]);
    desk.phone.send({ type: 'realtime.resynced', topics: ['calls-management.700'] });
    expect(desk.mirror().isCurrent).toBe(false);
    await desk.ports.readPhoneSettings.answer({ queues: [], recall_seconds: 60 });
    await desk.ports.readWaiting.answer({ calls: [waiting(2)], at: null });
    expect(desk.mirror().isCurrent).toBe(true);
    expect(desk.call(1)?.status).toBe('destroyed');
    expect(desk.call(2)?.status).toBe('paused');
  });

  it('what was told during a reading counts more than what it answers', async () => {
    const desk = await phoneAtWork(concierge, [waiting(1)]);
    desk.phone.send({ type: 'realtime.resynced', topics: ['calls-management.700'] });
    await desk.ports.readPhoneSettings.answer({ queues: [], recall_seconds: 60 });
    desk.publish(waiting(1, { status: 'destroyed' }));
    await desk.ports.readWaiting.answer({ calls: [waiting(1)], at: null });
    expect(desk.call(1)?.status).toBe('destroyed');
  });

  it('a stop that fails is told once, the call goes, and what waits is read again: no ghost stays (D42)', async () => {
    const desk = await phoneAtWork(concierge, [waiting(1)]);
    desk.send({ type: 'call.hangUp', speechId: speech(1) });
    expect(desk.call(1)).toMatchObject({ status: 'destroyed', awaits: 'stop' });
    await desk.ports.stopCall.refuse({ code: 'internal' });
    expect(alerts(desk)).toEqual(['internal']);
    expect(desk.call(1)?.status).toBe('destroyed');
    await desk.ports.readPhoneSettings.answer({ queues: [], recall_seconds: 60 });
    await desk.ports.readWaiting.answer({ calls: [], at: null });
    desk.clock.increment(5_000);
    expect(desk.call(1)).toBeUndefined();
  });

  it('a stop that is never answered is told once, and the call goes (D42)', async () => {
    const desk = await phoneAtWork(concierge, [waiting(1)]);
    desk.send({ type: 'call.hangUp', speechId: speech(1) });
    await desk.ports.readInterception.answer({ isActive: false, groups: [], userGroups: [] });
    desk.clock.increment(60_000);
    expect(alerts(desk)).toEqual(['timeout']);
    await desk.ports.readPhoneSettings.answer({ queues: [], recall_seconds: 60 });
    await desk.ports.readWaiting.answer({ calls: [], at: null });
    desk.clock.increment(5_000);
    await desk.ports.stopCall.refuse({ code: 'internal' }).catch(() => {});
    expect([desk.call(1), alerts(desk)]).toEqual([undefined, ['timeout']]);
  });

  it('a stop that failed and left the call waiting brings it back (D42)', async () => {
    const desk = await phoneAtWork(concierge, [waiting(1)]);
    desk.send({ type: 'call.hangUp', speechId: speech(1) });
    await desk.ports.stopCall.refuse({ code: 'internal' });
    await desk.ports.readPhoneSettings.answer({ queues: [], recall_seconds: 60 });
    await desk.ports.readWaiting.answer({ calls: [waiting(1)], at: null });
    expect(desk.call(1)?.status).toBe('paused');
  });

  it('is read for a front desk only', async () => {
    const desk = await phoneAtWork(resident);
    expect(desk.ports.readPhoneSettings.asked).toEqual([]);
    expect(desk.mirror().isCurrent).toBe(true);
  });

  it('a call of a group that is intercepted can be joined until somebody answers; calls of my own come by SIP', async () => {
    const desk = await phoneAtWork();
    desk.publish(waiting(1, { type: 'normal', status: 'calling', callee: '3007' }));
    desk.publish(waiting(2, { type: 'normal', status: 'calling', callee: '1001' }));
    desk.publish(waiting(3, { type: 'normal', status: 'calling', callee: '3007', caller: '1001' }));
    expect(desk.mirror().calls.map(({ speechId }) => speechId)).toEqual([speech(1)]);
    expect(desk.call(1)).toMatchObject({ status: 'calling' });
    expect(desk.call(1)?.may).toContain('call.accept');
    desk.publish(waiting(1, { type: 'normal', status: 'answered', answered_by: '3007', callee: '3007' }));
    expect(desk.call(1)).toMatchObject({ status: 'destroyed', endReason: 'answeredElsewhere' });
    const atHome = await phoneAtWork(resident);
    atHome.publish(waiting(1, { type: 'normal', status: 'calling', callee: '3007' }));
    expect(atHome.mirror().calls).toEqual([]);
  });

  it('fifty calls at once are all there, none twice (D39)', async () => {
    const desk = await phoneAtWork(
      concierge,
      Array.from({ length: 50 }, (_, at) => waiting(at + 1)),
    );
    expect(new Set(desk.mirror().calls.map(({ speechId }) => speechId)).size).toBe(50);
  });

  it('several words about a new call in one batch make one call', async () => {
    const desk = await phoneAtWork();
    const words = [waiting(1, { status: 'new' }), waiting(1, { status: 'calling' }), waiting(1)];
    desk.phone.send({
      type: 'realtime.events',
      events: words.map((call) => ({ topic: 'calls-management.700', name: 'CallUpdated' as const, payload: { ...call } })),
    });
    expect(desk.mirror().calls.map(({ status }) => status)).toEqual(['paused']);
  });
});

describe('in talk', () => {
  const talking = async (more = {}): Promise<PhoneAtWork> => {
    const desk = await phoneAtWork();
    desk.incoming(normalInvite(1, more));
    desk.send(accept(1));
    confirm(desk, 1);
    return desk;
  };

  it('silence of four seconds is told in each direction', async () => {
    const desk = await talking();
    desk.leg(1).report({ type: 'leg.flow', incoming: false, outgoing: true });
    desk.clock.increment(3_999);
    expect(desk.call(1)).toMatchObject({ hears: true, isHeard: true });
    desk.clock.increment(1);
    expect(desk.call(1)).toMatchObject({ hears: false, isHeard: true });
    desk.leg(1).report({ type: 'leg.flow', incoming: true, outgoing: false });
    desk.clock.increment(4_000);
    expect(desk.call(1)).toMatchObject({ hears: true, isHeard: false });
  });

  it('a broken path is told, ICE starts anew after four seconds, and the call ends fifteen seconds later (D7, F2)', async () => {
    const desk = await talking();
    desk.leg(1).report({ type: 'leg.path', state: 'disconnected' });
    expect(desk.call(1)?.path).toBe('disconnected');
    desk.clock.increment(4_000);
    expect(desk.leg(1).commands.at(-1)).toEqual({ type: 'leg.restartIce' });
    desk.clock.increment(14_999);
    expect(desk.call(1)).toMatchObject({ status: 'active', path: 'restarting' });
    desk.clock.increment(1);
    expect(desk.call(1)).toMatchObject({ status: 'destroyed', endReason: 'mediaLost' });
    expect(desk.live()).toBe(0);
  });

  it('a path that comes back goes on', async () => {
    const desk = await talking();
    desk.leg(1).report({ type: 'leg.path', state: 'failed' });
    desk.clock.increment(10_000);
    desk.leg(1).report({ type: 'leg.path', state: 'connected' });
    desk.clock.increment(60_000);
    expect(desk.call(1)).toMatchObject({ status: 'active', path: 'connected' });
  });

  it('a path that is never found ends the call within 20 s, with its reason (D9)', async () => {
    const [found, lost] = [await talking(), await talking()];
    found.leg(1).report({ type: 'leg.path', state: 'connected' });
    for (const { clock } of [found, lost]) clock.increment(14_999);
    expect(lost.call(1)).toMatchObject({ status: 'active' });
    for (const { clock } of [found, lost]) clock.increment(1);
    expect(found.call(1)).toMatchObject({ status: 'active' });
    expect(lost.call(1)).toMatchObject({ status: 'destroyed', endReason: 'mediaLost' });
    expect(lost.live()).toBe(0);
  });

  it.each<[string, CallInfo, boolean]>([
    ['a person', { address: null, user: { id: uuid(3), name: 'Boris Hale' } }, false],
    ['a panel', { address: 'Tower A · Lobby', user: null, door: true }, true],
    ['a device without a door', { address: 'Tower A · Camera', user: null, door: false }, false],
    ['a number outside', { address: null, user: null, door: false }, false],
    ['a place, on a server that says nothing of doors', { address: 'Tower A', user: null }, true],
    ['a number outside, on such a server', { address: null, user: null }, false],
  ])('%s that is called has a door to open, or none', async (_, info, may) => {
    const desk = await phoneAtWork();
    desk.dial('1003', 1);
    confirm(desk, 1);
    // Before it is known who is there, there is no door.
    expect(desk.call(1)?.may).not.toContain('call.openDoor');
    await desk.ports.readCallInfo.answer(info);
    expect(desk.call(1)?.may.includes('call.openDoor')).toBe(may);
  });

  it('a caller from outside has no door to open, also once the server tells of the call', async () => {
    const desk = await phoneAtWork();
    desk.incoming(invite(1, { number: '+442079460958', name: null }));
    desk.send(accept(1));
    confirm(desk, 1);
    desk.publish(
      waiting(1, { status: 'answered', answered_by: '1001', caller: '+442079460958', group: null, info: { address: null, user: null, door: false } }),
    );
    expect(desk.call(1)?.may).not.toContain('call.openDoor');
  });

  it('the door opens by one # of 160 ms (D46) and is never shown open before the device said so', async () => {
    const desk = await talking();
    await desk.ports.readCallInfo.answer({ address: 'Tower A', user: null, door: true });
    desk.send({ type: 'call.openDoor', speechId: speech(1) });
    expect(desk.leg(1).commands.at(-1)).toEqual({ type: 'leg.dtmf', tone: '#', duration: 160 });
    expect(desk.call(1)?.door).toBe('sent');
    desk.doorOpened(2);
    expect(desk.call(1)?.door).toBe('sent');
    desk.doorOpened(1);
    expect(desk.call(1)?.door).toBe('confirmed');
    desk.clock.increment(5_000);
    desk.send({ type: 'call.openDoor', speechId: speech(1) });
    desk.clock.increment(5_000);
    expect(desk.call(1)?.door).toBe('unconfirmed');
    // Late is better than never; whoever opened it, all in the call see it.
    desk.doorOpened(1);
    expect(desk.call(1)?.door).toBe('confirmed');
  });

  it('a key of the keypad lasts a second (D46)', async () => {
    const desk = await talking();
    desk.send({ type: 'call.dtmf', speechId: speech(1), tone: '5' });
    expect(desk.leg(1).commands.at(-1)).toEqual({ type: 'leg.dtmf', tone: '5', duration: 1_000 });
  });

  it('mute, volume and camera are done and shown', async () => {
    const desk = await talking();
    desk.send({ type: 'call.mute', speechId: speech(1), on: true });
    desk.send({ type: 'call.volume', speechId: speech(1), level: 0.5 });
    desk.send({ type: 'call.camera', speechId: speech(1), on: true });
    desk.leg(1).report({ type: 'leg.camera', on: true });
    desk.leg(1).report({ type: 'leg.microphone', trouble: 'lost' });
    expect(desk.call(1)).toMatchObject({ isMuted: true, volume: 0.5, hasCamera: true, microphone: 'lost' });
  });

  it('a hold is shown when it is agreed, and the resume too', async () => {
    const desk = await talking();
    desk.send({ type: 'call.hold', speechId: speech(1) });
    expect(desk.leg(1).commands.at(-1)).toEqual({ type: 'leg.hold', on: true });
    expect(desk.call(1)?.may).not.toContain('call.hold');
    desk.leg(1).report({ type: 'leg.held', by: 'us', on: true });
    expect(desk.call(1)).toMatchObject({ status: 'paused', isHeld: true });
    desk.send({ type: 'call.resume', speechId: speech(1) });
    expect(desk.call(1)?.awaits).toBe('resume');
    desk.leg(1).report({ type: 'leg.held', by: 'us', on: false });
    expect(desk.call(1)).toMatchObject({ status: 'active', isHeld: false });
  });

  it('is handed on blind, or connected with another call of mine', async () => {
    const desk = await talking();
    desk.send({ type: 'call.transfer', speechId: speech(1), to: '1004' });
    expect(desk.leg(1).commands.at(-1)).toEqual({ type: 'leg.refer', to: '1004', replaces: null });
    desk.leg(1).report({ type: 'leg.transferFailed' });
    expect(alerts(desk)).toEqual(['phone.transfer_failed']);
    desk.send({ type: 'call.hold', speechId: speech(1) });
    desk.leg(1).report({ type: 'leg.held', by: 'us', on: true });
    desk.dial('1004', 2);
    confirm(desk, 2);
    desk.send({ type: 'call.connect', speechId: speech(1), with: speech(2) });
    expect(desk.leg(1).commands.at(-1)).toEqual({ type: 'leg.refer', to: '1004', replaces: speech(2) });
    desk.leg(1).report({ type: 'leg.transferred' });
    expect(desk.call(1)).toMatchObject({ status: 'destroyed', endReason: 'transferred' });
  });

  it('a change of role or licence drops nothing; the phone goes when nobody is on the line', async () => {
    const desk = await talking();
    desk.phone.send({ type: 'person.changed', person: null });
    expect(desk.call(1)?.status).toBe('active');
    expect(desk.facts.some(({ type }) => type === 'phone.retired')).toBe(false);
    desk.send({ type: 'call.hangUp', speechId: speech(1) });
    expect(desk.facts.at(-1)).toEqual({ type: 'phone.retired' });
  });

  it('signing out asks first', async () => {
    const desk = await talking();
    desk.phone.send({ type: 'phone.signOut', everywhere: false });
    expect(dialogs(desk)).toEqual(['phone.ask.sign_out']);
    desk.answer('cancel');
    expect(desk.facts.some(({ type }) => type === 'session.signOut')).toBe(false);
    desk.phone.send({ type: 'phone.signOut', everywhere: true });
    desk.answer('approve');
    expect(desk.facts.at(-1)).toEqual({ type: 'session.signOutEverywhere' });
  });

  it('an awaiting call whose leg breaks goes back to waiting, and is offered again', async () => {
    const desk = await talking({ type: 'awaiting', callee: '700' });
    desk.leg(1).report({ type: 'leg.ended', end: { ...farBye, cause: 'transport' }, at: 6_000 });
    expect(desk.call(1)).toMatchObject({ status: 'processed_paused', isRejoin: true });
  });

  it('an awaiting call whose path is never found goes back to waiting too, and why is said', async () => {
    const desk = await talking({ type: 'awaiting', callee: '700' });
    desk.clock.increment(15_000);
    expect(desk.call(1)).toMatchObject({ status: 'processed_paused' });
    expect(alerts(desk)).toEqual(['phone.media_lost']);
  });
});

describe('a headset', () => {
  it('answers, mutes and ends by its buttons, and its lights say how calls stand', async () => {
    const desk = await phoneAtWork();
    desk.from.headset({ type: 'headset.changed', name: 'Voyager' });
    expect(desk.mirror().headset).toBe('Voyager');
    desk.incoming(normalInvite(1));
    desk.from.headset({ type: 'headset.pressed', button: 'hook', on: true });
    expect(desk.leg(1).commands).toEqual([{ type: 'leg.answer', video: false }]);
    confirm(desk, 1);
    desk.from.headset({ type: 'headset.pressed', button: 'mute', on: true });
    expect(desk.call(1)?.isMuted).toBe(true);
    desk.from.headset({ type: 'headset.pressed', button: 'hook', on: false });
    expect(desk.call(1)).toMatchObject({ status: 'destroyed', endReason: 'hungUp' });
    expect(desk.said.headset.map((command) => (command.type === 'headset.show' ? Object.values(command.lights) : command.type))).toEqual([
      [true, false, false],
      [false, true, false],
      [false, true, true],
      [false, false, false],
    ]);
  });

  it('that is put down with nobody on the line does nothing', async () => {
    const desk = await phoneAtWork(concierge, [waiting(1)]);
    desk.from.headset({ type: 'headset.pressed', button: 'hook', on: false });
    desk.from.headset({ type: 'headset.pressed', button: 'mute', on: true });
    desk.from.headset({ type: 'headset.pressed', button: 'hook', on: true });
    expect([desk.legs.length, desk.call(1)?.status]).toEqual([0, 'paused']);
  });
});

describe('tabs', () => {
  it('a tab that follows draws what the owner shows and asks the owner', async () => {
    const owner = await phoneAtWork();
    owner.dial('1003', 1);
    const shown = structuredClone(owner.said.tabs.findLast((word) => word.type === 'tabs.mirror'));
    if (shown?.type !== 'tabs.mirror') throw new Error('nothing was shown');
    const tab = await phoneAtWork(resident);
    tab.from.tabs({ type: 'tabs.outvoted' });
    expect(tab.mirror().calls).toEqual([]);
    tab.from.tabs({ type: 'tabs.mirrored', mirror: shown.mirror });
    expect(tab.call(1)?.status).toBe('calling');
    tab.send({ type: 'call.hangUp', speechId: speech(1) });
    expect(tab.said.tabs.at(-1)).toEqual({ type: 'tabs.command', command: { type: 'call.hangUp', speechId: speech(1) } });
    tab.dial('1004', 2);
    expect(dialogs(tab)).toEqual(['phone.ask.cancel']);
    tab.answer('approve');
    const word = tab.said.tabs.at(-1);
    expect(word).toMatchObject({ command: { type: 'phone.dial', number: '1004', over: { speechId: speech(1), how: 'hangUp' } } });
    if (word?.type !== 'tabs.command') throw new Error('no command');
    owner.from.tabs({ type: 'tabs.commanded', command: structuredClone(word.command) });
    expect(owner.call(1)?.status).toBe('destroyed');
    expect(owner.call(2)?.status).toBe('calling');
    expect(dialogs(owner)).toEqual([]);
  });

  it('a tab that loses the phone lets go of all of it', async () => {
    const desk = await phoneAtWork();
    desk.dial('1003', 1);
    desk.from.tabs({ type: 'tabs.outvoted' });
    await settled();
    expect(desk.live()).toBe(0);
    expect(desk.mirror().calls).toEqual([]);
  });

  it('a call that is over and dismissed goes at once, whether its caller was looked up by then or not', async () => {
    const desk = await phoneAtWork();
    desk.incoming(normalInvite(1));
    desk.leg(1).report({ type: 'leg.ended', end: farBye, at: 3_000 });
    expect(desk.call(1)).toMatchObject({ status: 'destroyed', isLookingUp: true });
    desk.send({ type: 'call.dismiss', speechId: speech(1) });
    expect(desk.mirror().calls).toEqual([]);
  });

  it('an SOS call is heard over a call (D41), and silenced for itself', async () => {
    const desk = await phoneAtWork();
    desk.dial('1003', 1);
    confirm(desk, 1);
    desk.incoming(invite(2, { sos: 'yes' }));
    expect(desk.heard.tone).toBe('sos');
    desk.incoming(normalInvite(3));
    desk.send({ type: 'call.silence', speechId: speech(2) });
    expect(desk.heard.tone).toBe('waiting');
    desk.send({ type: 'call.decline', speechId: speech(3) });
    expect(desk.leg(3).commands).toEqual([{ type: 'leg.decline' }]);
    expect(desk.heard.tone).toBeNull();
  });
});
