// Keeps in order: the life of one reservation of an amenity, from being made until it is over or cancelled.
// Spawned by: nobody; the server refuses what it refuses, views offer what it offers.
// Asks (ports): nothing.
// Tells (facts): nothing.
import { setup } from 'xstate';
import type { ReservationStatus } from '#models/amenity-reservations.ts';

type ReservationEvent =
  | { type: 'reservation.change' }
  | { type: 'reservation.cancel' }
  /** Its time has come, and is over. */
  | { type: 'time.begin' }
  | { type: 'time.over' }
  | { type: 'amenity.off' }
  | { type: 'amenity.on' };

/** The life of one reservation. What has begun is neither changed nor cancelled; what is over or cancelled stays so. */
export const reservationMachine = setup({ types: { events: {} as ReservationEvent } }).createMachine({
  id: 'reservation',
  initial: 'active',
  states: {
    active: {
      on: { 'reservation.change': 'active', 'reservation.cancel': 'canceled', 'time.begin': 'reserved', 'amenity.off': 'inactive' },
    },
    reserved: { on: { 'time.over': 'expired', 'amenity.off': 'inactive' } },
    inactive: { on: { 'reservation.cancel': 'canceled', 'amenity.on': 'active', 'time.over': 'expired' } },
    canceled: {},
    expired: {},
  },
});

const at = (status: ReservationStatus) => reservationMachine.resolveState({ value: status });

/** May this happen to a reservation as it stands? */
export const mayHappenToReservation = (status: ReservationStatus, event: ReservationEvent['type']): boolean => at(status).can({ type: event });
