import { createActor, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';
import { interceptionMachine } from '#machines/phone/interception.machine.ts';
import type { InterceptionSettings } from '#machines/phone/ports.ts';
import { uuid } from '#tests/support/people.ts';
import { held } from '#tests/support/ports.ts';
import { interceptionStory } from '#tests/support/stories/interception.ts';
import { type Driver, runStory } from '#tests/support/story.ts';

const own = { id: uuid(31), name: 'Tower A', path: ['Tower A'] };
const other = { id: uuid(32), name: 'Tower B', path: ['Tower B'] };

function desk() {
  const clock = new SimulatedClock();
  const ports = {
    readInterception: held<InterceptionSettings>(),
    setInterception: held<InterceptionSettings, { isActive: boolean; groups: readonly string[] }>(),
  };
  const warnings: string[] = [];
  const machine = interceptionMachine.provide({
    actors: { readInterception: ports.readInterception.actor, setInterception: ports.setInterception.actor },
  });
  const actor = createActor(machine, { input: { isPermitted: true }, clock });
  actor.on('alert.show', ({ alert }) => void (alert.key && warnings.push(alert.key)));
  actor.start();
  return { actor, clock, ports, warnings };
}

async function driver(): Promise<Driver> {
  const { actor, clock, ports, warnings } = desk();
  const can = (type: 'interception.start' | 'interception.stop' | 'interception.reread'): boolean => actor.getSnapshot().can({ type });
  const where = (): string => {
    const snapshot = actor.getSnapshot();
    if (snapshot.hasTag('unreachable')) return 'outOfReach';
    if (snapshot.hasTag('starting')) return 'beginning';
    if (snapshot.hasTag('stopping')) return 'ending';
    if (snapshot.hasTag('active')) return 'running';
    if (snapshot.hasTag('busy')) return 'reading';
    if (snapshot.context.chosen.length > 0) return 'chosen';
    return warnings.length > 0 ? 'warned' : 'noneChosen';
  };
  await Promise.resolve();
  return {
    where,
    words: {
      nothingRuns: () => ports.readInterception.answer({ isActive: false, groups: [], userGroups: [own] }),
      itRuns: () => ports.readInterception.answer({ isActive: true, groups: [own], userGroups: [own] }),
      noAnswer: () => ports.readInterception.refuse({ code: 'unavailable' }),
      tryAgain: () => actor.send({ type: 'interception.reread' }),
      timePasses: () => clock.increment(30_000),
      choose: () => actor.send({ type: 'interception.toggle', id: own.id }),
      unchoose: () => actor.send({ type: 'interception.toggle', id: own.id }),
      addAnother: () => actor.send({ type: 'interception.add', group: other }),
      begin: () => actor.send({ type: 'interception.start' }),
      hasBegun: () => {
        expect(ports.setInterception.asked.at(-1)).toEqual({ isActive: true, groups: actor.getSnapshot().context.chosen });
        return ports.setInterception.answer({ isActive: true, groups: [own], userGroups: [own] });
      },
      isRefused: () => ports.setInterception.refuse({ code: 'forbidden' }),
      end: () => actor.send({ type: 'interception.stop' }),
      hasEnded: () => ports.setInterception.answer({ isActive: false, groups: [own], userGroups: [own] }),
    },
    buttons: [
      { name: 'begin', words: ['begin'], isThere: () => can('interception.start') && where() !== 'warned' },
      { name: 'end', words: ['end'], isThere: () => can('interception.stop') },
    ],
  };
}

describe('interception, as told', () => {
  runStory(interceptionStory, driver);

  it('warns in the words of the specification when no group is chosen (D45)', async () => {
    const { actor, ports, warnings } = desk();
    await ports.readInterception.answer({ isActive: false, groups: [], userGroups: [own] });
    actor.send({ type: 'interception.start' });
    expect(warnings).toEqual(['validation.at_least_on_group_must_be_selected']);
    expect(ports.setInterception.asked).toEqual([]);
  });

  it('that cannot be read says why, unless nobody answers at all: the console says that for all of it', async () => {
    const { actor, clock, ports } = desk();
    const notified: unknown[] = [];
    actor.on('alert.show', ({ alert }) => notified.push(alert.problem?.code));
    await ports.readInterception.refuse({ code: 'offline' });
    clock.increment(30_000);
    expect([ports.readInterception.asked.length, notified]).toEqual([2, []]);
    await ports.readInterception.refuse({ code: 'internal' });
    expect(notified).toEqual(['internal']);
  });

  it('locks the groups while it runs, and drops those that are neither chosen nor own when it begins (D45)', async () => {
    const { actor, ports } = desk();
    const third = { id: uuid(33), name: 'Tower C', path: ['Tower C'] };
    await ports.readInterception.answer({ isActive: false, groups: [], userGroups: [own] });
    actor.send({ type: 'interception.add', group: other });
    actor.send({ type: 'interception.add', group: third });
    actor.send({ type: 'interception.toggle', id: third.id });
    actor.send({ type: 'interception.start' });
    expect(ports.setInterception.asked).toEqual([{ isActive: true, groups: [other.id] }]);
    await ports.setInterception.answer({ isActive: true, groups: [other], userGroups: [own] });
    expect(actor.getSnapshot().context.groups).toEqual([own, other]);
    expect(actor.getSnapshot().can({ type: 'interception.toggle', id: own.id })).toBe(false);
    expect(actor.getSnapshot().can({ type: 'interception.add', group: third })).toBe(false);
  });

  it('is not there for whoever may not intercept, and is when the role comes', async () => {
    const { ports } = desk();
    const actor = createActor(
      interceptionMachine.provide({ actors: { readInterception: ports.readInterception.actor, setInterception: ports.setInterception.actor } }),
      { input: { isPermitted: false } },
    ).start();
    const before = ports.readInterception.asked.length;
    expect(actor.getSnapshot().can({ type: 'interception.start' })).toBe(false);
    actor.send({ type: 'interception.permit', isPermitted: true });
    expect(ports.readInterception.asked.length).toBe(before + 1);
  });
});
