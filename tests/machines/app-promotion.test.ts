import { describe, expect, it } from 'vitest';
import { presentDialog } from '#machines/alerts/alerts.machine.ts';
import { confirmDialog } from '#machines/alerts/dialog.ts';
import { allLicensed } from '#models/licence-info.ts';
import type { Profile } from '#models/profile.ts';
import { composedApp } from '#tests/support/composed-app.ts';
import { withNumber } from '#tests/support/people.ts';
import { normalInvite, speech } from '#tests/support/phone.ts';

const link = 'https://app.example/get';
const withoutApp = { ...allLicensed, mobile_app: { ...allLicensed.mobile_app, is_enabled: false } };
const promoted: Profile = { ...withNumber, app_url: link, profile: { ...withNumber.profile, is_app_popup_active: true } };
const [pause, lookUp] = [2_000, 10_000];

/** Somebody signed in, with a phone that has no calls. */
async function signedIn(profile: Profile) {
  const desk = composedApp();
  await desk.ports.restoreSession.answer(profile);
  await desk.ports.loadPhone.answer();
  desk.fromPhone.tabs({ type: 'tabs.elected' });
  desk.fromPhone.agent({ type: 'sip.registered' });
  const asked = () => presentDialog(desk.the('alerts').getSnapshot())?.dialog;
  return {
    ...desk,
    asked,
    ring: () => desk.fromPhone.agent({ type: 'sip.incoming', call: normalInvite(1) }),
    /** The call ends and its card goes, once nobody looks up any more who it was. */
    decline: () => {
      desk.the('phone').send({ type: 'call.decline', speechId: speech(1) });
      desk.clock.increment(lookUp);
    },
    /** The offer as it comes when the desk has been quiet for a while. */
    offered: async () => {
      desk.clock.increment(pause);
      await desk.ports.wasClosed.answer(false);
      expect(asked()).toMatchObject({ about: 'app.promotion', text: { params: { link } } });
    },
    answer: (action: string) => desk.the('alerts').send({ type: 'dialog.answer', action }),
  };
}

describe('the mobile app', () => {
  it.each([
    ['without a link', { ...promoted, app_url: null }],
    ['to whom it is not licensed', { ...promoted, license_info: withoutApp }],
    ['where the server has no licence for it', { ...promoted, features: withoutApp }],
    ['once that was switched off', { ...promoted, profile: { ...promoted.profile, is_app_popup_active: false } }],
  ])('is not offered %s', async (_why, profile) => {
    const desk = await signedIn(profile);
    desk.clock.increment(pause);
    expect([desk.ports.wasClosed.waiting(), desk.asked()]).toEqual([0, undefined]);
  });

  it('is offered after a quiet moment; “not now” holds for this session only, and the server hears nothing', async () => {
    const desk = await signedIn(promoted);
    expect(desk.asked()).toBeUndefined();
    await desk.offered();
    desk.answer('later');
    expect([desk.asked(), desk.promotionsClosed(), desk.ports.switchOff.asked.length]).toEqual([undefined, 1, 0]);
  });

  it('is not offered again in a session that closed the offer', async () => {
    const desk = await signedIn(promoted);
    desk.clock.increment(pause);
    await desk.ports.wasClosed.answer(true);
    expect(desk.asked()).toBeUndefined();
  });

  it('is switched off at the server by “do not show again”; a refusal is said', async () => {
    const desk = await signedIn(promoted);
    await desk.offered();
    desk.answer('never');
    expect([desk.asked(), desk.ports.switchOff.waiting()]).toEqual([undefined, 1]);
    await desk.ports.switchOff.refuse({ code: 'offline' });
    expect(desk.the('alerts').getSnapshot().context.shown.length).toBe(1);
  });

  it('is not offered while a call rings, but once it is over', async () => {
    const desk = await signedIn(promoted);
    desk.ring();
    desk.clock.increment(pause * 3);
    expect([desk.ports.wasClosed.waiting(), desk.asked()]).toEqual([0, undefined]);
    desk.decline();
    await desk.offered();
  });

  it('takes its offer back when a call rings, and makes it again after the call', async () => {
    const desk = await signedIn(promoted);
    await desk.offered();
    desk.ring();
    expect(desk.asked()).toBeUndefined();
    desk.decline();
    await desk.offered();
  });

  it('makes room for any question', async () => {
    const desk = await signedIn(promoted);
    await desk.offered();
    const about = 'leave';
    const dialog = confirmDialog({
      text: { key: 'interface.leave_question' },
      approve: { key: 'interface.leave' },
      about,
      replyTo: desk.the('workspace'),
    });
    desk.the('alerts').send({ type: 'dialog.ask', dialog });
    expect(desk.asked()?.about).toBe(about);
    desk.answer('cancel');
    expect(desk.asked()?.about).toBe('app.promotion');
  });

  it('takes its offer back when it was switched off elsewhere', async () => {
    const desk = await signedIn(promoted);
    await desk.offered();
    desk.the('session').send({ type: 'profile.replace', profile: { ...promoted, profile: { ...promoted.profile, is_app_popup_active: false } } });
    expect(desk.asked()).toBeUndefined();
  });

  it('is not offered to who has signed out meanwhile', async () => {
    const desk = await signedIn(promoted);
    await desk.offered();
    desk.the('session').send({ type: 'session.signOut' });
    expect(desk.asked()).toBeUndefined();
  });
});
