// Keeps in order: the move of one reservation in the calendar: picked up, held over a time, asked about, stored; a refusal puts it back.
// Spawned by: workspace, as reservationMove, for as long as the calendar stands.
// Asks (ports): moveReservation.
// Tells (facts): nothing.
import { type ActorRefFrom, assign, setup } from 'xstate';
import type { Problem } from '#models/problem.ts';
import { answerTimeout, problemOf, timedOut, unplugged } from './port.ts';

/** Where and when a reservation stands, or is to stand: seconds of the day by the clock of the amenity. */
export interface ReservationPlace {
  amenity: { id: string; name: string };
  date: string;
  timeSlots: { from: number; to: number };
}
/** What is moved. */
export interface MovedReservation extends ReservationPlace {
  id: string;
  version: number;
  user: { id: string; name: string };
}
type ReservationMoveEvent =
  | { type: 'move.pick'; item: MovedReservation }
  | { type: 'move.drop'; target: ReservationPlace }
  | { type: 'move.confirm' }
  | { type: 'move.cancel' };

/** What it holds. */
export interface ReservationMoveContext {
  item: MovedReservation | null;
  target: ReservationPlace | null;
  problem: Problem | null;
  /** How many moves stand: whoever shows rows reads them anew when it grows. */
  moved: number;
}

const isSame = (one: ReservationPlace, other: ReservationPlace): boolean =>
  one.amenity.id === other.amenity.id &&
  one.date === other.date &&
  one.timeSlots.from === other.timeSlots.from &&
  one.timeSlots.to === other.timeSlots.to;

/** The move of a reservation by pointer or keyboard. */
export const reservationMoveMachine = setup({
  types: { context: {} as ReservationMoveContext, events: {} as ReservationMoveEvent, tags: {} as 'carrying' | 'asking' | 'saving' },
  actors: { moveReservation: unplugged<void, { item: MovedReservation; target: ReservationPlace }>('moveReservation') },
  actions: {
    pick: assign((_, { item }: { item: MovedReservation }) => ({ item, target: null, problem: null })),
    aim: assign((_, { target }: { target: ReservationPlace }) => ({ target })),
    count: assign({ moved: ({ context }) => context.moved + 1 }),
    rememberProblem: assign((_, { error }: { error: unknown }) => ({ problem: problemOf(error) })),
    forget: assign({ item: null, target: null, problem: null }),
  },
  guards: {
    isElsewhere: ({ context }, { target }: { target: ReservationPlace }) => context.item !== null && !isSame(context.item, target),
  },
  delays: { answerTimeout },
}).createMachine({
  id: 'reservationMove',
  context: { item: null, target: null, problem: null, moved: 0 },
  initial: 'resting',
  states: {
    resting: {
      entry: 'forget',
      on: { 'move.pick': { target: 'carrying', actions: { type: 'pick', params: ({ event }) => event } } },
    },
    carrying: {
      tags: 'carrying',
      on: {
        'move.drop': [
          {
            guard: { type: 'isElsewhere', params: ({ event }) => event },
            target: 'asking',
            actions: { type: 'aim', params: ({ event }) => event },
          },
          { target: 'resting' },
        ],
        'move.cancel': { target: 'resting' },
      },
    },
    asking: { tags: 'asking', on: { 'move.confirm': { target: 'saving' }, 'move.cancel': { target: 'resting' } } },
    saving: {
      tags: ['asking', 'saving'],
      invoke: {
        id: 'moveReservation',
        src: 'moveReservation',
        input: ({ context: { item, target } }) => {
          if (!item || !target) throw new Error('nothing is moved');
          return { item, target };
        },
        onDone: { target: 'resting', actions: 'count' },
        onError: { target: 'refused', actions: { type: 'rememberProblem', params: ({ event }) => event } },
      },
      after: { answerTimeout: { target: 'refused', actions: { type: 'rememberProblem', params: { error: timedOut } } } },
    },
    // Somebody else may have changed it meanwhile: what is shown is read anew with the way back.
    refused: { tags: 'asking', on: { 'move.cancel': { target: 'resting', actions: 'count' } } },
  },
});
export type ReservationMoveActor = ActorRefFrom<typeof reservationMoveMachine>;
