import { calendarNames, utc } from '#models/time.ts';
import { useText } from '#src/components/text.ts';
import type { Board } from './board.ts';
import { Booking } from './booking.tsx';
import { isInMonth } from './days.ts';
import type { GridProps } from './grid-props.ts';

/** So many reservations of a day are drawn; the others are a press away. */
const most = 3;

function Day({ board, date, today, of }: { board: Board; date: string; today: string; of: string }) {
  const { t, locale } = useText();
  const items = board.itemsOn(date);
  // Where there is room for it, one more than fits is drawn rather than counted.
  const shown = items.length === most + 1 ? items : items.slice(0, most);
  return (
    <td data-date={date} data-today={date === today || undefined} data-outside={!isInMonth(date, of) || undefined}>
      <button
        type="button"
        className="calendar-day"
        data-drop
        data-date={date}
        aria-current={date === today ? 'date' : undefined}
        aria-label={`${utc(date).locale(locale).format('D MMMM YYYY')}, ${t('areas.amenity-reservations.count', { count: items.length })}`}
      >
        {utc(date).date()}
      </button>
      {shown.map((item) => (
        <Booking key={item.id} item={item} says="amenity" />
      ))}
      {items.length > shown.length && (
        <button type="button" className="calendar-more" data-date={date}>
          {t('areas.amenity-reservations.calendar.more', { count: items.length - shown.length })}
        </button>
      )}
    </td>
  );
}

/** A month in whole weeks. */
export function MonthGrid({ board, dates, date, today, label, carry }: GridProps) {
  const { locale } = useText();
  const { daysShort, weekStart } = calendarNames(locale);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of all buttons in it
    <table className="calendar-month" aria-label={label} {...carry}>
      <thead>
        <tr>
          {daysShort.map((_, at) => (
            <th key={at} scope="col">
              {daysShort[(at + weekStart) % 7]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: dates.length / 7 }, (_, week) => (
          <tr key={dates[week * 7]}>
            {dates.slice(week * 7, week * 7 + 7).map((day) => (
              <Day key={day} board={board} date={day} today={today} of={date} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
