import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { selfTestMachine } from '#machines/phone/self-test.machine.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';

const samples = { 'selfTest.run': { type: 'selfTest.run', at: 1 } } satisfies Samples<EventFromLogic<typeof selfTestMachine>>;

describe('the check before a shift', () => {
  mapTests(selfTestMachine, {
    inputs: [undefined as never],
    samples,
    answers: {
      runSelfTest: [[{ check: 'secure', outcome: 'passed', detail: null }], [{ check: 'microphone', outcome: 'failed', detail: null }]],
    },
  });
});
