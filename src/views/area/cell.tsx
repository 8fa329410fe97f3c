import { asText } from '#src/components/as-text.ts';
import { Label } from '#src/components/chips.tsx';
import type { Chosen } from '#src/components/fields/field-props.ts';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';

const isChosen = (value: unknown): value is Chosen => value !== null && typeof value === 'object' && 'name' in value;

/** Nothing to show, said in a word rather than an empty place. */
export function NoValue() {
  const { t } = useText();
  return (
    <span className="cell-none" title={t('list.none')}>
      —
    </span>
  );
}

/** The first rows of a list by name, and how many more there are. */
function Names({ rows, shown = 2 }: { rows: readonly Chosen[]; shown?: number }) {
  const { t } = useText();
  const names = rows.map(({ name }) => name);
  const rest = names.length - shown;
  return (
    <span className="cell-lines" title={names.join(', ')}>
      {names.slice(0, shown).join(', ')}
      {rest > 0 && ` ${t('list.and_more', { count: rest })}`}
    </span>
  );
}

/** Any value as a cell shows it: names instead of ids, words instead of codes, time as people say it. */
export function PlainCell({ area, field, value, isWord }: { area: string; field: string; value: unknown; isWord: boolean }) {
  const { t } = useText();
  if (value === null || value === undefined || value === '') return <NoValue />;
  if (typeof value === 'boolean') return <span className="cell-bare">{t(value ? 'list.yes' : 'list.no')}</span>;
  if (typeof value === 'number') return <span className="cell-bare">{value}</span>;
  if (Array.isArray(value)) return value.length > 0 ? <Names rows={value.filter(isChosen)} /> : <NoValue />;
  if (isChosen(value)) return <span className="cell-lines">{value.name}</span>;
  if (typeof value === 'string' && /^#[\da-f]{6}$/i.test(value)) return <Label name={value} color={value} />;
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return <When at={value} />;
  if (isWord) return t(`areas.${area}.options.${field}.${asText(value)}`);
  return <span className="cell-lines">{asText(value)}</span>;
}
