import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { type WaitingContext, waitingCallsMachine } from '#machines/phone/waiting-calls.machine.ts';
import { topics } from '#models/realtime.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { waiting } from '#tests/support/phone.ts';

const topic = topics.calls('700');
const samples = {
  'realtime.events': [
    { type: 'realtime.events', events: [{ topic, name: 'CallUpdated', payload: { ...waiting(1) } }] },
    { type: 'realtime.events', events: [{ topic, name: 'CallUpdated', payload: { nonsense: true } }] },
    { type: 'realtime.events', events: [{ topic, name: 'DoorOpened', payload: { call: waiting(1).id } }] },
  ],
  'realtime.resynced': { type: 'realtime.resynced', topics: [topic] },
  'realtime.gap': { type: 'realtime.gap' },
  'waiting.reread': { type: 'waiting.reread' },
  'waiting.relearn': [
    { type: 'waiting.relearn', isDesk: true },
    { type: 'waiting.relearn', isDesk: false },
  ],
} satisfies Samples<EventFromLogic<typeof waitingCallsMachine>>;

describe('the waiting calls', () => {
  mapTests(waitingCallsMachine, {
    inputs: [
      { number: '1001', isDesk: true },
      { number: '1003', isDesk: false },
    ],
    samples,
    answers: {
      readPhoneSettings: [{ queues: [{ number: '700', name: 'Riverside', group: null }], recall_seconds: 60 }],
      readWaiting: [{ calls: [waiting(1)], at: null }],
    },
    words: ({ context }) => {
      const { isDesk, queues, meanwhile } = context as WaitingContext;
      return `[${isDesk ? 'desk' : 'no desk'}, ${queues.length} queues${meanwhile.length > 0 ? ', told meanwhile' : ''}]`;
    },
  });
});
