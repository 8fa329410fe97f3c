import { describe, expect, it } from 'vitest';
import { concierge, invite, normalInvite, phoneAtWork, type PhoneAtWork, speech, waiting } from '#tests/support/phone.ts';

const accept = (number: number) => ({ type: 'call.accept', speechId: speech(number), video: false }) as const;
const confirm = (desk: PhoneAtWork, number: number): void => {
  desk.leg(number).report({ type: 'leg.confirmed', at: 5_000, video: false });
  desk.leg(number).report({ type: 'leg.path', state: 'connected' });
};
/** A call of the queue that this desk has taken and put on hold. */
async function heldHere(number = 2): Promise<PhoneAtWork> {
  const desk = await phoneAtWork(concierge, [waiting(1)]);
  desk.incoming(invite(number));
  desk.send(accept(number));
  confirm(desk, number);
  desk.send({ type: 'call.hold', speechId: speech(number) });
  desk.publish(waiting(number, { status: 'answered_waiting', answered_by: '1001' }));
  desk.clock.increment(5_000);
  return desk;
}
const first = ({ mirror }: PhoneAtWork) => mirror().calls[0]?.speechId;

describe('a call that is left on hold', () => {
  it('calls its holder back after a minute: it rings, warns, and comes before those that wait', async () => {
    const desk = await heldHere();
    expect([desk.heard.tone, first(desk)]).toEqual([null, speech(1)]);
    desk.clock.increment(59_999);
    expect(desk.heard.tone).toBeNull();
    desk.clock.increment(1);
    expect(desk.call(2)).toMatchObject({ isRecalling: true, status: 'processed_paused' });
    expect([desk.heard.tone, first(desk)]).toEqual(['call', speech(2)]);
    expect(desk.said.notifier.at(-1)).toMatchObject({ type: 'notifier.show', about: 'recall' });
  });

  it('counts on through words that tell nothing new', async () => {
    const desk = await heldHere();
    for (let second = 0; second < 6; second += 1) {
      desk.clock.increment(10_000);
      desk.publish(waiting(2, { status: 'answered_waiting', answered_by: '1001' }));
    }
    expect(desk.call(2)?.isRecalling).toBe(true);
  });

  it('is hushed for as long again, and is silent once it is taken up', async () => {
    const desk = await heldHere();
    desk.clock.increment(60_000);
    desk.send({ type: 'call.silence', speechId: speech(2) });
    expect([desk.heard.tone, desk.call(2)?.isRecalling]).toEqual([null, true]);
    desk.clock.increment(60_000);
    expect(desk.heard.tone).toBe('call');
    desk.send({ type: 'call.resume', speechId: speech(2) });
    expect([desk.heard.tone, desk.call(2)?.isRecalling]).toEqual([null, false]);
  });

  it('calls colleagues later than its holder, and sounds like an SOS where it is one', async () => {
    const desk = await phoneAtWork(concierge, [waiting(1, { status: 'answered_waiting', answered_by: '1002', sos: true })]);
    desk.clock.increment(60_000);
    expect(desk.heard.tone).toBeNull();
    desk.clock.increment(60_000);
    expect(desk.heard.tone).toBe('sos');
  });

  it('is counted from when it was put there, over a reload of the page: by the clock of the server, who was asked for it', async () => {
    const held = (number: number, since: number) => waiting(number, { status: 'answered_waiting', answered_by: '1001', updated_at: since });
    const desk = await phoneAtWork(concierge, [held(1, 1_000), held(2, 930), held(3, 2_000)], 1_045_000);
    expect([1, 2, 3].map((number) => desk.call(number)?.isRecalling)).toEqual([false, false, false]);
    desk.clock.increment(0);
    expect(desk.call(2)?.isRecalling).toBe(true);
    desk.send({ type: 'call.silence', speechId: speech(2) });
    desk.clock.increment(14_999);
    expect(desk.call(1)?.isRecalling).toBe(false);
    desk.clock.increment(1);
    expect([1, 2, 3].map((number) => desk.call(number)?.isRecalling)).toEqual([true, true, false]);
    desk.send({ type: 'call.silence', speechId: speech(1) });
    desk.clock.increment(45_000);
    // Hushed, it is quiet for the whole time; and a clock that is behind makes none of it longer.
    expect([desk.heard.tone, desk.call(3)?.isRecalling]).toEqual(['call', true]);
  });

  it('begins to count anew when it is put on hold again', async () => {
    const desk = await phoneAtWork(concierge, [waiting(1, { status: 'answered_waiting', answered_by: '1001', updated_at: 1_000 })], 1_045_000);
    desk.send({ type: 'call.resume', speechId: speech(1) });
    confirm(desk, 1);
    desk.send({ type: 'call.hold', speechId: speech(1) });
    desk.publish(waiting(1, { status: 'answered_waiting', answered_by: '1001', updated_at: 1_100 }));
    desk.clock.increment(5_000);
    desk.clock.increment(59_999);
    expect(desk.call(1)?.isRecalling).toBe(false);
    desk.clock.increment(1);
    expect(desk.call(1)?.isRecalling).toBe(true);
  });

  it('calls back as late as the server says', async () => {
    const desk = await phoneAtWork();
    desk.phone.send({ type: 'realtime.resynced', topics: ['calls-management.700'] });
    await desk.ports.readPhoneSettings.answer({ queues: [], recall_seconds: 7 });
    await desk.ports.readWaiting.answer({ calls: [waiting(1, { status: 'answered_waiting', answered_by: '1001' })], at: null });
    desk.clock.increment(7_000);
    expect(desk.call(1)?.isRecalling).toBe(true);
  });

  it('is one between two people, too; while another call is talked in it only knocks', async () => {
    const desk = await phoneAtWork();
    desk.incoming(normalInvite(1));
    desk.send(accept(1));
    confirm(desk, 1);
    desk.send({ type: 'call.hold', speechId: speech(1) });
    desk.leg(1).report({ type: 'leg.held', by: 'us', on: true });
    desk.dial('1004', 2);
    desk.clock.increment(60_000);
    expect([desk.call(1)?.isRecalling, desk.heard.tone]).toEqual([true, 'waiting']);
    desk.send({ type: 'call.resume', speechId: speech(1) });
    desk.answer('approve');
    desk.leg(1).report({ type: 'leg.held', by: 'us', on: false });
    expect([desk.call(1)?.isRecalling, desk.heard.tone]).toEqual([false, null]);
  });
});
