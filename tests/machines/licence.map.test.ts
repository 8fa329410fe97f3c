import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { licenceMachine } from '#machines/licence/licence.machine.ts';
import { licenceWarnings, type LicenceStatusReport } from '#models/licences.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';

const at = 1_772_442_000;
const topic = `licence project will_expire ${at + 900_000}`;
const samples = {
  'alert.closed': { type: 'alert.closed', topic },
  'realtime.events': { type: 'realtime.events', events: [{ topic: 'private-app-changes', name: 'LicenceChanged', payload: {} }] },
  'realtime.resynced': { type: 'realtime.resynced', topics: ['private-app-changes'] },
  'licence.reread': { type: 'licence.reread' },
} satisfies Samples<EventFromLogic<typeof licenceMachine>>;

const licenceStatus = (status: LicenceStatusReport['status']): LicenceStatusReport => ({
  at,
  status,
  changes_at: null,
  reminders:
    status === 'will_expire' || status === 'already_expired'
      ? [{ group: null, status, ends_at: at + 900_000, features_end_at: at + 1_000_000, mode: 'everyday' }]
      : [],
});

describe('the warning about licences', () => {
  mapTests(licenceMachine, {
    inputs: [{ zone: { zoneHours: 2, zoneName: null } }],
    samples,
    answers: { readLicenceStatus: licenceWarnings.map((status) => ({ licenceStatus: licenceStatus(status), closed: {} })) },
    words: ({ context }) => {
      const { said, closed } = context as { said: object; closed: object };
      return `[${Object.keys(said).length > 0 ? 'reminds' : Object.keys(closed).length > 0 ? 'closed' : 'silent'}]`;
    },
  });
});
