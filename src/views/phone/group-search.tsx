import { useSelector } from '@xstate/react';
import { useEffect, useId, useState } from 'react';
import type { InterceptedGroup } from '#machines/phone/types.ts';
import type { Row } from '#machines/rows.ts';
import { emptyQuery, type ListQuery } from '#models/query.ts';
import { asText } from '#src/components/as-text.ts';
import { useProblemText, useText } from '#src/components/text.ts';
import { TextInput } from '#src/components/text-input.tsx';
import { useOwnList } from '../view-child.ts';

/** How long somebody may pause between two letters, in ms. */
const pause = 250;
const most = 8;
const none: readonly Row[] = [];
const queryOf = (text: string): ListQuery => ({
  ...emptyQuery,
  sort: ['name'],
  filters: { match: 'match_all', items: text.trim() ? [{ field: 'name', rule: 'contains', value: text.trim() }] : [] },
});

const groupOf = (row: Row): InterceptedGroup => ({
  id: row.id,
  name: asText(row['name']),
  path: Array.isArray(row['path']) ? row['path'].map(asText) : [],
});

/** A group and, below it, where it is: flats of two towers have the same name. */
export function GroupName({ group }: { group: InterceptedGroup }) {
  const above = group.path.slice(0, -1).join(' · ');
  return (
    <span className="grow">
      {group.name}
      {above !== '' && <span className="cell-sub">{above}</span>}
    </span>
  );
}

/** Finds a group by its name, to put it on the list of those one intercepts. */
export function GroupSearch({ known, onAdd }: { known: ReadonlySet<string>; onAdd: (group: InterceptedGroup) => void }) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const id = useId();
  const actor = useOwnList('groups', queryOf(''));
  const [text, setText] = useState('');
  const rows = useSelector(actor, (snapshot) => snapshot?.context.rows ?? none);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (actor?.getSnapshot().hasTag('failed')) actor.send({ type: 'rows.reload' });
      actor?.send({ type: 'query.show', query: queryOf(text) });
    }, pause);
    return () => clearTimeout(timer);
  }, [actor, text]);
  const wanted = text.trim().toLowerCase();
  // What was found for the letters before is no answer to these.
  const found = rows.map(groupOf).filter(({ id: one, name }) => !known.has(one) && name.toLowerCase().includes(wanted));
  const asked = useSelector(actor, (snapshot) => snapshot?.context.query.filters.items[0]?.value);
  const isRead = useSelector(actor, (snapshot) => snapshot !== undefined && snapshot.hasTag('ready') && !snapshot.hasTag('refreshing'));
  const problem = useSelector(actor, (snapshot) => (snapshot?.hasTag('failed') ? snapshot.context.problem : null));
  return (
    <div className="group-search">
      <label className="unseen" htmlFor={id}>
        {t('phone.interception.search')}
      </label>
      <TextInput
        id={id}
        type="search"
        placeholder={t('phone.interception.search')}
        value={text}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
      />
      {wanted !== '' && (
        <ul aria-label={t('phone.interception.found')}>
          {found.slice(0, most).map((group) => (
            <li key={group.id}>
              <button
                type="button"
                className="menu-line"
                onClick={() => {
                  onAdd(group);
                  setText('');
                }}
              >
                <i className="pi pi-plus" aria-hidden="true" />
                <GroupName group={group} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {wanted !== '' && found.length === 0 && (problem || (isRead && asked === text.trim())) && (
        <p className="quiet small" role="status">
          {problem ? sayProblem(problem) : t('phone.interception.none_found')}
        </p>
      )}
    </div>
  );
}
