import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { type EmergencyContext, emergencyMachine } from '#machines/emergency/emergency.machine.ts';
import { topics } from '#models/realtime.ts';
import { activeAlert } from '#tests/support/emergency.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { anna } from '#tests/support/people.ts';

const { id } = activeAlert();
const samples = {
  'realtime.events': { type: 'realtime.events', events: [{ topic: topics.user(anna.id), name: 'EmergencyAlertChanged', payload: { id } }] },
  'realtime.resynced': { type: 'realtime.resynced', topics: [topics.user(anna.id)] },
  'emergency.seen': { type: 'emergency.seen', id },
  'emergency.safe': { type: 'emergency.safe', id },
  'emergency.raised': [
    { type: 'emergency.raised', isDrill: false },
    { type: 'emergency.raised', isDrill: true },
  ],
} satisfies Samples<EventFromLogic<typeof emergencyMachine>>;

describe('the emergency alerts of a person', () => {
  mapTests(emergencyMachine, {
    inputs: [undefined],
    samples,
    words: ({ context }) => ((context as EmergencyContext).outgoing.length > 0 ? '[said]' : ''),
    failures: { answerEmergency: [{ code: 'unavailable' }, { code: 'not_found' }] },
    answers: { readEmergencies: [[activeAlert()], []], answerEmergency: [null] },
  });
});
