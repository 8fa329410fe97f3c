import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { openAlarmMachine } from '#machines/alarms/open-alarm.machine.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { anna } from '#tests/support/people.ts';
import { alarm, boris, claimedBy, processedBy } from '#tests/support/watch.ts';

const samples = {
  'alarm.seen': [
    { type: 'alarm.seen', alarm: claimedBy(boris) },
    { type: 'alarm.seen', alarm: alarm(1, { version: 0 }) },
  ],
  'alarm.claim': { type: 'alarm.claim' },
  'alarm.process': { type: 'alarm.process', comment: 'Toast' },
  'alarm.hide': { type: 'alarm.hide' },
  'alarm.show': { type: 'alarm.show' },
} satisfies Samples<EventFromLogic<typeof openAlarmMachine>>;

describe('an open alarm', () => {
  mapTests(openAlarmMachine, {
    inputs: [
      { alarm: alarm(1), me: anna.id },
      { alarm: claimedBy(boris), me: anna.id },
    ],
    samples,
    answers: { claimAlarm: [claimedBy(anna)], processAlarm: [processedBy(anna)] },
  });
});
