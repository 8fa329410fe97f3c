import { useSelector } from '@xstate/react';
import { useEffect, useState } from 'react';
import type { ListActor } from '#machines/list/list.machine.ts';
import type { Row } from '#machines/rows.ts';
import { type AreaName, areaOf, isArea } from '#models/areas.ts';
import { emptyQuery, type ListQuery } from '#models/query.ts';
import { asText } from '#src/components/as-text.ts';
import type { Chosen } from '#src/components/fields/field-props.ts';
import type { RefValueProps } from '#src/components/filters/filter-props.ts';
import { RefSearch } from '#src/components/filters/ref-search.tsx';
import { useOwnList } from '#src/views/view-child.ts';
import { useRowNames } from './memory.tsx';
import { rowName } from './row-name.ts';

/** How long somebody may pause between two letters, in milliseconds. */
const PAUSE = 250;
const none: readonly Row[] = [];

function stateOf(snapshot: ReturnType<ListActor['getSnapshot']> | undefined): 'failed' | 'searching' | 'found' {
  if (snapshot?.hasTag('failed')) return 'failed';
  return snapshot?.hasTag('loading') === false ? 'found' : 'searching';
}

/** Asks for rows that have the text in any of the area's search fields. */
function searchQuery(area: AreaName, text: string): ListQuery {
  const { search, defaultSort } = areaOf(area);
  const wanted = text.trim();
  const items = wanted ? search.map((field) => ({ field, rule: 'contains' as const, value: wanted })) : [];
  return { ...emptyQuery, sort: [...defaultSort], filters: { match: 'match_any', items } };
}

function Search({ id, area, label, ids, onChange }: RefValueProps & { area: AreaName }) {
  const actor = useOwnList(area, searchQuery(area, ''));
  const { nameOf, learn } = useRowNames();
  const [text, setText] = useState('');
  const rows = useSelector(actor, (snapshot) => snapshot?.context.rows ?? none);
  const state = useSelector(actor, stateOf);
  useEffect(() => {
    const timer = setTimeout(() => {
      // The same search once more after a failure is a wish to try again.
      if (actor?.getSnapshot().hasTag('failed')) actor.send({ type: 'rows.reload' });
      actor?.send({ type: 'query.show', query: searchQuery(area, text) });
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [actor, area, text]);
  const { label: field } = areaOf(area);
  const toggle = (row: Chosen) => {
    learn(area, row);
    onChange(ids.includes(row.id) ? ids.filter((one) => one !== row.id) : [...ids, row.id]);
  };
  return (
    <RefSearch
      id={id}
      label={label}
      text={text}
      onText={setText}
      chosen={ids.map((one) => ({ id: one, name: nameOf(area, one) ?? '…' }))}
      rows={rows.map((row) => ({ id: row.id, name: rowName(area, row) ?? asText(row[field]) }))}
      state={state}
      onToggle={toggle}
    />
  );
}

/** Rows of another area as the value of a filter. */
export function RefPicker(props: RefValueProps) {
  return isArea(props.area) ? <Search {...props} area={props.area} /> : null;
}
