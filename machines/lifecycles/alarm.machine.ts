// Keeps in order: the life of one alarm: the sensor trips and clears, somebody takes it on, somebody has seen to it.
// Spawned by: nobody; the server refuses what it refuses, views offer what it offers.
// Asks (ports): nothing.
// Tells (facts): nothing.
import { assign, setup } from 'xstate';
import type { DeviceAlarm } from '#models/device-alarms.ts';

type AlarmEvent =
  | { type: 'sensor.cleared' }
  | { type: 'sensor.tripped' }
  | { type: 'alarm.claim' }
  | { type: 'alarm.process'; by: string }
  | { type: 'alarm.comment'; by: string };

/** The life of one alarm. The sensor clearing ends nothing: an alarm is over when somebody has processed it. */
export const alarmMachine = setup({
  types: {
    context: {} as { processedBy: string | null },
    events: {} as AlarmEvent,
  },
  actions: { rememberAuthor: assign({ processedBy: (_, { by }: { by: string }) => by }) },
  guards: { isAuthor: ({ context }, { by }: { by: string }) => context.processedBy === by },
}).createMachine({
  id: 'alarm',
  context: { processedBy: null },
  initial: 'open',
  states: {
    open: {
      type: 'parallel',
      on: { 'alarm.process': { target: 'processed', actions: { type: 'rememberAuthor', params: ({ event }) => event } } },
      states: {
        sensor: {
          initial: 'tripped',
          states: {
            tripped: { on: { 'sensor.cleared': { target: 'cleared' } } },
            cleared: { on: { 'sensor.tripped': { target: 'tripped' } } },
          },
        },
        desk: {
          initial: 'waiting',
          states: {
            waiting: { on: { 'alarm.claim': { target: 'claimed' } } },
            claimed: {},
          },
        },
      },
    },
    processed: {
      on: { 'alarm.comment': { guard: { type: 'isAuthor', params: ({ event }) => event }, target: 'processed' } },
    },
  },
});

type Standing = Pick<DeviceAlarm, 'state' | 'claimed_by' | 'processed_by'>;

/** Where in its life a stored alarm stands. */
const standing = ({ state, claimed_by, processed_by }: Standing) =>
  alarmMachine.resolveState({
    value:
      state === 'processed'
        ? 'processed'
        : { open: { sensor: state === 'enabled' ? 'tripped' : 'cleared', desk: claimed_by ? 'claimed' : 'waiting' } },
    context: { processedBy: processed_by?.id ?? null },
  });

/** May this happen to an alarm as it stands? */
export const mayHappen = (alarm: Standing, event: AlarmEvent): boolean => standing(alarm).can(event);
