import { InputText } from 'primereact/inputtext';
import { useEffect, useState } from 'react';
import type { Chosen } from '#src/components/fields/field-props.ts';
import { useText } from '#src/components/text.ts';
import type { RefSource } from './filter-props.ts';

interface RefSearchProps {
  id: string;
  area: string;
  label: string;
  ids: readonly string[];
  source: RefSource;
  onChange: (ids: string[]) => void;
}
type Found = { state: 'searching' } | { state: 'found'; rows: readonly Chosen[] } | { state: 'failed' };

/** How long somebody may pause between two letters, in milliseconds. */
const PAUSE = 200;

function useFound(area: string, text: string, source: RefSource): Found {
  const [found, setFound] = useState<Found>({ state: 'searching' });
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      source.find(area, text, stop.signal).then(
        (rows) => setFound({ state: 'found', rows }),
        () => stop.signal.aborted || setFound({ state: 'failed' }),
      );
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [area, text, source]);
  return found;
}

/** A small search for rows of another area, to filter by them. */
export function RefSearch({ id, area, label, ids, source, onChange }: RefSearchProps) {
  const { t } = useText();
  const [text, setText] = useState('');
  const found = useFound(area, text, source);
  const chosen: Chosen[] = ids.map((one) => ({ id: one, name: source.name(area, one) ?? '…' }));
  const rows = found.state === 'found' ? found.rows : [];
  const shown = [...chosen, ...rows.filter((row) => !ids.includes(row.id))];
  const toggle = (row: Chosen) => {
    source.learn(area, row);
    onChange(ids.includes(row.id) ? ids.filter((one) => one !== row.id) : [...ids, row.id]);
  };
  return (
    <div className="ref-search">
      <InputText id={id} type="search" autoFocus value={text} aria-label={label} placeholder={t('list.picker.search')} onChange={(event) => setText(event.target.value)} />
      <div className="filter-choices" aria-live="polite">
        {shown.map((row) => (
          <label key={row.id} className="field-flag">
            <input type="checkbox" className="box" checked={ids.includes(row.id)} onChange={() => toggle(row)} />
            <span>{row.name}</span>
          </label>
        ))}
        {found.state === 'found' && shown.length === 0 && <p className="field-hint">{t('list.picker.nothing')}</p>}
        {found.state === 'failed' && <p className="field-issue">{t('list.failed')}</p>}
      </div>
    </div>
  );
}
