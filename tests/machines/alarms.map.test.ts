import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { alarmsMachine } from '#machines/alarms/alarms.machine.ts';
import type { AlarmsContext } from '#machines/alarms/alarms.setup.ts';
import { topics } from '#models/realtime.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { anna } from '#tests/support/people.ts';
import { alarm, boris, claimedBy, deskAnna, processedBy } from '#tests/support/watch.ts';

const samples = {
  'profile.changed': [
    { type: 'profile.changed', profile: deskAnna },
    { type: 'profile.changed', profile: anna },
  ],
  'realtime.events': {
    type: 'realtime.events',
    events: [{ topic: topics.area('device-alarms'), name: 'RowsChanged', payload: { area: 'device-alarms', ids: [] } }],
  },
  'realtime.resynced': { type: 'realtime.resynced', topics: [topics.area('device-alarms')] },
  'alarm.notified': { type: 'alarm.notified' },
  'alarm.raised': { type: 'alarm.raised' },
  'alarm.changed': [
    { type: 'alarm.changed', alarm: claimedBy(anna) },
    { type: 'alarm.changed', alarm: processedBy(anna) },
  ],
  'alarms.stale': { type: 'alarms.stale' },
  'alert.show': { type: 'alert.show', alert: { kind: 'success', key: 'interface.done' } },
  'dialog.ask': [],
  'dialog.withdraw': [],
} satisfies Samples<EventFromLogic<typeof alarmsMachine>>;

describe('the alarms', () => {
  mapTests(alarmsMachine, {
    inputs: [{ profile: deskAnna }, { profile: anna }],
    samples,
    answers: {
      readAlarms: [
        { alarms: [], total: 0 },
        { alarms: [alarm(1)], total: 1 },
        { alarms: [claimedBy(boris)], total: 1 },
      ],
    },
    children: [
      { type: 'xstate.done.actor.alarm:1', actorId: `alarm:${alarm(1).id}` },
      { type: 'xstate.error.actor.alarm:1', actorId: `alarm:${alarm(1).id}`, error: { code: 'internal' } },
    ],
    words: ({ context }) => {
      const { alarms, sees, closed } = context as AlarmsContext;
      return [
        sees ? '' : '[sees none]',
        ...alarms.map(({ claimed_by }) => (claimed_by ? '[claimed]' : '[waiting]')),
        closed.length > 0 ? '[one closed]' : '',
      ]
        .filter(Boolean)
        .join(' ');
    },
  });
});
