import type { CSSProperties, ReactNode } from 'react';
import type { Slot } from '#models/amenity-slots.ts';
import { clockText } from '#src/components/fields/time-field.tsx';
import { useText } from '#src/components/text.ts';
import type { Board, Place } from './board.ts';

/** What draws an amenity's day along the hours that the calendar shows (seconds of the day). */
export interface TrackProps {
  board: Board;
  place: Place;
  date: string;
  axis: Slot;
  mayBook: boolean;
}

interface FreeSlotProps extends Pick<TrackProps, 'place' | 'date' | 'mayBook'> {
  slot: Slot;
  style: CSSProperties;
  children?: ReactNode;
}

/** A slot that nobody has: pressed to reserve it, or the place where a reservation is put down. */
export function FreeSlot({ place, date, slot, mayBook, style, children }: FreeSlotProps) {
  const { t } = useText();
  const when = `${clockText(slot.from)}–${clockText(slot.to)}`;
  return (
    <button
      type="button"
      className="calendar-free"
      data-does="book"
      data-drop
      data-date={date}
      data-amenity={place.id}
      data-from={slot.from}
      disabled={!mayBook}
      style={style}
      aria-label={t('areas.amenity-reservations.calendar.book', { name: place.name, when })}
    >
      {children}
    </button>
  );
}
