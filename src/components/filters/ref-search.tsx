import { TextInput } from '#src/components/text-input.tsx';
import type { Chosen } from '#src/components/fields/field-props.ts';
import { useText } from '#src/components/text.ts';
import './filters.css';

interface RefSearchProps {
  id: string;
  label: string;
  text: string;
  onText: (text: string) => void;
  /** Those chosen already; they stay on top whatever is searched for. */
  chosen: readonly Chosen[];
  rows: readonly Chosen[];
  state: 'searching' | 'found' | 'failed';
  onToggle: (row: Chosen) => void;
}

/** A small search for rows of another area, to filter by them. */
export function RefSearch({ id, label, text, onText, chosen, rows, state, onToggle }: RefSearchProps) {
  const { t } = useText();
  const ids = new Set(chosen.map((row) => row.id));
  const shown = [...chosen, ...rows.filter((row) => !ids.has(row.id))];
  return (
    <div className="ref-search">
      <TextInput
        id={id}
        type="search"
        autoFocus
        value={text}
        aria-label={label}
        placeholder={t('list.picker.search')}
        onChange={(event) => onText(event.target.value)}
      />
      <div className="filter-choices" aria-live="polite" aria-busy={state === 'searching'}>
        {shown.map((row) => (
          <label key={row.id} className="field-flag">
            <input type="checkbox" className="check" checked={ids.has(row.id)} onChange={() => onToggle(row)} />
            <span>{row.name}</span>
          </label>
        ))}
        {state === 'found' && shown.length === 0 && <p className="field-hint">{t('list.picker.nothing')}</p>}
        {state === 'failed' && <p className="field-issue">{t('list.failed')}</p>}
      </div>
    </div>
  );
}
