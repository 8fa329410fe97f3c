import type { AmenityReservation, ReservationStatus } from '#models/amenity-reservations.ts';
import type { CellProps } from '#src/views/area/resource.ts';
import { ReservationTime } from '#src/views/reservations/reservation-time.tsx';
import { ReservationStatusTag } from '#src/views/reservations/status-tag.tsx';

/** What is reserved. */
export const AmenityCell = ({ row }: CellProps<string, AmenityReservation>) => (
  <span className="cell-line" title={row.amenity.name}>
    {row.amenity.name}
  </span>
);
export const StatusCell = ({ value }: CellProps<ReservationStatus>) => <ReservationStatusTag status={value} />;
export const TimeCell = ({ row }: CellProps<string, AmenityReservation>) => <ReservationTime row={row} />;
