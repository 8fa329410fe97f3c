import { describe, expect, it } from 'vitest';
import { concierge, normalInvite, phoneAtWork, type PhoneAtWork, resident, speech, waiting } from '#tests/support/phone.ts';

const panel = { type: 'leg.moved', number: '2001', name: 'Lobby', speechId: speech(9), video: true } as const;
const answered = { status: 'answered', answered_by: '1003' } as const;
/** A resident talks with somebody who has called, or whom they have called. */
async function talking(way: 'called' | 'calling'): Promise<PhoneAtWork> {
  const desk = await phoneAtWork(resident);
  if (way === 'calling') desk.dial('1001', 1);
  else {
    desk.incoming(normalInvite(1, { number: '1001', name: 'Anna', callee: '1003' }));
    desk.send({ type: 'call.accept', speechId: speech(1), video: false });
  }
  desk.leg(1).report({ type: 'leg.confirmed', at: 5_000, video: false });
  await desk.ports.readCallInfo.answer({ address: null, user: { id: speech(50), name: 'Anna' } });
  return desk;
}

describe.each(['called', 'calling'] as const)('somebody who is handed on, and was %s', (way) => {
  it('is shown whom they talk with now, as far as that is known', async () => {
    const desk = await talking(way);
    desk.leg(1).report(panel);
    expect(desk.call(1)).toMatchObject({
      number: '2001',
      name: 'Lobby',
      video: true,
      info: null,
      group: null,
      isLookingUp: true,
      status: 'active',
      activeAt: 5_000,
    });
    await desk.ports.readCallInfo.answer({ address: 'Tower A', user: null });
    expect(desk.call(1)).toMatchObject({ number: '2001', name: 'Lobby', info: { address: 'Tower A', user: null }, isLookingUp: false });
  });

  it('may open the door of a panel, and is told that it has opened', async () => {
    const desk = await talking(way);
    expect(desk.call(1)?.may).not.toContain('call.openDoor');
    desk.leg(1).report(panel);
    await desk.ports.readCallInfo.answer({ address: 'Tower A', user: null, door: true });
    desk.send({ type: 'call.openDoor', speechId: speech(1) });
    expect(desk.leg(1).commands.at(-1)).toMatchObject({ type: 'leg.dtmf', tone: '#' });
    desk.doorOpened(9);
    expect(desk.call(1)?.door).toBe('confirmed');
  });

  it('stays in the call while the server ends the one before, and hears of the end of the new one', async () => {
    const desk = await talking(way);
    desk.leg(1).report(panel);
    desk.publish(waiting(1, { type: 'normal', status: 'destroyed', end_reason: 'transferred', caller: '1001', callee: '1003', caller_name: 'Anna' }));
    desk.publish(waiting(9, { type: 'normal', callee: '1003', ...answered, group: 'Tower A' }));
    expect(desk.call(1)).toMatchObject({ status: 'active', number: '2001', name: 'Lobby', group: 'Tower A', takenBy: null });
    expect(desk.mirror().calls).toHaveLength(1);
    desk.publish(waiting(9, { type: 'normal', callee: '1003', status: 'destroyed', end_reason: 'talk_timeout' }));
    expect(desk.call(1)).toMatchObject({ status: 'destroyed', endReason: 'timeLimit' });
  });
});

it('an operator who is handed on by the one who waited talks like anybody: hold is a hold, hanging up no end of a call that waits', async () => {
  const desk = await phoneAtWork(concierge, [waiting(1)]);
  desk.send({ type: 'call.accept', speechId: speech(1), video: false });
  desk.leg(1).report({ type: 'leg.confirmed', at: 5_000, video: false });
  expect(desk.call(1)?.type).toBe('awaiting');
  desk.leg(1).report({ type: 'leg.moved', number: '1004', name: 'Nora', speechId: speech(9), video: null });
  desk.send({ type: 'call.hold', speechId: speech(1) });
  expect(desk.leg(1).commands).toEqual([{ type: 'leg.hold', on: true }]);
  desk.send({ type: 'call.hangUp', speechId: speech(1) });
  expect(desk.call(1)).toMatchObject({ status: 'destroyed', endReason: 'hungUp', number: '1004' });
});

it('one whom I called is not said to have taken it from me', async () => {
  const desk = await phoneAtWork(concierge);
  desk.dial('1003', 1);
  desk.leg(1).report({ type: 'leg.confirmed', at: 5_000, video: false });
  desk.publish(waiting(1, { type: 'normal', caller: '1001', callee: '1003', ...answered, caller_name: 'Anna' }));
  desk.leg(1).report({ type: 'leg.ended', at: 9_000, end: { by: 'them', cause: 'bye', status: null, takenBy: null } });
  expect(desk.call(1)).toMatchObject({ takenBy: null, endReason: 'farHungUp' });
});
