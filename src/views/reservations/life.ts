import { mayHappenToReservation } from '#machines/lifecycles/reservation.machine.ts';
import type { ReservationStatus } from '#models/amenity-reservations.ts';

/** Whether a reservation that stands so may be changed or cancelled: what its life refuses is not offered. */
export const mayMoveReservation = (status: ReservationStatus, step: 'change' | 'cancel'): boolean =>
  mayHappenToReservation(status, `reservation.${step}`);
