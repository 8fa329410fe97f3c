import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { enrolmentMachine } from '#machines/enrolment.machine.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { uuid } from '#tests/support/people.ts';

const samples = {
  'enrolment.begin': { type: 'enrolment.begin', device: uuid(1) },
  'enrolment.cancel': { type: 'enrolment.cancel' },
  'reader.armed': { type: 'reader.armed', seconds: 30 },
  'reader.presented': { type: 'reader.presented', card: { type: 'card', value: '00AACBDE', known: null } },
  'reader.silent': { type: 'reader.silent' },
  'reader.refused': { type: 'reader.refused', problem: { code: 'reader_busy' } },
} satisfies Samples<EventFromLogic<typeof enrolmentMachine>>;

describe('the enrolment of a card', () => {
  mapTests(enrolmentMachine, { inputs: [undefined], samples, answers: { reader: [] } });
});
