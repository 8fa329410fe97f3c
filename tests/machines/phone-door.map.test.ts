import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { type DoorContext, doorMachine } from '#machines/phone/door.machine.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';

const samples = {
  'door.read': { type: 'door.read' },
  'door.open': [
    { type: 'door.open', token: 'token-1', speechId: null, reason: null },
    { type: 'door.open', token: 'unlisted', speechId: null, reason: null },
  ],
} satisfies Samples<EventFromLogic<typeof doorMachine>>;

describe('the doors of the desk', () => {
  mapTests(doorMachine, {
    inputs: [undefined as never],
    samples,
    answers: {
      readDoors: [[{ id: 'id-1', token: 'token-1', name: 'Lobby', number: '2001', path: ['Tower A'], isOnline: true, hasCamera: false }]],
      openDoor: [{ outcome: 'confirmed' }, { outcome: 'unconfirmed' }],
    },
    words: ({ context }) => ((context as DoorContext).chosen === null ? '' : '[chosen]'),
  });
});
