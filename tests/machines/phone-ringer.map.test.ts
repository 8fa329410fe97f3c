import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { ringerMachine } from '#machines/phone/ringer.machine.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';

const samples = {
  'ringer.wanted': [
    { type: 'ringer.wanted', tone: null },
    { type: 'ringer.wanted', tone: 'call' },
    { type: 'ringer.wanted', tone: 'sos' },
  ],
  'ringer.armed': { type: 'ringer.armed' },
  'ringer.refused': { type: 'ringer.refused' },
  'ringer.arm': { type: 'ringer.arm' },
  'ringer.test': { type: 'ringer.test', tone: 'call' },
} satisfies Samples<EventFromLogic<typeof ringerMachine>>;

describe('the ringer', () => {
  mapTests(ringerMachine, {
    inputs: [undefined as never],
    samples,
    answers: { ringerSound: [] },
    words: ({ context }) => `[${(context as { tone: string | null }).tone ?? 'nothing'}]`,
  });
});
