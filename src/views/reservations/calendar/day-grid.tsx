import { type CSSProperties, useLayoutEffect, useRef, useState } from 'react';
import { slotsOn } from '#models/amenity-slots.ts';
import { secondsIn } from '#models/time.ts';
import { clockText } from '#src/components/fields/time-field.tsx';
import { useText } from '#src/components/text.ts';
import type { Board } from './board.ts';
import { Booking } from './booking.tsx';
import { FreeSlot, type TrackProps } from './free-slot.tsx';
import type { GridProps } from './grid-props.ts';
import { areShort } from './short-slots.ts';
import { StackedTrack } from './stacked-track.tsx';

const hour = secondsIn(1, 'hour');
type Axis = TrackProps['axis'];
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

/** The slots of an amenity beside each other, each as wide as it is long. */
function Track({ board, place, date, axis, mayBook }: TrackProps) {
  const { t } = useText();
  return (
    <div className="calendar-track" style={{ '--hours': (axis.to - axis.from) / hour } as CSSProperties}>
      {board.freeAt(place, date).map((slot) => (
        <FreeSlot key={slot.from} place={place} date={date} slot={slot} mayBook={mayBook} style={along(axis, slot)} />
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
  );
}

function Line(props: TrackProps) {
  const { place } = props;
  return (
    <tr>
      <th scope="row">{place.name}</th>
      <td>{areShort(place.timeSlots) ? <StackedTrack {...props} /> : <Track {...props} />}</td>
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
    <table className="calendar-hours" data-short={board.places.some((place) => areShort(place.timeSlots)) || undefined} aria-label={label} {...carry}>
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
