import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { alertMachine } from '#machines/alerts/alert.machine.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';

const samples = {
  'alert.close': { type: 'alert.close' },
  'alert.hold': { type: 'alert.hold' },
  'alert.release': { type: 'alert.release' },
  'alert.repeat': { type: 'alert.repeat' },
} satisfies Samples<EventFromLogic<typeof alertMachine>>;

describe('an alert', () => {
  mapTests(alertMachine, {
    inputs: [{ alert: { kind: 'success', key: 'interface.done' } }, { alert: { kind: 'warning', key: 'interface.licence_ends', duration: 0 } }],
    samples,
  });
});
