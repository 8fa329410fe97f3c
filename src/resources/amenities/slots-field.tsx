import type { AmenitySlots } from '#models/amenity-slots.ts';
import { weekdays } from '#models/schedule-times.ts';
import { secondsIn } from '#models/time.ts';
import { AddChip } from '#src/components/chips.tsx';
import type { FieldProps } from '#src/components/fields/field-props.ts';
import { TimeField } from '#src/components/fields/time-field.tsx';
import { WeekdaysField } from '#src/components/fields/weekdays-field.tsx';
import { useText } from '#src/components/text.ts';
import { hoursText, lengthText } from './slots-text.ts';
import './amenities.css';

type Line = AmenitySlots['items'][number];
/** Lengths that slots usually have, in minutes. */
const usual = [15, 30, 45, 60, 90, 120, 180, 240, 360, 480, 720, 1_440].map((minutes) => secondsIn(minutes, 'minute'));

/** The days that no line has yet, in the hours of the last. */
function nextLine(lines: readonly Line[]): Line {
  const last = lines.at(-1);
  const isFree = (day: Line['from'] | keyof Line['days']): boolean => !lines.some(({ days }) => days[day as keyof Line['days']]);
  return {
    days: Object.fromEntries(weekdays.map((day) => [day, isFree(day)])) as Line['days'],
    from: last?.from ?? secondsIn(9, 'hour'),
    to: last?.to ?? secondsIn(21, 'hour'),
  };
}

/** The opening hours as they are read. */
function ReadSlots({ slots: { duration, items } }: { slots: AmenitySlots }) {
  const words = useText();
  return (
    <>
      <ul className="slot-lines">
        {items.map((item) => {
          const text = hoursText(item, words);
          return <li key={text}>{text}</li>;
        })}
      </ul>
      <p className="quiet">{words.t('areas.amenities.slot_of', { length: lengthText(duration, words) })}</p>
    </>
  );
}

interface LineProps {
  field: FieldProps;
  at: number;
  line: Line;
  onChange: (part: Partial<Line>) => void;
  onRemove: (() => void) | undefined;
}

/** One line of opening hours while it is edited. */
function EditLine({ field, at, line, onChange, onRemove }: LineProps) {
  const { t } = useText();
  const nameOf = (key: 'days' | 'from' | 'to'): string => t(`areas.amenities.fields.timeSlots.items.${key}`);
  const part = (key: 'days' | 'from' | 'to') => ({
    ...field,
    id: `${field.id}-${at}-${key}`,
    path: `${field.path}.items.${at}.${key}`,
    // One line is the only one: it needs no number.
    label: onRemove ? t('areas.amenities.field_of', { field: nameOf(key), number: at + 1 }) : nameOf(key),
    value: line[key],
    describedBy: undefined,
  });
  const time = (key: 'from' | 'to') => (
    <label className="slot-time">
      <span className="field-label">{nameOf(key)}</span>
      <TimeField {...part(key)} onChange={(value) => onChange({ [key]: value })} />
    </label>
  );
  return (
    <li className="slot-line">
      <WeekdaysField {...part('days')} onChange={(value) => onChange({ days: value as Line['days'] })} />
      <span className="slot-hours">
        {time('from')}
        {time('to')}
        <button
          type="button"
          className="icon-button"
          disabled={!onRemove}
          aria-label={t('areas.amenities.remove_hours', { number: at + 1 })}
          onClick={onRemove}
        >
          <i className="pi pi-times" aria-hidden="true" />
        </button>
      </span>
    </li>
  );
}

/** When an amenity is open, and how long the slots are that people reserve. */
export function SlotsField(field: FieldProps) {
  const words = useText();
  const { t } = words;
  const { id, value, onChange, readOnly, label, describedBy, invalid } = field;
  const slots = (value ?? { duration: secondsIn(1, 'hour'), items: [] }) as AmenitySlots;
  if (readOnly) return <ReadSlots slots={slots} />;
  const { duration, items } = slots;
  const put = (changed: Partial<AmenitySlots>): void => onChange({ ...slots, ...changed });
  const lengths = usual.includes(duration) ? usual : [...usual, duration].toSorted((one, other) => one - other);
  return (
    <div role="group" aria-label={label} aria-describedby={describedBy}>
      <label className="slot-duration">
        <span className="field-label">{t('areas.amenities.fields.timeSlots.duration')}</span>
        <select
          id={id}
          className="plain-select"
          value={duration}
          aria-invalid={invalid}
          onChange={({ target }) => put({ duration: Number(target.value) })}
        >
          {lengths.map((length) => (
            <option key={length} value={length}>
              {lengthText(length, words)}
            </option>
          ))}
        </select>
      </label>
      <ol className="slot-lines">
        {items.map((line, at) => (
          <EditLine
            // A line is known by its place until it is saved.
            key={at}
            field={field}
            at={at}
            line={line}
            onChange={(part) => put({ items: items.map((one, place) => (place === at ? { ...one, ...part } : one)) })}
            onRemove={items.length > 1 ? () => put({ items: items.filter((_, place) => place !== at) }) : undefined}
          />
        ))}
      </ol>
      <AddChip id={`${id}-add`} label={t('areas.amenities.add_hours')} onClick={() => put({ items: [...items, nextLine(items)] })} />
    </div>
  );
}
