import { clockText } from '#src/components/fields/time-field.tsx';
import { useText } from '#src/components/text.ts';
import { Booking } from './booking.tsx';
import type { GridProps } from './grid-props.ts';

/** A day on a phone: each amenity with what is reserved there and its free slots. */
export function DayList({ board, date, label, mayBook, carry }: GridProps) {
  const { t } = useText();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of all buttons in it
    <ul className="calendar-list" aria-label={label} {...carry}>
      {board.places.map((place) => {
        const [items, taken, free] = [board.itemsAt(place.id, date), board.takenAt(place.id, date), mayBook ? board.freeAt(place, date) : []];
        return (
          <li key={place.id}>
            <h3>{place.name}</h3>
            {items.length > 0 && (
              <div className="calendar-own">
                {items.map((item) => (
                  <Booking key={item.id} item={item} says="user" />
                ))}
              </div>
            )}
            {free.length > 0 && (
              <div className="reservation-slots">
                {free.map((slot) => (
                  <button
                    key={slot.from}
                    type="button"
                    className="reservation-slot"
                    data-does="book"
                    data-date={date}
                    data-amenity={place.id}
                    data-from={slot.from}
                    aria-label={t('areas.amenity-reservations.calendar.book', {
                      name: place.name,
                      when: `${clockText(slot.from)}–${clockText(slot.to)}`,
                    })}
                  >
                    {clockText(slot.from)}–{clockText(slot.to)}
                  </button>
                ))}
              </div>
            )}
            {free.length === 0 && items.length === 0 && (
              <p className="quiet">{t(`areas.amenity-reservations.calendar.${taken.length > 0 ? 'full' : 'nothing'}`)}</p>
            )}
          </li>
        );
      })}
    </ul>
  );
}
