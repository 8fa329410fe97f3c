import { useContext, useState } from 'react';
import { TextInput } from '#src/components/text-input.tsx';
import type { FilterItem } from '#models/query.ts';
import { localTime, momentAt } from '#models/zone.ts';
import { DayInput } from '#src/components/day-input.tsx';
import { useText } from '#src/components/text.ts';
import { ClockworkContext } from '#src/components/when.tsx';
import type { FilterField, RefSource } from './filter-props.ts';
import { RefSearch } from './ref-search.tsx';

/** From so many on, what one may choose from is searched. */
const searchedFrom = 8;

interface FilterValueProps {
  id: string;
  field: FilterField;
  item: FilterItem;
  source: RefSource;
  onChange: (value: FilterItem['value']) => void;
}

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

function ChoiceValue({ id, field, item, onChange }: FilterValueProps) {
  const [text, setText] = useState('');
  const options = field.options ?? [];
  const chosen = Array.isArray(item.value) ? item.value.map(String) : item.value ? [String(item.value)] : [];
  const toggle = (value: string, on: boolean) => onChange(on ? [...chosen, value] : chosen.filter((other) => other !== value));
  if (options.length > searchedFrom) {
    const rows = options.map(({ value, label }) => ({ id: value, name: label }));
    const wanted = text.trim().toLocaleLowerCase();
    return (
      <RefSearch
        id={id}
        label={field.label}
        text={text}
        onText={setText}
        chosen={rows.filter((row) => chosen.includes(row.id))}
        rows={rows.filter(({ name }) => name.toLocaleLowerCase().includes(wanted))}
        state="found"
        onToggle={(row) => toggle(row.id, !chosen.includes(row.id))}
      />
    );
  }
  return (
    <div className="filter-choices">
      {options.map(({ value, label }) => (
        <label key={value} className="field-flag">
          <input type="checkbox" className="check" checked={chosen.includes(value)} onChange={({ target }) => toggle(value, target.checked)} />
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
    const moment = typeof item.value === 'string' ? Date.parse(item.value) : Number.NaN;
    return (
      <DayInput
        id={id}
        withTime
        isOpen
        autoFocus
        label={t('list.filters.value')}
        value={Number.isNaN(moment) ? null : localTime(zone, moment)}
        onChange={(local) => onChange(local === null ? '' : new Date(momentAt(zone, local)).toISOString())}
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
