import { describe, expect, it } from 'vitest';
import { phoneOf } from '#machines/phone/phone-of.ts';
import { singleton } from '#machines/system.ts';
import { nothingLicensed } from '#models/licence-info.ts';
import type { Profile } from '#models/profile.ts';
import { topics } from '#models/realtime.ts';
import { composedApp } from '#tests/support/composed-app.ts';
import { anna, withNumber } from '#tests/support/people.ts';
import { normalInvite, speech } from '#tests/support/phone.ts';

/** Somebody signed in whose phone's code has come. */
async function signedIn(profile: Profile = withNumber) {
  const desk = composedApp();
  await desk.ports.restoreSession.answer(profile);
  if (phoneOf(profile)) await desk.ports.loadPhone.answer();
  return { ...desk, phone: () => singleton(desk.app, 'phone') };
}
type Desk = Awaited<ReturnType<typeof signedIn>>;
const ring = ({ fromPhone }: Desk): void => {
  fromPhone.tabs({ type: 'tabs.elected' });
  fromPhone.agent({ type: 'sip.registered' });
  fromPhone.agent({ type: 'sip.incoming', call: normalInvite(1) });
};
const statusOf = ({ phone }: Desk): string | undefined => phone()?.getSnapshot().context.mirror.calls[0]?.status;
const becomes = async (desk: Desk, profile: Profile): Promise<void> => {
  desk.the('session').send({ type: 'profile.stale' });
  await desk.ports.loadProfile.answer({ ...profile, version: '2' });
};

describe('the phone in the console', () => {
  it('is there with both licensed features and a number, and without any of them not', () => {
    expect(phoneOf(withNumber)?.number).toBe('1001');
    expect(phoneOf(anna)).toBeNull();
    const without = (flag: 'is_enabled' | 'is_web_dialer_enabled'): Profile => ({
      ...withNumber,
      features: { ...withNumber.features, sip: { ...withNumber.features.sip, [flag]: false } },
    });
    expect([phoneOf(without('is_enabled')), phoneOf(without('is_web_dialer_enabled'))]).toEqual([null, null]);
    expect(phoneOf({ ...withNumber, license_info: nothingLicensed })).toBeNull();
  });

  it('its code is not fetched for whoever has no phone', async () => {
    const desk = await signedIn(anna);
    expect(desk.ports.loadPhone.waiting()).toBe(0);
    expect(desk.phone()).toBeUndefined();
  });

  it('comes with its number, later too', async () => {
    const desk = await signedIn(anna);
    await becomes(desk, withNumber);
    await desk.ports.loadPhone.answer();
    expect(desk.phone()?.getSnapshot().context.person.number).toBe('1001');
  });

  it('code that cannot be fetched is tried again after half a minute', async () => {
    const desk = composedApp();
    await desk.ports.restoreSession.answer(withNumber);
    await desk.ports.loadPhone.refuse({ code: 'chunk_failed' });
    expect(desk.ports.loadPhone.waiting()).toBe(0);
    desk.clock.increment(30_000);
    expect(desk.ports.loadPhone.waiting()).toBe(1);
  });

  it('another role or a lost licence drops no call; the phone goes when the line is free', async () => {
    const desk = await signedIn();
    ring(desk);
    desk.phone()?.send({ type: 'call.accept', speechId: speech(1), video: false });
    await becomes(desk, anna);
    expect(statusOf(desk)).toBe('new');
    desk.phone()?.send({ type: 'call.hangUp', speechId: speech(1) });
    expect(desk.phone()).toBeUndefined();
  });

  it('another number brings another phone once the line is free', async () => {
    const desk = await signedIn();
    const other: Profile = { ...withNumber, profile: { ...withNumber.profile, sip_number: { number: '1009', name: 'Anna' } } };
    await becomes(desk, other);
    await desk.ports.loadPhone.answer();
    expect(desk.phone()?.getSnapshot().context.person.number).toBe('1009');
  });

  it('hears what the server tells of calls', async () => {
    const desk = await signedIn();
    ring(desk);
    const call = { id: speech(1), caller: '1003', callee: '1001', type: 'normal', status: 'destroyed', answered_by: null, created_at: 1 };
    desk.fromSocket({ type: 'socket.opened', at: '2026-01-01T00:00:00Z' });
    desk.fromSocket({
      type: 'socket.heard',
      words: [{ topic: topics.calls('1001'), name: 'CallUpdated', payload: { call } as never }],
      at: '2026-01-01T00:00:00Z',
    });
    expect(statusOf(desk)).toBe('destroyed');
  });

  it('hears that the door was opened during a call', async () => {
    const desk = await signedIn();
    ring(desk);
    const opened: string[] = [];
    desk
      .phone()
      ?.getSnapshot()
      .children.waitingCalls?.on('waiting.doorOpened', ({ speechId }) => void opened.push(speechId));
    desk.fromSocket({ type: 'socket.opened', at: '2026-01-01T00:00:00Z' });
    desk.fromSocket({
      type: 'socket.heard',
      words: [{ topic: topics.calls('1001'), name: 'DoorOpened', payload: { call: speech(1) } }],
      at: '2026-01-01T00:00:00Z',
    });
    expect(opened).toEqual([speech(1)]);
  });

  it('signing out with somebody on the line asks, and ends the session when the person says so', async () => {
    const desk = await signedIn();
    ring(desk);
    desk.phone()?.send({ type: 'phone.signOut', everywhere: false });
    expect(desk.the('session').getSnapshot().hasTag('open')).toBe(true);
    expect(desk.the('alerts').getSnapshot().context.dialogs.length).toBe(1);
    desk.the('alerts').send({ type: 'dialog.answer', action: 'approve' });
    expect(desk.the('session').getSnapshot().hasTag('open')).toBe(false);
    expect(desk.phone()).toBeUndefined();
  });

  it('notifications keep quiet while a call rings, and sound again after', async () => {
    const desk = await signedIn();
    ring(desk);
    expect(desk.the('sounds').getSnapshot().context.isHushed).toBe(true);
    desk.phone()?.send({ type: 'call.decline', speechId: speech(1) });
    expect(desk.the('sounds').getSnapshot().context.isHushed).toBe(false);
  });
});
