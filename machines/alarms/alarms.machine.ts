// Keeps in order: the alarms that nobody has processed yet, and the ringing until somebody has taken each of them on.
// Spawned by: console, as systemId alarms.
// Asks (ports): readAlarms; its children: claimAlarm, processAlarm.
// Tells (facts): sound.play, topics.want; passes requests for alerts up.
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import { alarmsSetup, seesAlarms } from './alarms.setup.ts';
import type { OpenAlarmActor } from './open-alarm.machine.ts';
import { problemAlert } from '../alert-requests.ts';

/** Alarms at this desk; for whoever may not see them nothing is read and nothing rings. */
export const alarmsMachine = alarmsSetup.createMachine({
  id: 'alarms',
  context: ({ input }) => ({ me: input.profile.id, sees: seesAlarms(input.profile), alarms: [], total: 0, closed: [] }),
  type: 'parallel',
  on: {
    'profile.changed': { actions: { type: 'judge', params: ({ event }) => event } },
    'alarm.changed': { actions: { type: 'takeChange', params: ({ event }) => event } },
    'alert.show': { actions: { type: 'notify', params: ({ event }) => event } },
    'xstate.done.actor.*': { actions: { type: 'drop', params: ({ event }) => event } },
    'xstate.error.actor.*': {
      actions: [
        { type: 'drop', params: ({ event }) => event },
        { type: 'notify', params: ({ event }) => problemAlert(event.error) },
      ],
    },
  },
  states: {
    watch: {
      initial: 'blind',
      states: {
        blind: { always: { guard: 'sees', target: 'watching' } },
        watching: {
          initial: 'reading',
          entry: { type: 'want', params: { wanted: true } },
          exit: [{ type: 'want', params: { wanted: false } }, 'dropAll'],
          always: { guard: 'isBlind', target: 'blind' },
          on: { 'realtime.resynced': { target: '.reading' } },
          states: {
            current: {
              on: { 'realtime.events': { target: 'reading' }, 'alarm.notified': { target: 'reading' }, 'alarms.stale': { target: 'reading' } },
            },
            reading: {
              initial: 'onTime',
              invoke: {
                id: 'readAlarms',
                src: 'readAlarms',
                onDone: [
                  { guard: 'isOutdated', target: 'reading', reenter: true, actions: { type: 'takeAlarms', params: ({ event }) => event.output } },
                  { target: 'current', actions: { type: 'takeAlarms', params: ({ event }) => event.output } },
                ],
                onError: { target: 'unreachable' },
              },
              after: { answerTimeout: 'unreachable' },
              states: {
                onTime: {
                  on: { 'realtime.events': { target: 'outdated' }, 'alarm.notified': { target: 'outdated' }, 'alarms.stale': { target: 'outdated' } },
                },
                outdated: {},
              },
            },
            unreachable: { after: { retryPause: 'reading' } },
          },
        },
      },
    },
    bell: {
      initial: 'silent',
      states: {
        silent: { on: { 'alarm.raised': { target: 'ringing' } } },
        ringing: {
          tags: 'ringing',
          entry: { type: 'notify', params: { type: 'sound.play', sound: 'alarm' } },
          always: { guard: 'noneWaiting', target: 'silent' },
          on: { 'alarm.raised': { target: 'ringing', reenter: true } },
          after: { alarmRering: { target: 'ringing', reenter: true } },
        },
      },
    },
  },
});
export type AlarmsActor = ActorRefFrom<typeof alarmsMachine>;
type AlarmsSnapshot = SnapshotFrom<typeof alarmsMachine>;

/** What this desk does about one of the open alarms. */
export const openAlarmOf = ({ children }: AlarmsSnapshot, id: string): OpenAlarmActor | undefined =>
  children[`alarm:${id}`] as OpenAlarmActor | undefined;
