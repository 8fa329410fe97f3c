import { createActor, SimulatedClock } from 'xstate';
import { describe, expect } from 'vitest';
import { callMirror } from '#machines/phone/call/call-mirror.ts';
import type { CallInput } from '#machines/phone/call/call-facts.ts';
import type { CallCommand } from '#machines/phone/commands.ts';
import type { LegEnd } from '#machines/phone/ports.ts';
import type { ServerCall } from '#models/call.ts';
import { callPorts, farBye, invite, normalInvite, speech, waiting } from '#tests/support/phone.ts';
import { settled } from '#tests/support/ports.ts';
import { callStory, queueStory } from '#tests/support/stories/call.ts';
import { type Driver, runStory } from '#tests/support/story.ts';

const speechId = speech(1);

function atDesk(input: CallInput) {
  const { call, legs, ports } = callPorts();
  const clock = new SimulatedClock();
  const actor = createActor(call, { input, clock });
  const alerts: string[] = [];
  actor.on('alert.show', ({ alert }) => void alerts.push(alert.key ?? alert.problem?.code ?? ''));
  actor.start();
  const leg = () => {
    const newest = legs.at(-1);
    if (!newest) throw new Error('no leg');
    return newest;
  };
  const mirror = () => callMirror(actor.getSnapshot());
  return {
    actor,
    clock,
    ports,
    alerts,
    leg,
    mirror,
    isGone: (): boolean => actor.getSnapshot().matches({ life: 'gone' }),
    press: (command: CallCommand) => () => actor.send(command),
    offers: (type: CallCommand['type']) => (): boolean => mirror().may.includes(type),
    ends:
      (end: Partial<LegEnd> = {}) =>
      () =>
        leg().report({ type: 'leg.ended', at: 9_000, end: { ...farBye, ...end } }),
    publish:
      (more: Partial<ServerCall> = {}) =>
      () =>
        actor.send({ type: 'call.published', at: null, call: waiting(1, more) }),
    confirmed: () => leg().report({ type: 'leg.confirmed', at: 5_000, video: false }),
    live: (): boolean => legs.some(({ isLive }) => isLive),
  };
}

function callDriver(): Driver {
  const desk = atDesk({ me: '1001', recallSeconds: 60, origin: 'incoming', call: normalInvite(1) });
  const { mirror, press, ends, publish, leg, clock } = desk;
  return {
    where: () => {
      if (desk.isGone()) return 'gone';
      const { status, isRinging, isSilenced, awaits, isHeld } = mirror();
      // Nothing of a call that is over lives on.
      if (status === 'destroyed') expect(desk.live()).toBe(false);
      if (isRinging) return isSilenced ? 'ringsSilently' : 'rings';
      if (status === 'new') return awaits === 'answer' ? 'answering' : status;
      if (status === 'active') return awaits === 'hold' ? 'holding' : 'talking';
      if (status === 'paused') return awaits === 'resume' ? 'comingBack' : isHeld ? 'onHold' : status;
      return status === 'destroyed' ? 'over' : status;
    },
    words: {
      answer: press({ type: 'call.accept', speechId, video: true }),
      decline: () => {
        desk.actor.send({ type: 'call.decline', speechId });
        expect(leg().commands).toEqual([{ type: 'leg.decline' }]);
        expect(mirror().endReason).toBe('declined');
      },
      silence: press({ type: 'call.silence', speechId }),
      callerGivesUp: ends({ cause: 'cancelled' }),
      takenElsewhere: () => {
        ends({ cause: 'answeredElsewhere', takenBy: '1002' })();
        expect(mirror()).toMatchObject({ endReason: 'answeredElsewhere', takenBy: '1002' });
      },
      nobodyAnswers: () => clock.increment(180_000),
      nothingComes: () => clock.increment(mirror().awaits === 'answer' ? 35_000 : 10_000),
      talkBegins: () => {
        expect(leg().commands).toEqual([{ type: 'leg.answer', video: true }]);
        desk.confirmed();
      },
      hangUp: press({ type: 'call.hangUp', speechId }),
      callerHangsUp: ends(),
      mediaDies: () => {
        leg().report({ type: 'leg.path', state: 'failed' });
        clock.increment(15_000);
        expect(mirror().endReason).toBe('mediaLost');
      },
      serverEndsIt: publish({ status: 'destroyed' }),
      hold: press({ type: 'call.hold', speechId }),
      resume: press({ type: 'call.resume', speechId }),
      isHeld: () => leg().report({ type: 'leg.held', by: 'us', on: true }),
      isBack: () => leg().report({ type: 'leg.held', by: 'us', on: false }),
      isNotAgreed: () => {
        leg().report({ type: 'leg.holdFailed' });
        expect(desk.alerts).toEqual(['phone.hold_failed']);
      },
      fiveSeconds: () => {
        clock.increment(4_999);
        expect(desk.isGone()).toBe(false);
        clock.increment(1);
      },
      takeOffTheList: press({ type: 'call.dismiss', speechId }),
    },
    buttons: [
      { name: 'answer', words: ['answer'], isThere: desk.offers('call.accept') },
      { name: 'decline', words: ['decline'], isThere: desk.offers('call.decline') },
      { name: 'silence', words: ['silence'], isThere: desk.offers('call.silence') },
      { name: 'hang up', words: ['hangUp'], isThere: desk.offers('call.hangUp') },
      { name: 'hold', words: ['hold'], isThere: desk.offers('call.hold') },
      { name: 'resume', words: ['resume'], isThere: desk.offers('call.resume') },
      { name: 'take off the list', words: ['takeOffTheList'], isThere: desk.offers('call.dismiss') },
    ],
  };
}

function queueDriver(): Driver {
  const desk = atDesk({ me: '1001', recallSeconds: 60, origin: 'listed', at: null, call: waiting(1) });
  const { mirror, press, ends, publish, clock, ports } = desk;
  return {
    where: () => {
      if (desk.isGone()) return 'gone';
      const { status, isRinging, awaits, isRejoin } = mirror();
      if (awaits === 'stop') return 'ending';
      if (status === 'destroyed') {
        expect(desk.live()).toBe(false);
        return 'over';
      }
      if (isRinging) return 'rings';
      if (status === 'new') return awaits === 'answer' ? 'answering' : status;
      if (status === 'active') return awaits === 'pause' ? 'pausing' : 'talking';
      if (awaits === 'transfer') return 'connecting';
      if (status === 'processed_paused') return isRejoin ? 'waitsForMe' : 'waitsAgain';
      return status === 'paused' ? 'waits' : status;
    },
    words: {
      itRingsHere: () => desk.actor.send({ type: 'call.offered', call: invite(1) }),
      answer: press({ type: 'call.accept', speechId, video: false }),
      decline: press({ type: 'call.decline', speechId }),
      ringGoesOn: ends({ cause: 'cancelled' }),
      take: () => {
        desk.actor.send({ type: 'call.resume', speechId });
        expect(desk.leg().input).toEqual({ kind: 'join', speechId, video: false, number: '700' });
      },
      talkBegins: desk.confirmed,
      colleagueTakesIt: () => {
        publish({ status: 'answered', answered_by: '1002-desk' })();
        expect(mirror()).toMatchObject({ endReason: 'answeredElsewhere', takenBy: '1002' });
      },
      colleagueWasFirst: () => {
        ends({ cause: 'refused', status: 486, takenBy: '1002' })();
        expect(mirror()).toMatchObject({ endReason: 'answeredElsewhere', takenBy: '1002' });
      },
      joinFails: () => {
        ends({ cause: 'refused', status: 503 })();
        expect(desk.alerts).toEqual(['phone.join_failed']);
      },
      nothingComes: () => clock.increment({ join: 35_000, transfer: 60_000 }[mirror().awaits as string] ?? 5_000),
      visitorLeaves: publish({ status: 'destroyed', end_reason: 'caller_left' }),
      pause: () => {
        desk.actor.send({ type: 'call.hold', speechId });
        expect(desk.leg().commands.at(-1)).toEqual({ type: 'leg.hangUp' });
      },
      isPaused: ends({ by: 'us' }),
      lineBreaks: ends({ cause: 'transport' }),
      hangUp: press({ type: 'call.hangUp', speechId }),
      cancel: () => {
        desk.actor.send({ type: 'call.hangUp', speechId });
        expect(desk.leg().commands.at(-1)).toEqual({ type: 'leg.hangUp' });
        expect(ports.stopCall.asked).toEqual([]);
      },
      connect: () => {
        desk.actor.send({ type: 'call.connect', speechId, with: speech(2), to: '1003', record: speech(9) });
        expect(ports.connectCalls.asked).toEqual([{ speechId, with: speech(9) }]);
      },
      isConnected: async () => {
        await ports.connectCalls.answer();
        await settled();
        expect(mirror()).toMatchObject({ endReason: 'transferred' });
      },
      isNotConnected: async () => {
        await ports.connectCalls.refuse({ code: 'not_found' });
        expect(desk.alerts.at(-1)).toBe('phone.connect_failed');
      },
      end: press({ type: 'call.hangUp', speechId }),
      hasEnded: async () => {
        expect(ports.stopCall.asked).toEqual([{ speechId }]);
        await ports.stopCall.answer();
        await settled();
      },
      endFails: async () => {
        await ports.stopCall.refuse({ code: 'internal' });
        expect(desk.alerts.at(-1)).toBe('internal');
      },
      fiveSeconds: () => clock.increment(5_000),
      takeOffTheList: press({ type: 'call.dismiss', speechId }),
    },
    buttons: [
      { name: 'answer', words: ['answer'], isThere: desk.offers('call.accept') },
      { name: 'decline', words: ['decline'], isThere: desk.offers('call.decline') },
      { name: 'take', words: ['take'], isThere: desk.offers('call.resume') },
      { name: 'pause', words: ['pause'], isThere: desk.offers('call.hold') },
      { name: 'end', words: ['end', 'hangUp', 'cancel'], isThere: desk.offers('call.hangUp') },
      { name: 'connect', words: ['connect'], isThere: () => mirror().status === 'processed_paused' && desk.offers('call.connect')() },
      { name: 'take off the list', words: ['takeOffTheList'], isThere: desk.offers('call.dismiss') },
    ],
  };
}

describe('a call from one person to another, as told', () => {
  runStory(callStory, callDriver);
});
describe('a call in the queue, as told', () => {
  runStory(queueStory, queueDriver);
});
