import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { deviceSearchMachine } from '#machines/device-search.machine.ts';
import type { DeviceSearch } from '#models/device-calls.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { uuid } from '#tests/support/people.ts';

const running: DeviceSearch = { request_id: uuid(7), state: 'running', done: 3, total: 10, found: [] };
const ended = (state: DeviceSearch['state']): DeviceSearch => ({ ...running, state, done: 10 });

const samples = {
  'search.start': { type: 'search.start', start_ip: '10.0.0.1', end_ip: '10.0.0.10', request_id: uuid(7) },
  'search.cancel': { type: 'search.cancel' },
} satisfies Samples<EventFromLogic<typeof deviceSearchMachine>>;

describe('a search for devices', () => {
  mapTests(deviceSearchMachine, {
    inputs: [undefined],
    samples,
    answers: { startSearch: [running, ended('completed')], readSearch: [running, ended('completed'), ended('cancelled')], cancelSearch: [undefined] },
    words: ({ context }) => {
      const { failures } = context as { failures: number };
      return failures > 0 ? `[${failures} failed]` : '';
    },
  });
});
