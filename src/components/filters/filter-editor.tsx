import { Button } from '#src/components/button.tsx';
import { useId, useState } from 'react';
import { type FilterItem, type FilterRule, rulesByKind } from '#models/query.ts';
import { useText } from '#src/components/text.ts';
import { asAsked, type FilterField, firstRule, firstValue, isChoosable, isWhole, type RefSource } from './filter-props.ts';
import { FilterValue } from './filter-value.tsx';
import './filters.css';

interface FilterEditorProps {
  fields: readonly FilterField[];
  /** The filter to change; none for a fresh one. */
  item: FilterItem | undefined;
  source: RefSource;
  onApply: (item: FilterItem) => void;
}

const fresh = (field: FilterField): FilterItem => {
  const rule = firstRule(field.kind);
  return { field: field.field, rule, value: firstValue(field.kind, rule) };
};

const ruleKey = (kind: FilterField['kind'], rule: FilterRule): string => `list.rules.${kind === 'time' ? 'time_' : ''}${rule}`;

/** The small form behind "+ Filter" and behind a chip: which field, which rule, which value. */
export default function FilterEditor({ fields, item, source, onApply }: FilterEditorProps) {
  const { t } = useText();
  const id = useId();
  const [draft, setDraft] = useState(item);
  const field = draft && fields.find((known) => known.field === draft.field);
  if (!draft || !field) {
    return (
      <ul className="filter-fields" aria-label={t('list.filters.field')}>
        {fields.filter(isChoosable).map((known) => (
          <li key={known.field}>
            <button type="button" className="menu-line" onClick={() => setDraft(fresh(known))}>
              {known.label}
            </button>
          </li>
        ))}
      </ul>
    );
  }
  if (field.presets) {
    return (
      <div className="filter-fields" role="group" aria-label={field.label}>
        <strong className="filter-title filter-lead">{field.label}</strong>
        {field.presets.map(({ label, rule, value }) => (
          <button key={label} type="button" className="menu-line" onClick={() => onApply({ field: field.field, rule, value })}>
            {label}
          </button>
        ))}
      </div>
    );
  }
  const rules: readonly FilterRule[] = rulesByKind[field.kind];
  const turnTo = (rule: FilterRule) =>
    setDraft({ ...draft, rule, value: (rule === 'is') === (draft.rule === 'is') ? draft.value : firstValue(field.kind, rule) });
  const whole = isWhole(field.kind, draft);
  return (
    <form
      className="filter-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (whole) onApply(asAsked(field.kind, draft));
      }}
    >
      <strong className="filter-title">{field.label}</strong>
      {rules.length > 1 && (
        <select
          className="plain-select"
          value={draft.rule}
          aria-label={t('list.filters.rule')}
          onChange={(event) => turnTo(rules.find((rule) => rule === event.target.value) ?? draft.rule)}
        >
          {rules.map((rule) => (
            <option key={rule} value={rule}>
              {t(ruleKey(field.kind, rule))}
            </option>
          ))}
        </select>
      )}
      <FilterValue id={`${id}-value`} field={field} item={draft} source={source} onChange={(value) => setDraft({ ...draft, value })} />
      <div className="filter-actions">
        {!item && <Button tone="quiet" small label={t('list.filters.back')} onClick={() => setDraft(undefined)} />}
        <Button type="submit" small label={t('list.filters.apply')} disabled={!whole} />
      </div>
    </form>
  );
}
