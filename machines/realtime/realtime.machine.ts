// Keeps in order: the realtime channel to the server: connecting, subscribing, signs of life, trying again; who wants which topics.
// Spawned by: console, as systemId realtime.
// Asks (ports): socket (lasting, one connection each), wakeups (lasting).
// Tells (facts): realtime.events, realtime.resynced, realtime.gap, token.rejected.
import type { ActorRefFrom } from 'xstate';
import type { ServerWord } from '#models/realtime.ts';
import { type RealtimeContext, realtimeSetup } from './realtime.setup.ts';
import { wantedAtFirst } from './realtime-topics.ts';

export type { RealtimeFact, SocketCommand, SocketReport, TopicsWanted, WakeReport } from './realtime.setup.ts';

type Chanced = { event: { chance: number } };
const fail = { type: 'fail', params: ({ event }: Chanced) => ({ chance: event.chance }) } as const;
const hear = { type: 'hear', params: ({ event }: { event: { words: readonly ServerWord[]; at: string } }) => event } as const;
const notifyGap = {
  type: 'notify',
  params: ({ context }: { context: RealtimeContext }) => ({ type: 'realtime.gap', asOf: context.heardAt }) as const,
} as const;
const refused = [
  {
    guard: { type: 'isSpent', params: ({ event }: { event: { spent: boolean } }) => event },
    target: '#realtime.link.open',
    reenter: true,
    actions: fail,
  },
  { guard: 'hasRenewed', target: '#realtime.link.disconnected.waiting', actions: fail },
  { target: '#realtime.link.disconnected.renewing', actions: fail },
] as const;
const closed = { target: '#realtime.link.disconnected.waiting', actions: fail } as const;

/** The realtime channel (spec B7, RT-08 to RT-10). */
export const realtimeMachine = realtimeSetup.createMachine({
  id: 'realtime',
  context: ({ input }) => ({ ...wantedAtFirst(input.wanted, input.isLate), failures: 0, chance: 0.5, heardAt: null, renewed: false }),
  type: 'parallel',
  // Without word from the page around, timers alone find out.
  invoke: { id: 'wakeups', src: 'wakeups', onError: { actions: [] } },
  on: { 'topics.want': { actions: { type: 'want', params: ({ event }) => ({ ...event, live: false }) } } },
  states: {
    link: {
      initial: 'open',
      states: {
        disconnected: {
          tags: 'disconnected',
          initial: 'waiting',
          states: {
            waiting: {
              after: { retryPause: '#realtime.link.open' },
              on: { 'link.nudged': { target: '#realtime.link.open' }, 'token.renewed': { target: '#realtime.link.open' } },
            },
            renewing: {
              entry: ['markRenewed', { type: 'notify', params: { type: 'token.rejected' } }],
              after: { renewTimeout: '#realtime.link.open' },
              on: { 'token.renewed': { target: '#realtime.link.open' } },
            },
          },
        },
        open: {
          initial: 'connecting',
          invoke: { id: 'socket', src: 'socket', onError: { target: '#realtime.link.disconnected.waiting', actions: { type: 'fail', params: {} } } },
          on: { 'socket.closed': closed, 'socket.refused': refused },
          states: {
            connecting: {
              tags: 'connecting',
              on: { 'socket.opened': { target: 'connected' } },
              after: { connectTimeout: { target: '#realtime.link.disconnected.waiting', actions: { type: 'fail', params: {} } } },
            },
            connected: {
              tags: 'connected',
              type: 'parallel',
              entry: 'noteUp',
              exit: [notifyGap, 'noteDown'],
              on: { 'topics.want': { actions: { type: 'want', params: ({ event }) => ({ ...event, live: true }) } } },
              states: {
                pulse: {
                  initial: 'hearing',
                  states: {
                    hearing: {
                      after: { quietTime: 'probing' },
                      on: { 'socket.heard': { target: 'hearing', reenter: true, actions: hear }, 'link.nudged': { target: 'probing' } },
                    },
                    probing: {
                      entry: 'probe',
                      after: { probeTime: { target: '#realtime.link.disconnected.waiting', actions: { type: 'fail', params: {} } } },
                      on: { 'socket.heard': { target: 'hearing', actions: hear } },
                    },
                  },
                },
                subscribing: {
                  initial: 'answered',
                  states: {
                    answered: { always: { guard: 'isUnanswered', target: 'asking' } },
                    asking: {
                      always: [
                        { guard: 'hasUnasked', actions: { type: 'ask', params: { again: false } } },
                        { guard: 'isAnswered', target: 'answered' },
                      ],
                      after: { answerPause: { target: 'asking', reenter: true, actions: { type: 'ask', params: { again: true } } } },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
    standing: {
      initial: 'awaited',
      states: {
        live: { on: { 'link.down': { target: 'awaited' } } },
        awaited: { after: { gapTimeout: 'apart' }, on: { 'link.up': { target: 'live' } } },
        apart: { tags: 'apart', on: { 'link.up': { target: 'live' } } },
      },
    },
  },
});
export type RealtimeActor = ActorRefFrom<typeof realtimeMachine>;
