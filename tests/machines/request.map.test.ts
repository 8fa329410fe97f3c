import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { requestMachine } from '#machines/request.machine.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';

const samples = {
  'request.run': { type: 'request.run', request: { call: 'removeAvatar', params: { id: '1' } } },
  'request.reset': { type: 'request.reset' },
} satisfies Samples<EventFromLogic<typeof requestMachine>>;

describe('a request', () => {
  mapTests(requestMachine, { inputs: [undefined], samples, answers: { runCall: [null] } });
});
