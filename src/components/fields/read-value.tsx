import { useContext } from 'react';
import { utc } from '#models/time.ts';
import { asText } from '#src/components/as-text.ts';
import { Label } from '#src/components/chips.tsx';
import { useText } from '#src/components/text.ts';
import { LicenceDay } from '#src/components/licence-day.tsx';
import { ClockworkContext, When } from '#src/components/when.tsx';
import type { Chosen, FieldMeta } from './field-props.ts';
import { clockText } from './time-field.tsx';

interface ReadValueProps {
  area: string;
  path: string;
  value: unknown;
  meta: Pick<FieldMeta, 'kind'>;
}

const isChosen = (value: unknown): value is Chosen => value !== null && typeof value === 'object' && 'name' in value;

/** The row an item is, or the row it is about (a person who is notified). */
const rowIn = (item: unknown): unknown => (item !== null && typeof item === 'object' && 'user' in item ? item.user : item);

/** Nothing to read: no value, no text, or a list without any. */
const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.every(isNothing));

function Labels({ rows }: { rows: readonly Chosen[] }) {
  return (
    <span className="chips">
      {rows.map(({ id, name, color }, at) => (
        // Rows without an id may have one name.
        <Label key={id ?? `${name} ${at}`} name={name} color={color} />
      ))}
    </span>
  );
}

/** A day of the calendar in the person's format. */
function CalendarDate({ date }: { date: string }) {
  const { timeFormat } = useContext(ClockworkContext);
  return utc(date).format(timeFormat);
}

/** A field's value as text to be read, never raw: names instead of ids, words instead of codes. */
export function ReadValue({ area, path, value, meta }: ReadValueProps) {
  const { t } = useText();
  if (isNothing(value)) {
    return <span className="field-value-none">{t('list.none')}</span>;
  }
  if (meta.kind === 'password') return '••••••••';
  if (typeof value === 'boolean') return t(value ? 'list.yes' : 'list.no');
  if (meta.kind === 'permissions' && Array.isArray(value)) return t('list.permissions.held', { count: value.length });
  if (Array.isArray(value) && value.every((item) => item === null || typeof item === 'string')) return value.filter(Boolean).join(', ');
  if (Array.isArray(value) && !value.map(rowIn).some(isChosen)) return t('list.lines', { count: value.length });
  if (Array.isArray(value)) return <Labels rows={value.map(rowIn).filter(isChosen)} />;
  if (isChosen(value)) return value.name;
  if (meta.kind === 'choice') return t(`areas.${area}.options.${path}.${asText(value)}`);
  if (meta.kind === 'date') return <CalendarDate date={asText(value)} />;
  if (meta.kind === 'time-of-day' && typeof value === 'number') return clockText(value);
  if (meta.kind === 'seconds' && typeof value === 'number') return <LicenceDay at={value} isEnd={path.endsWith('.to')} />;
  if (meta.kind === 'color') return <Label name={asText(value)} color={asText(value)} />;
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return <When at={value} exact />;
  return asText(value);
}
