// Keeps in order: whether calls of chosen groups come to this desk first, and of which groups.
// Spawned by: phone.
// Asks (ports): readInterception, setInterception.
// Tells (facts): requests for alerts.
import { type ActorRefFrom, assign, enqueueActions, setup } from 'xstate';
import type { AlertsRequest } from '../alerts/alerts.machine.ts';
import { answerTimeout, parentOf, problemOf, timedOut } from '../port.ts';
import { problemAlert } from '../alert-requests.ts';
import { type InterceptionSettings, readInterception, setInterception } from './ports.ts';
import type { InterceptedGroup } from './types.ts';

/** That nobody answers is said for the whole console, and here in its place; it is asked for again and again. */
const alertOf = (error: unknown): AlertsRequest | null => (problemOf(error).code === 'offline' ? null : problemAlert(error));

type InterceptionEvent =
  | { type: 'interception.start' }
  | { type: 'interception.stop' }
  | { type: 'interception.reread' }
  /** The person's role may be another by now. */
  | { type: 'interception.permit'; isPermitted: boolean }
  /** A group is put on the list, and chosen. */
  | { type: 'interception.add'; group: InterceptedGroup }
  /** A group on the list is chosen, or no longer. */
  | { type: 'interception.toggle'; id: string };

/** What it holds. */
export interface InterceptionContext {
  isPermitted: boolean;
  /** On the list: one's own, and others that were added. */
  groups: readonly InterceptedGroup[];
  own: readonly string[];
  chosen: readonly string[];
}

const byId = (groups: readonly InterceptedGroup[]): InterceptedGroup[] => [...new Map(groups.map((group) => [group.id, group])).values()];
const warning: AlertsRequest = { type: 'alert.show', alert: { kind: 'warning', key: 'validation.at_least_on_group_must_be_selected' } };

/** Interception of calls (clauses INT-01 to INT-09). */
export const interceptionMachine = setup({
  types: {
    input: {} as { isPermitted: boolean },
    context: {} as InterceptionContext,
    events: {} as InterceptionEvent,
    emitted: {} as AlertsRequest,
    tags: {} as 'inactive' | 'starting' | 'active' | 'stopping' | 'busy' | 'unreachable',
  },
  actors: { readInterception, setInterception },
  actions: {
    permit: assign((_, { isPermitted }: { isPermitted: boolean }) => ({ isPermitted })),
    store: assign((_, { groups, userGroups }: InterceptionSettings) => ({
      groups: byId([...userGroups, ...groups]),
      own: userGroups.map(({ id }) => id),
      chosen: groups.map(({ id }) => id),
    })),
    add: assign(({ context }, { group }: { group: InterceptedGroup }) => ({
      groups: byId([...context.groups, group]),
      chosen: [...new Set([...context.chosen, group.id])],
    })),
    toggle: assign(({ context }, { id }: { id: string }) => ({
      chosen: context.chosen.includes(id) ? context.chosen.filter((other) => other !== id) : [...context.chosen, id],
    })),
    /** Groups that are neither chosen nor one's own leave the list (clause INT-06). */
    dropOthers: assign({ groups: ({ context }) => context.groups.filter(({ id }) => context.chosen.includes(id) || context.own.includes(id)) }),
    notify: enqueueActions(({ enqueue, self }, request: AlertsRequest | null) => {
      if (!request) return;
      enqueue.emit(request);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, request);
    }),
  },
  guards: {
    isPermitted: ({ context }) => context.isPermitted,
    isSame: ({ context }, { isPermitted }: { isPermitted: boolean }) => context.isPermitted === isPermitted,
    hasChosen: ({ context }) => context.chosen.some((id) => context.groups.some((group) => group.id === id)),
    isListed: ({ context }, { id }: { id: string }) => context.groups.some((group) => group.id === id),
    isActive: (_, { isActive }: InterceptionSettings) => isActive,
  },
  delays: { answerTimeout, retryPause: 30_000 },
}).createMachine({
  id: 'interception',
  context: ({ input }) => ({ isPermitted: input.isPermitted, groups: [], own: [], chosen: [] }),
  initial: 'deciding',
  on: {
    'interception.permit': [
      { guard: { type: 'isSame', params: ({ event }) => event } },
      { target: '.deciding', actions: { type: 'permit', params: ({ event }) => event } },
    ],
  },
  states: {
    deciding: { always: [{ guard: 'isPermitted', target: 'reading' }, { target: 'barred' }] },
    barred: {},
    reading: {
      tags: 'busy',
      invoke: {
        id: 'readInterception',
        src: 'readInterception',
        onDone: [
          {
            guard: { type: 'isActive', params: ({ event }) => event.output },
            target: 'active',
            actions: { type: 'store', params: ({ event }) => event.output },
          },
          { target: 'inactive', actions: { type: 'store', params: ({ event }) => event.output } },
        ],
        onError: { target: 'unreachable', actions: { type: 'notify', params: ({ event }) => alertOf(event.error) } },
      },
      after: { answerTimeout: { target: 'unreachable', actions: { type: 'notify', params: problemAlert(timedOut) } } },
    },
    unreachable: { tags: 'unreachable', after: { retryPause: 'reading' }, on: { 'interception.reread': { target: 'reading' } } },
    inactive: {
      tags: 'inactive',
      on: {
        'interception.add': { actions: { type: 'add', params: ({ event }) => event } },
        'interception.toggle': {
          guard: { type: 'isListed', params: ({ event }) => event },
          actions: { type: 'toggle', params: ({ event }) => event },
        },
        'interception.start': [{ guard: 'hasChosen', target: 'starting' }, { actions: { type: 'notify', params: warning } }],
        'interception.reread': { target: 'reading' },
      },
    },
    starting: {
      tags: ['starting', 'busy'],
      invoke: {
        id: 'startInterception',
        src: 'setInterception',
        input: ({ context }) => ({ isActive: true, groups: context.chosen }),
        onDone: { target: 'active', actions: 'dropOthers' },
        // What the server made of it is not known when the answer was lost: it is read.
        onError: { target: 'reading', actions: { type: 'notify', params: ({ event }) => problemAlert(event.error) } },
      },
      after: { answerTimeout: { target: 'reading', actions: { type: 'notify', params: problemAlert(timedOut) } } },
    },
    active: { tags: 'active', on: { 'interception.stop': { target: 'stopping' }, 'interception.reread': { target: 'reading' } } },
    stopping: {
      tags: ['stopping', 'busy'],
      invoke: {
        id: 'stopInterception',
        src: 'setInterception',
        input: ({ context }) => ({ isActive: false, groups: context.chosen }),
        onDone: { target: 'inactive' },
        onError: { target: 'reading', actions: { type: 'notify', params: ({ event }) => problemAlert(event.error) } },
      },
      after: { answerTimeout: { target: 'reading', actions: { type: 'notify', params: problemAlert(timedOut) } } },
    },
  },
});
export type InterceptionActor = ActorRefFrom<typeof interceptionMachine>;
