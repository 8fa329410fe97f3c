import { TextInput } from '#src/components/text-input.tsx';
import { useContext } from 'react';
import type { FilterItem } from '#models/query.ts';
import { localTime, momentAt, type Zone } from '#models/zone.ts';
import { useText } from '#src/components/text.ts';
import { ClockworkContext } from '#src/components/when.tsx';
import type { FilterField, RefSource } from './filter-props.ts';

interface FilterValueProps {
  id: string;
  field: FilterField;
  item: FilterItem;
  source: RefSource;
  onChange: (value: FilterItem['value']) => void;
}

/** A moment as `datetime-local` writes it, in the person's zone; empty when there is none. */
export const localMoment = (value: unknown, zone: Zone): string => {
  const moment = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(moment) ? '' : new Date(localTime(zone, moment)).toISOString().slice(0, 16);
};
/** What `datetime-local` says, as a moment in UTC; empty when it says nothing. */
export const utcMoment = (local: string, zone: Zone): string => {
  // Browsers read almost anything as some date; only what the control writes is one.
  const moment = /^\d{4,6}-\d\d-\d\dT\d\d:\d\d$/.test(local) ? Date.parse(`${local}:00Z`) : Number.NaN;
  return Number.isNaN(moment) ? '' : new Date(momentAt(zone, moment)).toISOString();
};

function IsChoice({ field, item, onChange }: FilterValueProps) {
  const { t } = useText();
  const flags: readonly [string, boolean | null][] =
    field.kind === 'flag'
      ? [
          ['list.yes', true],
          ['list.no', false],
        ]
      : [
          ['list.filters.empty', null],
          ['list.filters.not_empty', true],
        ];
  return (
    <div className="filter-flags">
      {flags.map(([key, flag]) => (
        <label key={key} className="field-flag">
          <input type="radio" className="check" name="flag" checked={item.value === flag} onChange={() => onChange(flag)} />
          <span>{t(key)}</span>
        </label>
      ))}
    </div>
  );
}

function ChoiceValue({ field, item, onChange }: FilterValueProps) {
  const chosen = Array.isArray(item.value) ? item.value.map(String) : item.value ? [String(item.value)] : [];
  return (
    <div className="filter-choices">
      {(field.options ?? []).map(({ value, label }) => (
        <label key={value} className="field-flag">
          <input
            type="checkbox"
            className="check"
            checked={chosen.includes(value)}
            onChange={({ target }) => onChange(target.checked ? [...chosen, value] : chosen.filter((other) => other !== value))}
          />
          <span>{label}</span>
        </label>
      ))}
    </div>
  );
}

/** The control for the value of one filter, by what the field holds. */
export function FilterValue(props: FilterValueProps) {
  const { id, field, item, source, onChange } = props;
  const { t } = useText();
  const zone = useContext(ClockworkContext);
  if (item.rule === 'is') return <IsChoice {...props} />;
  if (field.kind === 'choice') return <ChoiceValue {...props} />;
  if (field.kind === 'ref' || field.kind === 'refs') {
    const ids = Array.isArray(item.value) ? item.value.map(String) : [];
    return <source.Search id={id} area={field.area ?? ''} label={field.label} ids={ids} onChange={onChange} />;
  }
  if (field.kind === 'time') {
    return (
      <TextInput
        id={id}
        type="datetime-local"
        autoFocus
        aria-label={t('list.filters.value')}
        value={localMoment(item.value, zone)}
        onChange={(event) => onChange(utcMoment(event.target.value, zone))}
      />
    );
  }
  return (
    <TextInput
      id={id}
      autoFocus
      inputMode={field.kind === 'number' ? 'numeric' : 'text'}
      aria-label={t('list.filters.value')}
      maxLength={1_000}
      value={String(item.value ?? '')}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
