import { useSelector } from '@xstate/react';
import { useEffect, useId, useState } from 'react';
import type { InterceptedGroup } from '#machines/phone/words.ts';
import { emptyQuery, type ListQuery } from '#models/query.ts';
import { asText } from '#src/components/as-text.ts';
import { useText } from '#src/components/text.ts';
import { TextInput } from '#src/components/text-input.tsx';
import { useOwnActor } from '../own-actor.ts';
import { useServices } from '../system.ts';

/** How long somebody may pause between two letters, in ms. */
const pause = 250;
const most = 8;
const queryOf = (text: string): ListQuery => ({
  ...emptyQuery,
  sort: ['name'],
  filters: { match: 'match_all', items: text.trim() ? [{ field: 'name', rule: 'contains', value: text.trim() }] : [] },
});

/** Finds a group by its name, to put it on the list of those one intercepts. */
export function GroupSearch({ known, onAdd }: { known: ReadonlySet<string>; onAdd: (group: InterceptedGroup) => void }) {
  const { t } = useText();
  const id = useId();
  const actor = useOwnActor(useServices().list, { area: 'groups', query: queryOf('') });
  const [text, setText] = useState('');
  const rows = useSelector(actor, ({ context }) => context.rows);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (actor.getSnapshot().hasTag('failed')) actor.send({ type: 'rows.reload' });
      actor.send({ type: 'query.show', query: queryOf(text) });
    }, pause);
    return () => clearTimeout(timer);
  }, [actor, text]);
  const found = rows.map((row) => ({ id: row.id, name: asText(row['name']) })).filter((group) => !known.has(group.id));
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
      {text.trim() !== '' && (
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
                {group.name}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
