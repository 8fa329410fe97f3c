import { useContext } from 'react';
import type { AmenityReservation } from '#models/amenity-reservations.ts';
import { utc } from '#models/time.ts';
import { clockText } from '#src/components/fields/time-field.tsx';
import { ClockworkContext } from '#src/components/when.tsx';

/** From when until when, by the clock of the amenity: whoever stands before its door reads that one. */
export const hoursOf = ({ from, to }: AmenityReservation['timeSlots']): string => `${clockText(from)}–${clockText(to)}`;

/** Day and hours of a reservation. */
export function ReservationTime({ row: { date, timeSlots, starts_at: at } }: { row: Pick<AmenityReservation, 'date' | 'timeSlots' | 'starts_at'> }) {
  const { timeFormat } = useContext(ClockworkContext);
  return (
    <time dateTime={at}>
      {utc(date).format(timeFormat)} {hoursOf(timeSlots)}
    </time>
  );
}
