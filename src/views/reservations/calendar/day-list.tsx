import type { Slot } from '#models/amenity-slots.ts';
import { clockText } from '#src/components/fields/time-field.tsx';
import { useText } from '#src/components/text.ts';
import type { Place } from './board.ts';
import { Booking } from './booking.tsx';
import type { GridProps } from './grid-props.ts';
import { areMany, byHour } from './short-slots.ts';

interface Offer extends Slot {
  /** So many slots that may be chosen from; one is itself. */
  count: number;
}
/** What is offered of the free slots: each, or, where an hour has many, those of an hour together: which of them is chosen in the form. */
function offersOf({ timeSlots }: Place, free: readonly Slot[]): Offer[] {
  const parts = areMany(timeSlots) ? byHour(free) : free.map((slot) => [slot]);
  return parts.flatMap((part): Offer[] => {
    const [first, last] = [part[0], part.at(-1)];
    return first && last ? [{ from: first.from, to: last.to, count: part.length }] : [];
  });
}

function Offer({ place, date, offer: { from, to, count } }: { place: Place; date: string; offer: Offer }) {
  const { t } = useText();
  const when = `${clockText(from)}–${clockText(to)}`;
  const free = count > 1 ? t('areas.amenity-reservations.calendar.free', { count }) : null;
  const book = t('areas.amenity-reservations.calendar.book', { name: place.name, when });
  return (
    <button
      type="button"
      className="reservation-slot"
      data-does="book"
      data-date={date}
      data-amenity={place.id}
      data-from={from}
      aria-label={free === null ? book : `${book}, ${free}`}
    >
      {when}
      {free !== null && <span className="small">{free}</span>}
    </button>
  );
}

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
                {offersOf(place, free).map((offer) => (
                  <Offer key={offer.from} place={place} date={date} offer={offer} />
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
