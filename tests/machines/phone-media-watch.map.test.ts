import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { mediaWatchMachine } from '#machines/phone/call/media-watch.machine.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';

const samples = {
  'leg.path': [
    { type: 'leg.path', state: 'connected' },
    { type: 'leg.path', state: 'disconnected' },
    { type: 'leg.path', state: 'failed' },
  ],
  'leg.flow': [
    { type: 'leg.flow', incoming: true, outgoing: true },
    { type: 'leg.flow', incoming: false, outgoing: true },
    { type: 'leg.flow', incoming: true, outgoing: false },
  ],
} satisfies Samples<EventFromLogic<typeof mediaWatchMachine>>;

describe('the watch over media', () => {
  mapTests(mediaWatchMachine, { inputs: [undefined as never], samples });
});
