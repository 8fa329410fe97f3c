import { createActor, fromCallback, SimulatedClock } from 'xstate';
import { describe, expect } from 'vitest';
import { emptyMirror } from '#machines/phone/mirror.ts';
import type { TabsCommand, TabsReport } from '#machines/phone/ports.ts';
import { tabsMachine } from '#machines/phone/tabs.machine.ts';
import { tabsStory } from '#tests/support/stories/tabs.ts';
import { type Driver, runStory } from '#tests/support/story.ts';

function driver(): Driver {
  const clock = new SimulatedClock();
  const facts: string[] = [];
  const said: string[] = [];
  let report: (event: TabsReport) => void = () => {};
  const machine = tabsMachine.provide({
    actors: {
      phoneTabs: fromCallback<TabsCommand, { number: string }>(({ sendBack, receive }) => {
        report = sendBack;
        receive(({ type }) => void said.push(type));
      }),
    },
  });
  const actor = createActor(machine, { input: { number: '1001' }, clock });
  actor.on('*', ({ type }) => void facts.push(type));
  actor.start();
  const states = { electing: 'askingAround', leading: 'phone', following: 'looksOn', alone: 'byItself' } as const;
  const hear = (event: TabsReport, fact: string) => () => {
    report(event);
    expect(facts.at(-1)).toBe(fact);
  };
  return {
    where: () => {
      const { value } = actor.getSnapshot();
      // Whoever owns the phone has said so, and nobody else has.
      const taken = facts.filter((fact) => fact.startsWith('seat.')).at(-1) === 'seat.taken';
      expect(taken).toBe(value === 'leading' || value === 'alone');
      return states[value];
    },
    words: {
      isMine: () => report({ type: 'tabs.elected' }),
      otherIsClosed: () => report({ type: 'tabs.elected' }),
      anotherHasIt: () => report({ type: 'tabs.outvoted' }),
      isTakenAway: () => report({ type: 'tabs.outvoted' }),
      nobodyCanTell: () => report({ type: 'tabs.alone' }),
      silence: () => clock.increment(3_000),
      newWindowLooks: hear({ type: 'tabs.greeted' }, 'tabs.greeted'),
      otherWindowAsks: hear({ type: 'tabs.commanded', command: { type: 'phone.register' } }, 'tabs.commanded'),
      phoneChanges: hear({ type: 'tabs.mirrored', mirror: emptyMirror }, 'tabs.mirrored'),
      askTheOther: () => {
        actor.send({ type: 'tabs.command', command: { type: 'phone.register' } });
        expect(said.at(-1)).toBe('tabs.command');
      },
    },
    buttons: [
      {
        name: 'ask the other',
        words: ['askTheOther'],
        isThere: () => actor.getSnapshot().can({ type: 'tabs.command', command: { type: 'phone.register' } }),
      },
    ],
  };
}

describe('the tabs, as told', () => {
  runStory(tabsStory, driver);
});
