import type { CSSProperties } from 'react';
import { clockText } from '#src/components/fields/time-field.tsx';
import { useText } from '#src/components/text.ts';
import { isMovable, type Item } from './board.ts';

interface BookingProps {
  item: Item;
  says: 'amenity' | 'user';
  bare?: boolean;
  style?: CSSProperties;
}

/** One reservation: when, and whose or what, as far as its surroundings do not say it; `bare` where they say the time. */
export function Booking({ item, says, bare = false, style }: BookingProps) {
  const { t } = useText();
  const { id, amenity, user, status, timeSlots } = item;
  const hours = `${clockText(timeSlots.from)}–${clockText(timeSlots.to)}`;
  const all = `${hours}, ${amenity.name}, ${user.name}, ${t(`areas.amenity-reservations.options.status.${status}`)}`;
  return (
    <button
      type="button"
      className="booking"
      data-id={id}
      data-status={status}
      draggable={isMovable(item)}
      title={all}
      aria-label={all}
      style={style}
    >
      {!bare && <span className="booking-time">{clockText(timeSlots.from)}</span>} {says === 'amenity' ? amenity.name : user.name}
    </button>
  );
}
