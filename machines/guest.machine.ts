// Keeps in order: the page of a guest: what the key opens, one door at a time, and what the device said.
// Spawned by: the guest's page, its root.
// Asks (ports): readPage, openDoor.
// Tells (facts): nothing.
import { assign, setup } from 'xstate';
import type { GuestPage } from '#models/guest-access.ts';
import type { Problem } from '#models/problem.ts';
import { answerTimeout, problemOf, timedOut, unplugged } from './port.ts';

type GuestEvent = { type: 'page.retry' } | { type: 'door.open'; device: string };
/** What the server answers about a door that was to be opened. */
export interface GuestOpening {
  outcome: 'confirmed' | 'unconfirmed';
  passes_left: number | null;
}

/** What it holds. */
export interface GuestContext {
  page: GuestPage | null;
  /** The door that was asked for last. */
  device: string | null;
  problem: Problem | null;
}

/** A guest's page: never says that a door is open before the device has said so. */
export const guestMachine = setup({
  types: {
    context: {} as GuestContext,
    events: {} as GuestEvent,
    tags: {} as 'loading' | 'shown' | 'closed' | 'unreachable' | 'opening' | 'opened' | 'unconfirmed' | 'refused',
  },
  actors: {
    readPage: unplugged<GuestPage>('readPage'),
    openDoor: unplugged<GuestOpening, { device: string }>('openDoor'),
  },
  actions: {
    storePage: assign((_, { page }: { page: GuestPage }) => ({ page, problem: null })),
    choose: assign((_, { device }: { device: string }) => ({ device, problem: null })),
    countPasses: assign(({ context }, { passes_left }: GuestOpening) => ({ page: context.page && { ...context.page, passes_left } })),
    storeProblem: assign((_, { error }: { error: unknown }) => ({ problem: problemOf(error) })),
  },
  guards: {
    isListed: ({ context }, { device }: { device: string }) => context.page?.doors.some(({ id }) => id === device) === true,
    isConfirmed: (_, { outcome }: GuestOpening) => outcome === 'confirmed',
    /** What the server says of the key itself, not of the way to it. */
    isAboutKey: (_, { error }: { error: unknown }) => problemOf(error).code.startsWith('guest_'),
    isSpent: ({ context }) => context.page?.passes_left === 0,
  },
  delays: { answerTimeout, openTimeout: 8_000, outcomeTime: 6_000 },
}).createMachine({
  id: 'guest',
  context: { page: null, device: null, problem: null },
  initial: 'loading',
  states: {
    loading: {
      tags: 'loading',
      invoke: {
        id: 'readPage',
        src: 'readPage',
        onDone: { target: 'shown', actions: { type: 'storePage', params: ({ event }) => ({ page: event.output }) } },
        onError: [
          {
            guard: { type: 'isAboutKey', params: ({ event }) => event },
            target: 'closed',
            actions: { type: 'storeProblem', params: ({ event }) => event },
          },
          { target: 'unreachable', actions: { type: 'storeProblem', params: ({ event }) => event } },
        ],
      },
      after: { answerTimeout: { target: 'unreachable', actions: { type: 'storeProblem', params: { error: timedOut } } } },
    },
    unreachable: { tags: 'unreachable', on: { 'page.retry': { target: 'loading' } } },
    /** The key opens nothing, now or any more. */
    closed: { tags: 'closed', on: { 'page.retry': { target: 'loading' } } },
    shown: {
      tags: 'shown',
      initial: 'ready',
      on: {
        'door.open': {
          guard: { type: 'isListed', params: ({ event }) => event },
          target: '.opening',
          actions: { type: 'choose', params: ({ event }) => event },
        },
      },
      states: {
        ready: {},
        opening: {
          tags: 'opening',
          // One door at a time.
          on: { 'door.open': {} },
          invoke: {
            id: 'openDoor',
            src: 'openDoor',
            input: ({ context }) => ({ device: context.device ?? '' }),
            onDone: [
              {
                guard: { type: 'isConfirmed', params: ({ event }) => event.output },
                target: 'opened',
                actions: { type: 'countPasses', params: ({ event }) => event.output },
              },
              { target: 'unconfirmed', actions: { type: 'countPasses', params: ({ event }) => event.output } },
            ],
            onError: { target: 'refused', actions: { type: 'storeProblem', params: ({ event }) => event } },
          },
          after: { openTimeout: { target: 'unconfirmed' } },
        },
        opened: { tags: 'opened', after: { outcomeTime: 'deciding' } },
        unconfirmed: { tags: 'unconfirmed', after: { outcomeTime: 'deciding' } },
        refused: { tags: 'refused', after: { outcomeTime: 'deciding' } },
        /** With the last pass the page is read anew: it says what became of the key. */
        deciding: { always: [{ guard: 'isSpent', target: '#guest.loading' }, { target: 'ready' }] },
      },
    },
  },
});
