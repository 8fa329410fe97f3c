import type { EventFromLogic } from 'xstate';
import { describe, expect, it } from 'vitest';
import { emergencyAlertMachine, mayHappenToAlert } from '#machines/lifecycles/emergency-alert.machine.ts';
import { emergencyAlertStatuses } from '#models/emergency-alerts.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';

const samples = {
  'alert.start': { type: 'alert.start' },
  'alert.stop': { type: 'alert.stop' },
  'alert.change': { type: 'alert.change' },
  'alert.delete': { type: 'alert.delete' },
} satisfies Samples<EventFromLogic<typeof emergencyAlertMachine>>;

const statusesThat = (event: keyof typeof samples): string[] => emergencyAlertStatuses.filter((status) => mayHappenToAlert(status, event));

describe('the life of an emergency alert', () => {
  mapTests(emergencyAlertMachine, { inputs: [undefined], samples });

  it('has the statuses of the model, until it is deleted', () => {
    expect(Object.keys(emergencyAlertMachine.states).toSorted()).toEqual([...emergencyAlertStatuses, 'deleted'].toSorted());
  });

  it('is neither changed nor deleted while it is out', () => {
    expect(statusesThat('alert.change')).toEqual(['new', 'stopped']);
    expect(statusesThat('alert.delete')).toEqual(['new', 'stopped']);
  });

  it('is started while it is not out, and stopped while it is', () => {
    expect(statusesThat('alert.start')).toEqual(['new', 'stopped']);
    expect(statusesThat('alert.stop')).toEqual(['started']);
  });
});
