import { useContext } from 'react';
import { utc } from '#models/time.ts';
import { AddChip } from '#src/components/chips.tsx';
import { DayInput } from '#src/components/day-input.tsx';
import type { FieldProps } from '#src/components/fields/field-props.ts';
import { TextInput } from '#src/components/text-input.tsx';
import { useText } from '#src/components/text.ts';
import { ClockworkContext } from '#src/components/when.tsx';
import './groups.css';

interface Holiday {
  date: string;
  name: string;
}

function HolidayLine({ day, onChange, onRemove }: { day: Holiday; onChange: (day: Holiday) => void; onRemove: () => void }) {
  const { t } = useText();
  return (
    <div className="holiday-line">
      <DayInput
        label={t('areas.groups.holiday.date')}
        value={day.date === '' ? null : utc(day.date).valueOf()}
        onChange={(local) => onChange({ ...day, date: local === null ? '' : utc(local).format('YYYY-MM-DD') })}
      />
      <TextInput
        aria-label={t('areas.groups.holiday.name')}
        placeholder={t('areas.groups.fields.holidays.name')}
        maxLength={64}
        value={day.name}
        onChange={({ target }) => onChange({ ...day, name: target.value })}
      />
      <button
        type="button"
        className="icon-button"
        aria-label={t('areas.groups.holiday.remove', { name: day.name || t('areas.groups.holiday.name') })}
        onClick={onRemove}
      >
        <i className="pi pi-times" aria-hidden="true" />
      </button>
    </div>
  );
}

/** The holidays of a group, one a line. */
export function HolidaysField({ id, value, onChange, readOnly, label, describedBy }: FieldProps) {
  const { t } = useText();
  const { timeFormat } = useContext(ClockworkContext);
  const days = Array.isArray(value) ? (value as Holiday[]) : [];
  if (readOnly)
    return (
      <ul className="lines">
        {days.map(({ date, name }) => (
          <li key={date} className="line">
            <span>{utc(date).format(timeFormat)}</span>
            <span>{name}</span>
          </li>
        ))}
        {days.length === 0 && <li className="field-value-none">{t('list.none')}</li>}
      </ul>
    );
  return (
    <div className="holiday-lines" role="group" aria-label={label} aria-describedby={describedBy}>
      {days.map((day, at) => (
        <HolidayLine
          // oxlint-disable-next-line react/no-array-index-key -- a line is known by its place
          key={at}
          day={day}
          onChange={(next) => onChange(days.map((other, index) => (index === at ? next : other)))}
          onRemove={() => onChange(days.filter((_, index) => index !== at))}
        />
      ))}
      <AddChip id={id} label={t('areas.groups.holiday.add')} onClick={() => onChange([...days, { date: '', name: '' }])} />
    </div>
  );
}
