import { useSelector } from '@xstate/react';
import { useState } from 'react';
import type { PickerActor } from '#machines/picker.machine.ts';
import { openPicker } from '#machines/workspace/workspace.machine.ts';
import { type AreaName, areaOf } from '#models/areas.ts';
import { emptyQuery, type FilterItem } from '#models/query.ts';
import { asText } from '#src/components/as-text.ts';
import { inSentence } from '#models/in-sentence.ts';
import { type Candidate, PickerSheet } from '#src/components/picker-sheet.tsx';
import { Popup } from '#src/components/popup.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import { useProfile } from '#src/views/profile-of.ts';
import { useWorkspace } from '#src/views/system.ts';
import { useOwnList } from '#src/views/view-child.ts';
import { maySee } from './areas.tsx';
import { useRowNames } from './memory.tsx';
import { RefPicker } from './ref-picker.tsx';
import { type PickerDefinition, pickers } from './pickers.ts';
import type { AnyRow } from './resource.ts';

const stateOf = (snapshot: ReturnType<PickerActor['getSnapshot']>): 'loading' | 'more' | 'failed' | 'ready' => {
  if (snapshot.hasTag('failed')) return 'failed';
  if (snapshot.hasTag('loadingMore')) return 'more';
  return snapshot.hasTag('loading') ? 'loading' : 'ready';
};

/** Opens the same sheet anew for fewer people: those whose role holds a permission; what is chosen stays chosen. */
function Narrow({ picker, narrow }: { picker: PickerActor; narrow: NonNullable<PickerDefinition['narrow']> }) {
  const { t } = useText();
  const { filters, set } = useFilters(picker);
  const roles = useOwnList('roles', { ...emptyQuery, size: 100 });
  const ids = useSelector(
    roles,
    (snapshot) =>
      (snapshot?.context.rows ?? [])
        .filter(({ permissions }) => Array.isArray(permissions) && permissions.includes(narrow.holds))
        .map(({ id }) => id),
    (one, other) => one.join() === other.join(),
  );
  const on = filters.some(({ field }) => field === narrow.field);
  const others = filters.filter(({ field }) => field !== narrow.field);
  const turn = () => set(on ? others : [...others, { field: narrow.field, rule: 'equals', value: ids }]);
  return (
    <button type="button" className="chip chip-add" aria-pressed={on} disabled={!on && ids.length === 0} onClick={turn}>
      {t(`list.picker.narrow.${narrow.key}`)}
    </button>
  );
}

/** Opens the same sheet anew with other filters; what is chosen stays chosen. */
function useFilters(picker: PickerActor): { filters: readonly FilterItem[]; set: (filters: readonly FilterItem[]) => void } {
  const workspace = useWorkspace();
  const { request, chosen } = useSelector(picker, ({ context }) => context);
  return {
    filters: request.filters ?? [],
    set: (filters) => {
      const open = workspace.getSnapshot().context.picker;
      if (open) workspace.send({ type: 'picker.open', ...request, chosen, filters, reply: open.reply, path: open.path });
    },
  };
}

/** The words of a choice as chips: only rows that hold one of the pressed ones. */
function ByChoice({
  picker,
  area,
  choice: { field, words },
}: {
  picker: PickerActor;
  area: AreaName;
  choice: NonNullable<PickerDefinition['byChoice']>;
}) {
  const { t } = useText();
  const { filters, set } = useFilters(picker);
  const held = filters.find((filter) => filter.field === field)?.value;
  const pressed = Array.isArray(held) ? held.map(String) : [];
  const turn = (word: string) => {
    const next = pressed.includes(word) ? pressed.filter((other) => other !== word) : [...pressed, word];
    const others = filters.filter((filter) => filter.field !== field);
    set(next.length === 0 ? others : [...others, { field, rule: 'equals', value: next }]);
  };
  return words.map((word) => (
    <button key={word} type="button" className="chip chip-add" aria-pressed={pressed.includes(word)} onClick={() => turn(word)}>
      {t(`areas.${area}.options.${field}.${word}`)}
    </button>
  ));
}

/** Only the rows of which a flag holds. */
function ByFlag({ picker, flag }: { picker: PickerActor; flag: NonNullable<PickerDefinition['byFlag']> }) {
  const { t } = useText();
  const { filters, set } = useFilters(picker);
  const others = filters.filter(({ field }) => field !== flag);
  const on = others.length < filters.length;
  return (
    <button
      type="button"
      className="chip chip-add"
      aria-pressed={on}
      onClick={() => set(on ? others : [...others, { field: flag, rule: 'is', value: true }])}
    >
      {t(`list.picker.only.${flag}`)}
    </button>
  );
}

/** Only the rows of some groups, chosen in a box of their own. */
function ByGroup({ picker, field }: { picker: PickerActor; field: string }) {
  const { t } = useText();
  const { nameOf } = useRowNames();
  const { filters, set } = useFilters(picker);
  const [anchor, setAnchor] = useState<HTMLElement>();
  const held = filters.find((filter) => filter.field === field)?.value;
  const ids = Array.isArray(held) ? held.map(String) : [];
  const others = filters.filter((filter) => filter.field !== field);
  const label = t('list.picker.by_group');
  return (
    <>
      <button
        type="button"
        className="chip chip-add"
        aria-haspopup="dialog"
        aria-pressed={ids.length > 0}
        onClick={({ currentTarget }) => setAnchor(anchor ? undefined : currentTarget)}
      >
        {ids.length === 0 ? label : `${label}: ${ids.map((id) => nameOf('groups', id) ?? '…').join(', ')}`}
      </button>
      {anchor && (
        <Popup anchor={anchor} label={label} onClose={() => setAnchor(undefined)}>
          <div className="sheet-popup">
            <RefPicker
              id={`${picker.id}-group`}
              area="groups"
              label={label}
              ids={ids}
              onChange={(next) => set(next.length === 0 ? others : [...others, { field, rule: 'equals', value: next }])}
            />
          </div>
        </Popup>
      )}
    </>
  );
}

/** What narrows the rows beside the search, as far as the area has it. */
function Narrowing({ picker, area }: { picker: PickerActor; area: AreaName }) {
  const profile = useProfile();
  const { byChoice, byFlag, byGroup, narrow } = pickers[area] ?? {};
  return (
    <>
      {byChoice && <ByChoice picker={picker} area={area} choice={byChoice} />}
      {byFlag && <ByFlag picker={picker} flag={byFlag} />}
      {byGroup && <ByGroup picker={picker} field={byGroup} />}
      {narrow && maySee(profile, 'roles') && <Narrow picker={picker} narrow={narrow} />}
    </>
  );
}

function Sheet({ picker }: { picker: PickerActor }) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const profile = useProfile();
  const { request, search, rows, total, chosen, problem } = useSelector(picker, ({ context }) => context);
  const state = useSelector(picker, stateOf);
  const { area, multiple } = request;
  const definition = pickers[area];
  const { label } = areaOf(area);
  const candidate = (row: AnyRow): Candidate => {
    const unavailable = area === 'roles' ? definition?.unavailable?.(row, profile) : null;
    return {
      id: row.id,
      name: asText(row[label]),
      ...(typeof row['color'] === 'string' && { color: row['color'] }),
      second: unavailable ? t(`list.picker.refused.${unavailable}`) : (definition?.second?.(row) ?? undefined),
      refused: Boolean(unavailable),
      ...(definition?.full && { full: definition.full(row) }),
    };
  };
  return (
    <PickerSheet
      title={t('list.picker.title', { what: inSentence(t(`areas.${area}.${multiple ? 'title' : 'one'}`)) })}
      multiple={multiple}
      search={search}
      rows={(rows as readonly AnyRow[]).map(candidate)}
      chosen={chosen}
      total={total}
      state={state}
      problem={problem ? sayProblem(problem) : undefined}
      extra={<Narrowing picker={picker} area={area} />}
      onSearch={(text) => picker.send({ type: 'picker.search', text })}
      onToggle={({ id, name, color, full }: Candidate) =>
        picker.send({ type: 'picker.toggle', row: { id, name: full ?? name, ...(color && { color }) } })
      }
      onMore={() => picker.send({ type: 'picker.more' })}
      onRetry={() => picker.send({ type: 'rows.reload' })}
      onDone={() => picker.send({ type: 'picker.approve' })}
      onClose={() => picker.send({ type: 'picker.cancel' })}
    />
  );
}

/** The sheet in which rows are chosen, while one is open. */
export function PickerHost() {
  const picker = useSelector(useWorkspace(), openPicker);
  return picker ? <Sheet key={picker.sessionId} picker={picker} /> : null;
}
