import type { EventFromLogic } from 'xstate';
import { describe, expect, it } from 'vitest';
import { mayHappenToReservation, reservationMachine } from '#machines/lifecycles/reservation.machine.ts';
import { reservationStatuses } from '#models/amenity-reservations.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';

const samples = {
  'reservation.change': { type: 'reservation.change' },
  'reservation.cancel': { type: 'reservation.cancel' },
  'time.begin': { type: 'time.begin' },
  'time.over': { type: 'time.over' },
  'amenity.off': { type: 'amenity.off' },
  'amenity.on': { type: 'amenity.on' },
} satisfies Samples<EventFromLogic<typeof reservationMachine>>;

describe('the life of a reservation', () => {
  mapTests(reservationMachine, { inputs: [undefined], samples });

  it('has the statuses of the model, and no other', () => {
    expect(Object.keys(reservationMachine.states).toSorted()).toEqual([...reservationStatuses].toSorted());
  });

  it('is changed only before its time, and cancelled then or while its amenity is switched off', () => {
    expect(reservationStatuses.filter((status) => mayHappenToReservation(status, 'reservation.change'))).toEqual(['active']);
    expect(reservationStatuses.filter((status) => mayHappenToReservation(status, 'reservation.cancel'))).toEqual(['inactive', 'active']);
  });
});
