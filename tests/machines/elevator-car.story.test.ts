import { createActor, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';
import { elevatorCarMachine } from '#machines/lifecycles/elevator-car.machine.ts';
import { elevatorStory } from '#tests/support/stories/elevator.ts';
import { type Driver, runStory } from '#tests/support/story.ts';

const [below, above] = [1, 2];
const times = { travel: 2_000, doors: 3_000, release: 10_000 };

function played() {
  const clock = new SimulatedClock();
  const arrivals: number[] = [];
  const actor = createActor(elevatorCarMachine, { clock, input: { shaft: [below, above], open: [below], ...times } });
  actor.on('car.arrived', ({ floor }) => void arrivals.push(floor));
  actor.start();
  return { actor, clock, arrivals };
}

function driver(): Driver {
  const { actor, clock, arrivals } = played();
  return {
    where: () => {
      const snapshot = actor.getSnapshot();
      const { at, stops } = snapshot.context;
      const isBelow = at === below;
      if (snapshot.hasTag('standing')) return isBelow ? 'waitsBelow' : 'waitsAbove';
      if (snapshot.hasTag('open')) {
        expect(arrivals.at(-1)).toBe(at);
        const goesOn = stops.length > 0;
        return isBelow ? (goesOn ? 'opensBelowThenRises' : 'opensBelow') : goesOn ? 'opensAboveThenSinks' : 'opensAbove';
      }
      if (!isBelow) return 'sinksToOpen';
      return stops.includes(below) ? 'risesThenSinks' : 'risesToOpen';
    },
    words: {
      callBelow: () => actor.send({ type: 'car.call', floor: below }),
      callAbove: () => actor.send({ type: 'car.call', floor: above }),
      chooseBelow: () => actor.send({ type: 'floor.choose', floor: below }),
      chooseAbove: () => actor.send({ type: 'floor.choose', floor: above }),
      showCardAndChooseAbove: () => {
        actor.send({ type: 'floors.free', floors: [above] });
        actor.send({ type: 'floor.choose', floor: above });
      },
      travel: () => clock.increment(times.travel),
      doorsClose: () => clock.increment(times.doors),
    },
    buttons: [],
  };
}

describe('the car of an elevator, as told', () => {
  runStory(elevatorStory, driver);

  it('frees floors for its time and no longer, and a card shown again begins it anew', () => {
    const { actor, clock } = played();
    const freed = () => actor.getSnapshot().context.freed;
    actor.send({ type: 'floors.free', floors: [above] });
    clock.increment(times.release - 1);
    actor.send({ type: 'floors.free', floors: [above] });
    clock.increment(times.release - 1);
    expect(freed()).toEqual([above]);
    clock.increment(1);
    expect(freed()).toEqual([]);
    actor.send({ type: 'floor.choose', floor: above });
    expect(actor.getSnapshot().hasTag('standing')).toBe(true);
  });

  it('takes a call on its way along', () => {
    const clock = new SimulatedClock();
    const arrivals: number[] = [];
    const actor = createActor(elevatorCarMachine, { clock, input: { shaft: [4, 2, 7, 5], open: [], ...times } });
    actor.on('car.arrived', ({ floor }) => void arrivals.push(floor));
    actor.start();
    actor.send({ type: 'car.call', floor: 5 });
    actor.send({ type: 'car.call', floor: 2 });
    for (let second = 0; second < 40; second += 1) clock.increment(1_000);
    expect([arrivals, actor.getSnapshot().context.at]).toEqual([[2, 5], 5]);
  });
});
