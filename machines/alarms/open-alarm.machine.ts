// Keeps in order: one alarm at this desk: waiting for somebody, being taken on, taken on, being processed.
// Spawned by: alarms, as alarm:<id>, until the alarm was processed.
// Asks (ports): claimAlarm, processAlarm.
// Tells (facts): alarm.changed, alarms.stale; passes requests for alerts up.
import { type ActorRefFrom, assign, enqueueActions, setup } from 'xstate';
import type { DeviceAlarm } from '#models/device-alarms.ts';
import type { Problem } from '#models/problem.ts';
import type { AlertsRequest } from '../alerts/alerts.machine.ts';
import { mayHappen } from '../lifecycles/alarm.machine.ts';
import { answerTimeout, parentOf, problemOf, timedOut, unplugged } from '../port.ts';
import { doneAlert, problemAlert } from '../alert-requests.ts';

type OpenAlarmEvent =
  /** The alarm as the server has it now. */
  | { type: 'alarm.seen'; alarm: DeviceAlarm }
  | { type: 'alarm.claim' }
  | { type: 'alarm.process'; comment: string | null }
  /** Taken off this screen for this session; possible once somebody has taken the alarm on. */
  | { type: 'alarm.hide' }
  | { type: 'alarm.show' };
export type OpenAlarmFact = AlertsRequest | { type: 'alarm.changed'; alarm: DeviceAlarm } | { type: 'alarms.stale' };

/** What it holds. */
export interface OpenAlarmContext {
  alarm: DeviceAlarm;
  /** The id of who sits here. */
  me: string;
  comment: string | null;
  /** Why the last attempt to process it failed. */
  problem: Problem | null;
}

/** One alarm and what this desk does about it. */
export const openAlarmMachine = setup({
  types: {
    input: {} as { alarm: DeviceAlarm; me: string },
    context: {} as OpenAlarmContext,
    events: {} as OpenAlarmEvent,
    emitted: {} as OpenAlarmFact,
    tags: {} as 'claiming' | 'claimed' | 'processing' | 'hidden',
  },
  actors: {
    claimAlarm: unplugged<DeviceAlarm, { id: string }>('claimAlarm'),
    processAlarm: unplugged<DeviceAlarm, { id: string; comment: string | null }>('processAlarm'),
  },
  actions: {
    store: assign({ alarm: (_, { alarm }: { alarm: DeviceAlarm }) => alarm }),
    storeComment: assign({ comment: (_, { comment }: { comment: string | null }) => comment, problem: null }),
    storeProblem: assign({ problem: (_, { error }: { error: unknown }) => problemOf(error) }),
    notify: enqueueActions(({ enqueue, self }, { facts }: { facts: readonly OpenAlarmFact[] }) => {
      const parent = parentOf(self);
      for (const fact of facts) {
        enqueue.emit(fact);
        if (parent) enqueue.sendTo(parent, fact);
      }
    }),
  },
  guards: {
    isNewer: ({ context }, { alarm }: { alarm: DeviceAlarm }) => alarm.version > context.alarm.version,
    isWaiting: ({ context }) => mayHappen(context.alarm, { type: 'alarm.claim' }),
    mayProcess: ({ context }) => mayHappen(context.alarm, { type: 'alarm.process', by: context.me }),
  },
  delays: { answerTimeout },
}).createMachine({
  id: 'openAlarm',
  context: ({ input }) => ({ alarm: input.alarm, me: input.me, comment: null, problem: null }),
  initial: 'looking',
  on: { 'alarm.seen': { guard: { type: 'isNewer', params: ({ event }) => event }, actions: { type: 'store', params: ({ event }) => event } } },
  states: {
    looking: { always: [{ guard: 'isWaiting', target: 'waiting' }, { target: 'claimed' }] },
    waiting: {
      on: {
        'alarm.seen': {
          guard: { type: 'isNewer', params: ({ event }) => event },
          target: 'looking',
          actions: { type: 'store', params: ({ event }) => event },
        },
        'alarm.claim': { target: 'claiming' },
      },
    },
    claiming: {
      tags: 'claiming',
      invoke: {
        id: 'claimAlarm',
        src: 'claimAlarm',
        input: ({ context }) => ({ id: context.alarm.id }),
        onDone: {
          target: 'looking',
          actions: [
            { type: 'store', params: ({ event }) => ({ alarm: event.output }) },
            { type: 'notify', params: ({ event }) => ({ facts: [{ type: 'alarm.changed', alarm: event.output }] }) },
          ],
        },
        // Who was first is told by name: it is in the refusal.
        onError: {
          target: 'looking',
          actions: { type: 'notify', params: ({ event }) => ({ facts: [problemAlert(event.error), { type: 'alarms.stale' }] }) },
        },
      },
      after: {
        answerTimeout: { target: 'looking', actions: { type: 'notify', params: { facts: [problemAlert(timedOut), { type: 'alarms.stale' }] } } },
      },
    },
    claimed: {
      tags: 'claimed',
      initial: 'shown',
      on: {
        'alarm.process': { guard: 'mayProcess', target: 'processing', actions: { type: 'storeComment', params: ({ event }) => event } },
      },
      states: {
        shown: { on: { 'alarm.hide': { target: 'hidden' } } },
        hidden: { tags: 'hidden', on: { 'alarm.show': { target: 'shown' } } },
      },
    },
    processing: {
      tags: ['processing', 'claimed'],
      invoke: {
        id: 'processAlarm',
        src: 'processAlarm',
        input: ({ context }) => ({ id: context.alarm.id, comment: context.comment }),
        onDone: {
          target: 'processed',
          actions: { type: 'notify', params: ({ event }) => ({ facts: [{ type: 'alarm.changed', alarm: event.output }, doneAlert()] }) },
        },
        onError: {
          target: 'claimed',
          actions: [
            { type: 'storeProblem', params: ({ event }) => event },
            { type: 'notify', params: ({ event }) => ({ facts: [problemAlert(event.error), { type: 'alarms.stale' }] }) },
          ],
        },
      },
      after: {
        answerTimeout: {
          target: 'claimed',
          actions: [
            { type: 'storeProblem', params: { error: timedOut } },
            { type: 'notify', params: { facts: [problemAlert(timedOut), { type: 'alarms.stale' }] } },
          ],
        },
      },
    },
    processed: { type: 'final' },
  },
});
export type OpenAlarmActor = ActorRefFrom<typeof openAlarmMachine>;
