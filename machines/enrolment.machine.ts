// Keeps in order: enrolling one card: a reader is chosen and told to wait, the next card presented there comes back, or nobody comes.
// Spawned by: workspace, as enrolment:<view> for as long as its view stands.
// Asks (ports): reader; it lets go of the reader whenever it is closed.
// Tells (facts): nothing.
import { type ActorRefFrom, assign, type EventObject, setup } from 'xstate';
import type { PresentedCard } from '#models/enrolment.ts';
import type { Problem } from '#models/problem.ts';
import { answerTimeout, problemOf, timedOut, unpluggedLasting } from './port.ts';

type EnrolmentCommand = { type: 'enrolment.begin'; device: string } | { type: 'enrolment.cancel' };
/** What the way to a reader reports. */
export type ReaderReport =
  /** It waits for a card, for so many seconds. */
  | { type: 'reader.armed'; seconds: number }
  | { type: 'reader.presented'; card: PresentedCard }
  /** Its time is up and nobody came. */
  | { type: 'reader.silent' }
  | { type: 'reader.refused'; problem: Problem };

/** What it holds. */
export interface EnrolmentContext {
  device: string;
  /** How long the reader waits, from the moment it said so. */
  seconds: number;
  card: PresentedCard | null;
  problem: Problem | null;
}

/** One card at one reader. While the way to the reader is open the card goes to nobody else, and opens nothing. */
export const enrolmentMachine = setup({
  types: {
    context: {} as EnrolmentContext,
    events: {} as EnrolmentCommand | ReaderReport,
    tags: {} as 'arming' | 'waiting' | 'read' | 'silent' | 'failed',
  },
  actors: { reader: unpluggedLasting<EventObject, { device: string }>('reader') },
  actions: {
    choose: assign((_, { device }: { device: string }) => ({ device, seconds: 0, card: null, problem: null })),
    noteArmed: assign((_, { seconds }: { seconds: number }) => ({ seconds })),
    storeCard: assign((_, { card }: { card: PresentedCard }) => ({ card })),
    storeProblem: assign((_, { error }: { error: unknown }) => ({ problem: problemOf(error) })),
  },
  delays: {
    answerTimeout,
    /** The server says itself when time is up; later than that nobody says anything any more. */
    longestWait: ({ context }) => context.seconds * 1_000 + answerTimeout,
  },
}).createMachine({
  id: 'enrolment',
  context: { device: '', seconds: 0, card: null, problem: null },
  initial: 'choosing',
  states: {
    choosing: {
      initial: 'fresh',
      on: { 'enrolment.begin': { target: 'held', actions: { type: 'choose', params: ({ event }) => event } } },
      states: {
        fresh: {},
        /** Nobody came in time. */
        silent: { tags: 'silent' },
        refused: { tags: 'failed' },
      },
    },
    held: {
      initial: 'arming',
      invoke: {
        id: 'reader',
        src: 'reader',
        input: ({ context }) => ({ device: context.device }),
        onError: { target: 'choosing.refused', actions: { type: 'storeProblem', params: ({ event }) => event } },
      },
      on: {
        'enrolment.cancel': { target: 'choosing' },
        'reader.refused': { target: 'choosing.refused', actions: { type: 'storeProblem', params: ({ event }) => ({ error: event.problem }) } },
      },
      states: {
        arming: {
          tags: 'arming',
          on: { 'reader.armed': { target: 'waiting', actions: { type: 'noteArmed', params: ({ event }) => event } } },
          after: { answerTimeout: { target: '#enrolment.choosing.refused', actions: { type: 'storeProblem', params: { error: timedOut } } } },
        },
        waiting: {
          tags: 'waiting',
          on: {
            'reader.presented': { target: '#enrolment.read', actions: { type: 'storeCard', params: ({ event }) => event } },
            'reader.silent': { target: '#enrolment.choosing.silent' },
          },
          after: { longestWait: '#enrolment.choosing.silent' },
        },
      },
    },
    read: {
      tags: 'read',
      on: { 'enrolment.begin': { target: 'held', actions: { type: 'choose', params: ({ event }) => event } } },
    },
  },
});
export type EnrolmentActor = ActorRefFrom<typeof enrolmentMachine>;
