import { type CSSProperties, Fragment } from 'react';
import type { Slot } from '#models/amenity-slots.ts';
import { secondsIn } from '#models/time.ts';
import { clockText } from '#src/components/fields/time-field.tsx';
import { useText } from '#src/components/text.ts';
import { Booking } from './booking.tsx';
import { FreeSlot, type TrackProps } from './free-slot.tsx';
import { cellsOf, rowsOf } from './short-slots.ts';

const hour = secondsIn(1, 'hour');
/** Where a part of the day stands: the cell it begins in, and those of the columns it goes on in. */
function cellStyles(part: Slot, duration: number, axis: Slot): { first: CSSProperties; more: CSSProperties[] } {
  const [first = {}, ...more] = cellsOf(part, duration).map(({ hour: at, row, rows }): CSSProperties => ({
    gridColumn: at - axis.from / hour + 1,
    gridRow: `${row + 1} / span ${rows}`,
  }));
  return { first, more };
}

/** A part of the day that somebody has, in the columns after the one that says so. */
function GoesOn({ styles, status }: { styles: readonly CSSProperties[]; status?: string }) {
  return styles.map((style) => (
    <span
      key={String(style.gridColumn)}
      aria-hidden="true"
      className={status === undefined ? 'booking booking-taken' : 'booking'}
      data-status={status}
      style={style}
    />
  ));
}

/** The slots of an amenity that are too short to stand beside each other: those of an hour below each other in its column. */
export function StackedTrack({ board, place, date, axis, mayBook }: TrackProps) {
  const { t } = useText();
  const { duration } = place.timeSlots;
  return (
    <div className="calendar-stack" style={{ '--hours': (axis.to - axis.from) / hour, '--rows': rowsOf(duration) } as CSSProperties}>
      {board.freeAt(place, date).map((slot) => (
        <FreeSlot key={slot.from} place={place} date={date} slot={slot} mayBook={mayBook} style={cellStyles(slot, duration, axis).first}>
          {clockText(slot.from)}
        </FreeSlot>
      ))}
      {board.takenAt(place.id, date).map((part) => {
        const { first, more } = cellStyles(part, duration, axis);
        return (
          <Fragment key={part.from}>
            <span className="booking booking-taken" style={first}>
              <span className="booking-time">{clockText(part.from)}</span> {t('areas.amenity-reservations.slots.taken')}
            </span>
            <GoesOn styles={more} />
          </Fragment>
        );
      })}
      {board.itemsAt(place.id, date).map((item) => {
        const { first, more } = cellStyles(item.timeSlots, duration, axis);
        return (
          <Fragment key={item.id}>
            <Booking item={item} says="user" style={first} />
            <GoesOn styles={more} status={item.status} />
          </Fragment>
        );
      })}
    </div>
  );
}
