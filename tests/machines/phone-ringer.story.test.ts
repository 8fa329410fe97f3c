import { createActor, fromCallback } from 'xstate';
import { describe, expect } from 'vitest';
import type { RingerCommand, RingerReport } from '#machines/phone/ports.ts';
import { ringerMachine } from '#machines/phone/ringer.machine.ts';
import type { RingTone } from '#machines/phone/types.ts';
import { ringerStory } from '#tests/support/stories/ringer.ts';
import { type Driver, runStory } from '#tests/support/story.ts';

function driver(): Driver {
  let tone: RingTone | null = null;
  let tested = 0;
  let hushed = false;
  let report: (event: RingerReport) => void = () => {};
  const machine = ringerMachine.provide({
    actors: {
      ringerSound: fromCallback<RingerCommand>(({ sendBack, receive }) => {
        report = sendBack;
        receive((command) => {
          if (command.type === 'ringer.ring') tone = command.tone;
          if (command.type === 'ringer.silence') tone = null;
          if (command.type === 'ringer.test') tested += 1;
        });
      }),
    },
  });
  const actor = createActor(machine);
  actor.on('sound.hush', ({ on }) => {
    hushed = on;
  });
  actor.start();
  const want = (wanted: RingTone | null) => () => actor.send({ type: 'ringer.wanted', tone: wanted });
  return {
    where: () => {
      const snapshot = actor.getSnapshot();
      // Notifications keep quiet exactly while something rings.
      expect(hushed).toBe(tone !== null);
      if (snapshot.hasTag('refused')) return tone === null ? 'quietUnheard' : 'unheard';
      if (snapshot.hasTag('unarmed')) return tone === null ? 'quietUntouched' : 'ringsUntouched';
      if (tone === null) return 'quiet';
      return tone === 'sos' ? 'alarm' : 'rings';
    },
    words: {
      touch: () => report({ type: 'ringer.armed' }),
      browserRefuses: () => report({ type: 'ringer.refused' }),
      callRings: want('call'),
      anotherRings: want('call'),
      sosRings: want('sos'),
      sosTaken: want('call'),
      answeredAnywhere: want(null),
      tryTheRing: () => {
        actor.send({ type: 'ringer.test', tone: 'call' });
        expect(tested).toBe(1);
      },
    },
    buttons: [],
  };
}

describe('the ringer, as told', () => {
  runStory(ringerStory, driver);
});
