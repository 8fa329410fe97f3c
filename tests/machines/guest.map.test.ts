import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { type GuestContext, guestMachine } from '#machines/guest.machine.ts';
import type { GuestPage } from '#models/guest-access.ts';
import { uuid } from '#tests/support/people.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';

const page: GuestPage = {
  name: 'Visit to Boris',
  project: 'Riverside',
  message: null,
  from: null,
  to: null,
  passes_left: 1,
  code: null,
  wallet: false,
  doors: [{ id: uuid(1), name: 'Lobby', place: 'Tower A' }],
};

const samples = {
  'page.retry': { type: 'page.retry' },
  'door.open': [
    { type: 'door.open', device: uuid(1) },
    { type: 'door.open', device: uuid(2) },
  ],
} satisfies Samples<EventFromLogic<typeof guestMachine>>;

describe('the page of a guest', () => {
  mapTests(guestMachine, {
    inputs: [undefined],
    samples,
    answers: {
      readPage: [page],
      openDoor: [
        { outcome: 'confirmed', passes_left: null },
        { outcome: 'confirmed', passes_left: 0 },
        { outcome: 'unconfirmed', passes_left: 1 },
      ],
    },
    words: ({ context }) => ((context as GuestContext).page?.passes_left === 0 ? '[spent]' : ''),
    failures: { readPage: [{ code: 'guest_expired' }, { code: 'offline' }], openDoor: [{ code: 'guest_device_problem' }] },
  });
});
