import { utc } from '#models/time.ts';
import { clockText } from '#src/components/fields/time-field.tsx';
import { useText } from '#src/components/text.ts';
import type { Board, Place } from './board.ts';
import { Booking } from './booking.tsx';
import { dayHeading } from './days.ts';
import type { GridProps } from './grid-props.ts';

function Cell({ board, place, date, today, mayBook }: { board: Board; place: Place; date: string; today: string; mayBook: boolean }) {
  const { t, locale } = useText();
  const free = mayBook ? board.freeAt(place, date) : [];
  return (
    <td data-date={date} data-amenity={place.id} data-today={date === today || undefined}>
      {board.itemsAt(place.id, date).map((item) => (
        <Booking key={item.id} item={item} says="user" />
      ))}
      {board.takenAt(place.id, date).map(({ from }) => (
        <span key={from} className="booking booking-taken">
          <span className="booking-time">{clockText(from)}</span> {t('areas.amenity-reservations.slots.taken')}
        </span>
      ))}
      <button
        type="button"
        className="calendar-book"
        data-does="book"
        data-drop
        data-date={date}
        data-amenity={place.id}
        disabled={free.length === 0}
        aria-label={t('areas.amenity-reservations.calendar.book', { name: place.name, when: utc(date).locale(locale).format('D MMMM') })}
      >
        <i className="pi pi-plus" aria-hidden="true" />
      </button>
    </td>
  );
}

/** A week: the amenities below each other, the days beside each other. */
export function WeekGrid({ board, dates, today, label, mayBook, carry }: GridProps) {
  const { t, locale } = useText();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of all buttons in it
    <table className="calendar-week" aria-label={label} {...carry}>
      <thead>
        <tr>
          <th scope="col">{t('areas.amenity-reservations.fields.amenity')}</th>
          {dates.map((date) => (
            <th key={date} scope="col" data-today={date === today || undefined}>
              <button type="button" className="link-button" data-date={date} aria-current={date === today ? 'date' : undefined}>
                {dayHeading(date, locale)}
              </button>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {board.places.map((place) => (
          <tr key={place.id}>
            <th scope="row">{place.name}</th>
            {dates.map((date) => (
              <Cell key={date} board={board} place={place} date={date} today={today} mayBook={mayBook} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
