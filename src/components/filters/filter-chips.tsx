import type { FilterItem, Filters } from '#models/query.ts';
import { Chip } from '#src/components/chips.tsx';
import { useText } from '#src/components/text.ts';
import { exactTime, ClockworkContext } from '#src/components/when.tsx';
import { useContext } from 'react';
import { type FilterField, firstRule, presetOf, type RefSource } from './filter-props.ts';

interface FilterChipsProps {
  fields: readonly FilterField[];
  filters: Filters;
  source: RefSource;
  onEdit: (at: number, target: HTMLElement) => void;
  onRemove: (at: number) => void;
  onMatch: (match: Filters['match']) => void;
}

/** What a filter's value is called. */
function useValueWords(source: RefSource): (field: FilterField, item: FilterItem) => string {
  const { t } = useText();
  const clockwork = useContext(ClockworkContext);
  return (field, item) => {
    const preset = presetOf(field, item);
    if (preset) return preset.label;
    const { rule, value } = item;
    if (rule === 'is') return t(value === null ? 'list.filters.empty' : value ? 'list.yes' : 'list.no');
    const values = Array.isArray(value) ? value : [value];
    const words = values.map((one) => {
      if (field.kind === 'ref' || field.kind === 'refs') return (field.area && source.nameOf(field.area, String(one))) ?? '…';
      if (field.kind === 'choice') return field.options?.find((option) => option.value === one)?.label ?? String(one);
      if (field.kind === 'time') return exactTime(Date.parse(String(one)), clockwork, 'HH:mm');
      return String(one);
    });
    return words.length > 2 ? t('list.filters.and_more', { names: words.slice(0, 2).join(', '), count: words.length - 2 }) : words.join(', ');
  };
}

/** The filters that are on, each as a chip that can be changed or removed. */
export function FilterChips({ fields, filters, source, onEdit, onRemove, onMatch }: FilterChipsProps) {
  const { t } = useText();
  const say = useValueWords(source);
  const known = filters.items.map((item) => fields.find(({ field }) => field === item.field));
  return (
    <>
      {filters.items.map((item, at) => {
        const field = known[at];
        if (!field) return null;
        const silent = presetOf(field, item) !== undefined || (field.kind !== 'time' && (item.rule === firstRule(field.kind) || item.rule === 'is'));
        const rule = silent ? '' : ` ${t(`list.rules.${field.kind === 'time' ? 'time_' : ''}${item.rule}`)}`;
        return (
          <span key={`${item.field}-${at}`} data-filter={at}>
            <Chip
              onOpen={() => onEdit(at, document.querySelector<HTMLElement>(`[data-filter="${at}"]`) ?? document.body)}
              onRemove={() => onRemove(at)}
              removeLabel={t('list.filters.remove', { name: field.label })}
            >
              <b>
                {field.label}
                {rule}
              </b>{' '}
              {say(field, item)}
            </Chip>
          </span>
        );
      })}
      {filters.items.length > 1 && (
        <button
          type="button"
          className="chip chip-add"
          onClick={() => onMatch(filters.match === 'match_all' ? 'match_any' : 'match_all')}
          title={t('list.filters.match_hint')}
        >
          {t(`list.filters.${filters.match}`)}
        </button>
      )}
    </>
  );
}
