import { describe, expect, it } from 'vitest';
import { alarmMachine, mayHappen } from '#machines/lifecycles/alarm.machine.ts';
import { mapTests } from '#tests/support/machine-map.ts';
import { anna } from '#tests/support/people.ts';
import { alarm, boris, claimedBy, processedBy } from '#tests/support/watch.ts';

describe('the life of an alarm', () => {
  mapTests(alarmMachine, {
    inputs: [undefined],
    samples: {
      'sensor.cleared': { type: 'sensor.cleared' },
      'sensor.tripped': { type: 'sensor.tripped' },
      'alarm.claim': { type: 'alarm.claim' },
      'alarm.process': { type: 'alarm.process', by: anna.id },
      'alarm.comment': [
        { type: 'alarm.comment', by: anna.id },
        { type: 'alarm.comment', by: boris.id },
      ],
    },
  });

  it('goes on from where it was stored', () => {
    const may = (stored: ReturnType<typeof alarm>) => ({
      claim: mayHappen(stored, { type: 'alarm.claim' }),
      process: mayHappen(stored, { type: 'alarm.process', by: anna.id }),
      comment: mayHappen(stored, { type: 'alarm.comment', by: anna.id }),
      clear: mayHappen(stored, { type: 'sensor.cleared' }),
    });
    expect(may(alarm(1))).toEqual({ claim: true, process: true, comment: false, clear: true });
    expect(may(alarm(1, { state: 'disabled' }))).toEqual({ claim: true, process: true, comment: false, clear: false });
    expect(may(claimedBy(boris))).toEqual({ claim: false, process: true, comment: false, clear: true });
    expect(may(processedBy(anna))).toEqual({ claim: false, process: false, comment: true, clear: false });
    expect(may(processedBy(boris)).comment).toBe(false);
  });
});
