import { type CSSProperties, useLayoutEffect, useRef, useState } from 'react';
import { slotsOn } from '#models/amenity-slots.ts';
import { secondsIn } from '#models/time.ts';
import { clockText } from '#src/components/fields/time-field.tsx';
import { useText } from '#src/components/text.ts';
import type { Board, Place } from './board.ts';
import { Booking } from './booking.tsx';
import type { GridProps } from './grid-props.ts';

const hour = secondsIn(1, 'hour');
interface Axis {
  from: number;
  to: number;
}
/** From the first to the last hour that anything is open or reserved. */
function axisOf(board: Board, date: string): Axis {
  const parts = board.places.flatMap((place) => [
    ...slotsOn(place.timeSlots, date),
    ...board.itemsAt(place.id, date).map(({ timeSlots }) => timeSlots),
  ]);
  if (parts.length === 0) return { from: 8 * hour, to: 20 * hour };
  const [from, to] = [Math.min(...parts.map((part) => part.from)), Math.max(...parts.map((part) => part.to))];
  return { from: Math.floor(from / hour) * hour, to: Math.ceil(to / hour) * hour };
}
const along = ({ from, to }: Axis, part: Axis): CSSProperties => ({
  insetInlineStart: `${((part.from - from) / (to - from)) * 100}%`,
  width: `${((part.to - part.from) / (to - from)) * 100}%`,
});

function Line({ board, place, date, axis, mayBook }: { board: Board; place: Place; date: string; axis: Axis; mayBook: boolean }) {
  const { t } = useText();
  return (
    <tr>
      <th scope="row">{place.name}</th>
      <td>
        <div className="calendar-track" style={{ '--hours': (axis.to - axis.from) / hour } as CSSProperties}>
          {board.freeAt(place, date).map((slot) => (
            <button
              key={slot.from}
              type="button"
              className="calendar-free"
              data-does="book"
              data-drop
              data-date={date}
              data-amenity={place.id}
              data-from={slot.from}
              disabled={!mayBook}
              style={along(axis, slot)}
              aria-label={t('areas.amenity-reservations.calendar.book', {
                name: place.name,
                when: `${clockText(slot.from)}–${clockText(slot.to)}`,
              })}
            />
          ))}
          {board.takenAt(place.id, date).map((part) => (
            <span key={part.from} className="booking booking-taken" style={along(axis, part)}>
              {t('areas.amenity-reservations.slots.taken')}
            </span>
          ))}
          {board.itemsAt(place.id, date).map((item) => (
            <Booking key={item.id} item={item} says="user" bare style={along(axis, item.timeSlots)} />
          ))}
        </div>
      </td>
    </tr>
  );
}

const morning = 8 * hour;
/** The hours of a day. One that is wider than the page opens an hour before now, another day in the morning. */
function Scale({ from, to, present }: Axis & { present: number | null }) {
  const scale = useRef<HTMLDivElement>(null);
  const [opensAt] = useState(present === null ? morning : Math.floor(present / hour - 1) * hour);
  useLayoutEffect(() => {
    const page = scale.current?.closest('.calendar');
    if (scale.current && page) page.scrollLeft = ((opensAt - from) / (to - from)) * scale.current.offsetWidth;
  }, [opensAt, from, to]);
  const hours = Array.from({ length: (to - from) / hour }, (_, at) => from + at * hour);
  return (
    <div ref={scale} className="calendar-scale" style={{ '--hours': hours.length } as CSSProperties}>
      {hours.map((each) => (
        <span key={each}>{clockText(each)}</span>
      ))}
    </div>
  );
}

/** A day: the amenities below each other, the hours beside each other; a free slot is pressed to reserve it. */
export function DayGrid({ board, date, label, mayBook, carry }: GridProps) {
  const { t } = useText();
  const axis = axisOf(board, date);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of all buttons in it
    <table className="calendar-hours" aria-label={label} {...carry}>
      <thead>
        <tr>
          <th scope="col">{t('areas.amenity-reservations.fields.amenity')}</th>
          <th scope="col">
            <Scale key={date} {...axis} present={board.presentOn(date)} />
          </th>
        </tr>
      </thead>
      <tbody>
        {board.places.map((place) => (
          <Line key={place.id} board={board} place={place} date={date} axis={axis} mayBook={mayBook} />
        ))}
      </tbody>
    </table>
  );
}
