import { type Weekday, weekdays } from '#models/schedule-times.ts';
import { calendarNames } from '#models/time.ts';
import { useText } from '../text.ts';
import type { FieldProps } from './field-props.ts';

/** What a language calls the days of the week, from Monday on. */
export function dayNames(locale: 'en' | 'ru', length: 'daysShort' | 'days' = 'daysShort'): Record<Weekday, string> {
  const names = calendarNames(locale)[length];
  return Object.fromEntries(weekdays.map((day, at) => [day, names[(at + 1) % weekdays.length] ?? day])) as Record<Weekday, string>;
}

/** The days of the week, each on or off. */
export function WeekdaysField({ id, label, value, onChange, readOnly, invalid, describedBy }: FieldProps) {
  const { locale } = useText();
  const [short, long] = [dayNames(locale), dayNames(locale, 'days')];
  const chosen = (value ?? {}) as Record<Weekday, boolean>;
  return (
    <fieldset className="weekdays" aria-describedby={describedBy} aria-invalid={invalid} disabled={readOnly}>
      <legend className="field-label">{label}</legend>
      {weekdays.map((day, at) => (
        <label key={day} className="weekday" title={long[day]}>
          <input
            type="checkbox"
            id={at === 0 ? id : undefined}
            aria-label={long[day]}
            checked={chosen[day]}
            onChange={({ target }) => onChange({ ...chosen, [day]: target.checked })}
          />
          <span aria-hidden="true">{short[day]}</span>
        </label>
      ))}
    </fieldset>
  );
}
