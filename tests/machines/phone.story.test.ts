import { describe, expect } from 'vitest';
import type { CallMirror } from '#machines/phone/mirror.ts';
import { farBye, normalInvite, phoneAtWork, speech } from '#tests/support/phone.ts';
import { phoneStory } from '#tests/support/stories/phone.ts';
import { type Driver, runStory } from '#tests/support/story.ts';

async function driver(): Promise<Driver> {
  const desk = await phoneAtWork();
  let next = 0;
  /** The speech of the call talked about first, and of the one that comes to it. */
  let [first, second] = [0, 0];
  const fresh = (): number => (next += 1);
  const call = (number: number): CallMirror | undefined => {
    const found = desk.call(number);
    return found?.status === 'destroyed' ? undefined : found;
  };
  const asks = (): boolean => desk.phone.getSnapshot().hasTag('asking');
  const pendingType = (): string | undefined => desk.phone.getSnapshot().context.pending?.type;
  const report = (number: number, event: Parameters<ReturnType<typeof desk.leg>['report']>[0]) => desk.leg(number).report(event);
  const ends = (number: number): void => report(number, { type: 'leg.ended', at: 9_000, end: farBye });
  /** The one that is in talk, dialled or answered. */
  const busy = (): CallMirror | undefined => desk.mirror().calls.find(({ isBusy }) => isBusy);
  const numberOf = (mirror: CallMirror | undefined): number => [first, second].find((one) => speech(one) === mirror?.speechId) ?? next;
  const accept = (number: number): void => desk.send({ type: 'call.accept', speechId: speech(number), video: false });
  const hungUp = (): void => {
    const number = numberOf(busy());
    desk.send({ type: 'call.hangUp', speechId: speech(number) });
  };
  const heldOne = (): CallMirror | undefined => desk.mirror().calls.find(({ isHeld, isBusy }) => isHeld && !isBusy);
  const line = (): string => {
    const mirror = busy();
    const isHeld = heldOne() !== undefined;
    const rings = desk.mirror().calls.some(({ isRinging }) => isRinging);
    if (!mirror) return rings ? 'ringing' : isHeld ? 'oneHeld' : 'idle';
    if (mirror.status === 'calling') return 'dialling';
    if (mirror.awaits === 'answer') return isHeld ? 'answeringWithOneHeld' : 'answering';
    if (mirror.awaits === 'resume') return 'comingBack';
    if (mirror.awaits === 'hold') return pendingType() ? 'puttingAside' : 'holdingForNothing';
    if (isHeld) return 'talkingWithOneHeld';
    return rings ? 'talkingWhileItRings' : 'talking';
  };
  return {
    where: () => {
      expect(desk.mirror().calls.filter(({ isBusy }) => isBusy).length).toBeLessThan(2);
      // What a card offers is taken, whatever else is asked just now.
      for (const { speechId, may } of desk.mirror().calls) {
        expect(desk.can({ type: 'call.accept', speechId, video: false })).toBe(may.includes('call.accept'));
        expect(desk.can({ type: 'call.resume', speechId })).toBe(may.includes('call.resume'));
      }
      if (!asks()) return line();
      if (pendingType() === 'phone.dial') return line() === 'talkingWhileItRings' ? 'askedToDialWhileItRings' : 'askedToDial';
      if (pendingType() !== 'call.resume') return 'asked';
      return busy()?.awaits === 'answer' ? 'askedToComeBackAtOnce' : 'askedToComeBack';
    },
    words: {
      dial: () => desk.dial('1003', (first = fresh())),
      dialAnother: () => desk.dial('1004', (second = fresh())),
      firstRings: () => desk.incoming(normalInvite((first = fresh()))),
      secondRings: () => desk.incoming(normalInvite((second = fresh()), { number: '1004' })),
      answerFirst: () => {
        accept(first);
        report(first, { type: 'leg.confirmed', at: 5_000, video: false });
      },
      answerSecond: () => accept(second),
      isAnswered: () => report(numberOf(busy()), { type: 'leg.confirmed', at: 5_000, video: false }),
      isBusy: () => report(first, { type: 'leg.ended', at: 9_000, end: { ...farBye, cause: 'refused', status: 486 } }),
      giveUp: hungUp,
      hangUp: hungUp,
      firstGivesUp: () => ends(first),
      firstHangsUp: () => ends(numberOf(busy())),
      secondGivesUp: () => ends(second),
      declineSecond: () => desk.send({ type: 'call.decline', speechId: speech(second) }),
      sayNo: () => desk.answer('cancel'),
      sayEnd: () => desk.answer('approve'),
      sayHold: () => desk.answer('hold'),
      isHeld: () => report(first, { type: 'leg.held', by: 'us', on: true }),
      isNotAgreed: () => report(first, { type: 'leg.holdFailed' }),
      comeBack: () => desk.send({ type: 'call.resume', speechId: speech(first) }),
      isBack: () => report(first, { type: 'leg.held', by: 'us', on: false }),
    },
    buttons: [
      {
        name: 'answer',
        words: ['answerFirst', 'answerSecond'],
        isThere: () => desk.mirror().calls.some(({ speechId }) => desk.can({ type: 'call.accept', speechId, video: false })),
      },
      {
        name: 'come back',
        words: ['comeBack'],
        isThere: () => desk.mirror().calls.some(({ speechId }) => desk.can({ type: 'call.resume', speechId })) && call(first) !== undefined,
      },
    ],
  };
}

describe('one line and two calls, as told', () => {
  runStory(phoneStory, driver);
});
