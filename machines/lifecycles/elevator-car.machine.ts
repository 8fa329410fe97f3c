// Keeps in order: one elevator: its car between the floors, its doors, and which floors may be chosen inside.
// Spawned by: nobody; the simulated controller of an elevator starts it.
// Asks (ports): nothing.
// Tells (facts): car.arrived.
import { type ActorRefFrom, assign, emit, setup } from 'xstate';

type CarEvent =
  /** Somebody wants the car at a floor, from outside. */
  | { type: 'car.call'; floor: number }
  /** Somebody presses a floor inside. */
  | { type: 'floor.choose'; floor: number }
  /** An identifier was accepted: these floors may be chosen for a while. */
  | { type: 'floors.free'; floors: readonly number[] };
type CarFact = { type: 'car.arrived'; floor: number };

/** What an elevator is: its floors from the lowest up, by their relays, those that need no identifier, and its times in ms. */
export interface CarInput {
  shaft: readonly number[];
  open: readonly number[];
  /** From one floor to the next. */
  travel: number;
  /** The doors stand open. */
  doors: number;
  /** Floors stay free. */
  release: number;
}
export interface CarContext extends CarInput {
  at: number;
  /** Where it goes, in the order of asking. */
  stops: readonly number[];
  freed: readonly number[];
}

/** The floor that is next on the way to the first stop. */
function nextFloor({ shaft, at, stops: [goal] }: CarContext): number {
  if (goal === undefined) return at;
  const [here, there] = [shaft.indexOf(at), shaft.indexOf(goal)];
  return shaft[here + Math.sign(there - here)] ?? at;
}

/** The car and the panel inside. It stops at every floor on its way that was asked for. */
export const elevatorCarMachine = setup({
  types: {
    input: {} as CarInput,
    context: {} as CarContext,
    events: {} as CarEvent,
    emitted: {} as CarFact,
    tags: {} as 'standing' | 'moving' | 'open',
  },
  actions: {
    addStop: assign(({ context }, { floor }: { floor: number }) => ({
      stops: context.stops.includes(floor) ? context.stops : [...context.stops, floor],
    })),
    goOn: assign(({ context }) => ({ at: nextFloor(context) })),
    dropStop: assign(({ context }) => ({ stops: context.stops.filter((floor) => floor !== context.at) })),
    notifyArrived: emit(({ context }) => ({ type: 'car.arrived', floor: context.at }) as const),
    free: assign((_, { floors }: { floors: readonly number[] }) => ({ freed: floors })),
    lock: assign({ freed: [] }),
  },
  guards: {
    isHere: ({ context }, { floor }: { floor: number }) => floor === context.at,
    isElsewhere: ({ context }, { floor }: { floor: number }) => floor !== context.at && context.shaft.includes(floor),
    isFreeHere: ({ context }, { floor }: { floor: number }) => floor === context.at && [...context.open, ...context.freed].includes(floor),
    isFreeElsewhere: ({ context }, { floor }: { floor: number }) =>
      floor !== context.at && context.shaft.includes(floor) && [...context.open, ...context.freed].includes(floor),
    // While it moves it has left the floor that it was at last.
    isFloor: ({ context }, { floor }: { floor: number }) => context.shaft.includes(floor),
    isFree: ({ context }, { floor }: { floor: number }) => context.shaft.includes(floor) && [...context.open, ...context.freed].includes(floor),
    isStopNext: ({ context }) => context.stops.includes(nextFloor(context)),
    hasStops: ({ context }) => context.stops.length > 0,
  },
  delays: {
    travelTime: ({ context }) => context.travel,
    doorTime: ({ context }) => context.doors,
    releaseTime: ({ context }) => context.release,
  },
}).createMachine({
  id: 'elevatorCar',
  context: ({ input }) => ({ ...input, at: input.shaft[0] ?? 0, stops: [], freed: [] }),
  type: 'parallel',
  states: {
    car: {
      initial: 'standing',
      states: {
        standing: {
          tags: 'standing',
          on: {
            'car.call': [
              { guard: { type: 'isHere', params: ({ event }) => event }, target: 'open' },
              {
                guard: { type: 'isElsewhere', params: ({ event }) => event },
                target: 'moving',
                actions: { type: 'addStop', params: ({ event }) => event },
              },
            ],
            'floor.choose': [
              { guard: { type: 'isFreeHere', params: ({ event }) => event }, target: 'open' },
              {
                guard: { type: 'isFreeElsewhere', params: ({ event }) => event },
                target: 'moving',
                actions: { type: 'addStop', params: ({ event }) => event },
              },
            ],
          },
        },
        moving: {
          tags: 'moving',
          on: {
            'car.call': {
              guard: { type: 'isFloor', params: ({ event }) => event },
              actions: { type: 'addStop', params: ({ event }) => event },
            },
            'floor.choose': {
              guard: { type: 'isFree', params: ({ event }) => event },
              actions: { type: 'addStop', params: ({ event }) => event },
            },
          },
          after: {
            travelTime: [
              { guard: 'isStopNext', target: 'open', actions: ['goOn', 'dropStop'] },
              { target: 'moving', reenter: true, actions: 'goOn' },
            ],
          },
        },
        open: {
          tags: 'open',
          entry: 'notifyArrived',
          on: {
            'car.call': {
              guard: { type: 'isElsewhere', params: ({ event }) => event },
              actions: { type: 'addStop', params: ({ event }) => event },
            },
            'floor.choose': {
              guard: { type: 'isFreeElsewhere', params: ({ event }) => event },
              actions: { type: 'addStop', params: ({ event }) => event },
            },
          },
          after: { doorTime: [{ guard: 'hasStops', target: 'moving' }, { target: 'standing' }] },
        },
      },
    },
    panel: {
      initial: 'locked',
      states: {
        locked: { on: { 'floors.free': { target: 'freed', actions: { type: 'free', params: ({ event }) => event } } } },
        freed: {
          on: { 'floors.free': { target: 'freed', reenter: true, actions: { type: 'free', params: ({ event }) => event } } },
          after: { releaseTime: { target: 'locked', actions: 'lock' } },
        },
      },
    },
  },
});
export type ElevatorCarActor = ActorRefFrom<typeof elevatorCarMachine>;
