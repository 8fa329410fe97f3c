// Keeps in order: the doors this person may open from the desk, and what became of the last opening.
// Spawned by: phone.
// Asks (ports): readDoors, openDoor.
// Tells (facts): requests for alerts.
import { type ActorRefFrom, assertEvent, assign, enqueueActions, setup } from 'xstate';
import type { Problem } from '#models/problem.ts';
import type { AlertsRequest } from '../alerts/alerts.machine.ts';
import { answerTimeout, parentOf, problemOf, timedOut } from '../port.ts';
import { problemAlert } from '../alert-requests.ts';
import { type ConciergeDoor, type DoorOutcome, openDoor, readDoors } from './ports.ts';

type DoorEvent =
  | { type: 'door.read' }
  /** `speechId`: during which call; the trail then names it. */
  | { type: 'door.open'; token: string; speechId: string | null; reason: string | null };

/** What it holds. */
export interface DoorContext {
  doors: readonly ConciergeDoor[];
  /** The token of the door that was opened last. */
  chosen: string | null;
  /** Why the last opening was refused. */
  problem: Problem | null;
}

/** The doors and one opening at a time: never shown as open before the device has said so. */
export const doorMachine = setup({
  types: {
    context: {} as DoorContext,
    events: {} as DoorEvent,
    emitted: {} as AlertsRequest,
    tags: {} as 'reading' | 'unreachable' | 'sent' | DoorOutcome | 'refused',
  },
  actors: { readDoors, openDoor },
  actions: {
    store: assign((_, { doors }: { doors: readonly ConciergeDoor[] }) => ({ doors })),
    choose: assign((_, { token }: { token: string }) => ({ chosen: token })),
    storeProblem: assign((_, { error }: { error: unknown }) => ({ problem: problemOf(error) })),
    forgetProblem: assign({ problem: null }),
    notify: enqueueActions(({ enqueue, self }, request: AlertsRequest) => {
      enqueue.emit(request);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, request);
    }),
  },
  guards: {
    isListed: ({ context }, { token }: { token: string }) => context.doors.some((door) => door.token === token),
    isConfirmed: (_, { outcome }: { outcome: DoorOutcome }) => outcome === 'confirmed',
  },
  delays: { answerTimeout, openTimeout: 6_000, outcomeTime: 5_000 },
}).createMachine({
  id: 'door',
  context: { doors: [], chosen: null, problem: null },
  type: 'parallel',
  states: {
    list: {
      initial: 'unread',
      states: {
        unread: { on: { 'door.read': { target: 'reading' } } },
        reading: {
          tags: 'reading',
          invoke: {
            id: 'readDoors',
            src: 'readDoors',
            onDone: { target: 'read', actions: { type: 'store', params: ({ event }) => ({ doors: event.output }) } },
            onError: { target: 'unreachable', actions: { type: 'notify', params: ({ event }) => problemAlert(event.error) } },
          },
          after: { answerTimeout: { target: 'unreachable', actions: { type: 'notify', params: problemAlert(timedOut) } } },
        },
        read: { on: { 'door.read': { target: 'reading' } } },
        unreachable: { tags: 'unreachable', on: { 'door.read': { target: 'reading' } } },
      },
    },
    attempt: {
      initial: 'resting',
      states: {
        resting: {
          initial: 'none',
          on: {
            'door.open': {
              guard: { type: 'isListed', params: ({ event }) => event },
              target: 'sent',
              actions: { type: 'choose', params: ({ event }) => event },
            },
          },
          states: {
            none: {},
            confirmed: { tags: 'confirmed', after: { outcomeTime: 'none' } },
            unconfirmed: { tags: 'unconfirmed', after: { outcomeTime: 'none' } },
            refused: { tags: 'refused', after: { outcomeTime: 'none' } },
          },
        },
        sent: {
          tags: 'sent',
          entry: 'forgetProblem',
          invoke: {
            id: 'openDoor',
            src: 'openDoor',
            input: ({ event }) => {
              assertEvent(event, 'door.open');
              return { token: event.token, speechId: event.speechId, reason: event.reason };
            },
            onDone: [
              { guard: { type: 'isConfirmed', params: ({ event }) => event.output }, target: 'resting.confirmed' },
              { target: 'resting.unconfirmed' },
            ],
            onError: {
              target: 'resting.refused',
              actions: [
                { type: 'storeProblem', params: ({ event }) => event },
                { type: 'notify', params: ({ event }) => problemAlert(event.error) },
              ],
            },
          },
          after: { openTimeout: 'resting.unconfirmed' },
        },
      },
    },
  },
});
export type DoorActor = ActorRefFrom<typeof doorMachine>;
