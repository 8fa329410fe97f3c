import type { BrowserContext } from 'playwright-core';
import type { PhoneMirror } from '#machines/phone/mirror.ts';
import { callOf, mirrorOf, talk } from '#tests/support/phone-mirrors.ts';
import { uuid } from '#tests/support/people.ts';

/** Everything a phone may have to show, a few states a scene: what each is called, and the phone at a moment. */
export const scenes: Readonly<Record<string, (now: number) => PhoneMirror>> = {
  registering: () => mirrorOf({ registration: 'registering', sound: 'unarmed', isCurrent: false }),
  'no connection': () => mirrorOf({ registration: 'error' }),
  'off duty': () => mirrorOf({ registration: 'unregistered' }),
  'number refused, sound blocked': () => mirrorOf({ registration: 'invalid_registration', sound: 'refused' }),
  'calls ring': (now) =>
    mirrorOf({
      ringing: 'sos',
      calls: [
        callOf({ sos: 'yes', video: true, startedAt: now - 12_000 }),
        callOf({ speechId: uuid(101), sos: 'unclear', startedAt: now - 40_000 }),
        callOf({ speechId: uuid(102), type: 'normal', video: true, name: null, info: null, group: null, isLookingUp: true, startedAt: now - 2_000 }),
        callOf({ speechId: uuid(103), name: null, info: null, group: null, number: '+4930200130', isSilenced: true, startedAt: now - 75_000 }),
      ],
    }),
  'one dials': (now) =>
    mirrorOf({
      calls: [
        callOf({
          direction: 'outgoing',
          type: 'normal',
          isRinging: false,
          isBusy: true,
          isProgressing: true,
          startedAt: now - 3_000,
          may: ['call.hangUp', 'call.mute', 'call.volume'],
        }),
      ],
    }),
  'one talks, with pictures': (now) =>
    mirrorOf({ calls: [talk({ video: true, hasCamera: true, door: 'confirmed', startedAt: now - 96_000, activeAt: now - 84_000 })] }),
  'one is not heard': (now) =>
    mirrorOf({
      calls: [
        talk({ microphone: 'notAllowed', isMuted: true, quality: { roundTrip: 310, loss: 0.08, jitter: 44 }, activeAt: now - 84_000 }),
        callOf({
          speechId: uuid(104),
          type: 'normal',
          status: 'paused',
          isRinging: false,
          isHeld: true,
          startedAt: now,
          may: ['call.resume', 'call.hangUp'],
        }),
      ],
    }),
  'calls wait': (now) =>
    mirrorOf({
      calls: [
        callOf({ status: 'processed_paused', isRinging: false, isRecalling: true, startedAt: now - 75_000, may: ['call.resume', 'call.hangUp'] }),
        callOf({ speechId: uuid(105), status: 'active', isRinging: false, takenBy: '1002', startedAt: now - 40_000, may: [] }),
        callOf({ speechId: uuid(106), status: 'processed_paused', isRinging: false, isRejoin: true, startedAt: now, may: ['call.resume'] }),
      ],
    }),
  'calls are over': (now) =>
    mirrorOf({
      calls: (['farHungUp', 'mediaLost', 'answeredElsewhere'] as const).map((endReason, at) =>
        callOf({
          speechId: uuid(107 + at),
          status: 'destroyed',
          isRinging: false,
          endReason,
          takenBy: endReason === 'answeredElsewhere' ? '1002' : null,
          startedAt: now - 12_000,
          endedAt: now,
          may: ['call.dismiss'],
        }),
      ),
    }),
};

/** A tab that owns the phone of a number before any other does: the others show what it is told. @throws where one owns it already */
export async function ownPhone(context: BrowserContext, number: string): Promise<(mirror: PhoneMirror) => Promise<void>> {
  const owner = await context.newPage();
  await owner.goto('/healthz');
  await owner.evaluate(`new Promise((mine, failed) => {
    const name = 'doorward-phone-${number}';
    const channel = new BroadcastChannel(name);
    let shown = null;
    const show = () => shown && channel.postMessage({ kind: 'mirror', mirror: shown });
    channel.onmessage = ({ data }) => { if (data.kind === 'greet') show(); };
    window.show = (mirror) => { shown = mirror; show(); };
    navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      if (!lock) return failed(new Error('another tab has the phone of ${number}'));
      mine();
      return new Promise(() => {});
    });
  })`);
  return (mirror) => owner.evaluate(`show(${JSON.stringify(mirror)})`);
}
