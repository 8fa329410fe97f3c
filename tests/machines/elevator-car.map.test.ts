import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { type CarContext, elevatorCarMachine } from '#machines/lifecycles/elevator-car.machine.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';

const samples = {
  'car.call': [
    { type: 'car.call', floor: 1 },
    { type: 'car.call', floor: 3 },
    { type: 'car.call', floor: 9 },
  ],
  'floor.choose': [
    { type: 'floor.choose', floor: 1 },
    { type: 'floor.choose', floor: 3 },
  ],
  'floors.free': { type: 'floors.free', floors: [3] },
} satisfies Samples<EventFromLogic<typeof elevatorCarMachine>>;

describe('the car of an elevator', () => {
  mapTests(elevatorCarMachine, {
    inputs: [{ shaft: [1, 2, 3], open: [1], travel: 2_000, doors: 3_000, release: 10_000 }],
    samples,
    words: ({ context }) => {
      const { at, stops } = context as CarContext;
      return `[at ${at}${stops.length > 0 ? `, to ${[...stops].join(' and ')}` : ''}]`;
    },
  });
});
