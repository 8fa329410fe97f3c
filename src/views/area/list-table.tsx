import { useSelector } from '@xstate/react';
import { Button } from '#src/components/button.tsx';
import { type MouseEvent, Suspense, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { lazyPart } from '#src/components/lazy-part.ts';
import { EmptyState } from '#src/components/empty-state.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { Table } from '#src/components/table/table.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import { ClockworkContext } from '#src/components/when.tsx';
import { useProfile } from '#src/views/profile-of.ts';
import { mayDo, seesOthers } from './areas.tsx';
import type { ListPartProps } from './list-part.ts';
import type { AnyRow } from './resource.ts';
import { RowMenu } from './row-menu.tsx';
import { spokenName } from './row-name.ts';
import { useCell, useHead } from './use-columns.tsx';
import { useOpen } from './use-open.ts';
import { clockAt } from '#models/zone.ts';

const none: readonly AnyRow[] = [];
/** What widths are changed by comes after the rows. */
const ColumnHandles = lazyPart(() => import('./column-handles.tsx'));

/** Why there is nothing to see, and the one step that helps. */
function NothingThere({ entry, resource, address, change, total }: ListPartProps & { total: number }) {
  const { t, has } = useText();
  const profile = useProfile();
  const open = useOpen(entry);
  const { area } = resource;
  if (total > 0) {
    return (
      <EmptyState icon={resource.icon} text={t('list.past_end', { page: address.query.page })}>
        <Button tone="plain" label={t('list.first_page')} onClick={() => change({ page: 1 })} />
      </EmptyState>
    );
  }
  if (address.query.filters.items.length > 0) {
    const clear = () => change({ search: '', filters: { match: 'match_all', items: [] } });
    return (
      <EmptyState icon="pi-filter-slash" text={t('list.nothing_matches')}>
        <Button tone="plain" label={t('list.clear_filters')} onClick={clear} />
      </EmptyState>
    );
  }
  const mayAdd = !resource.model.readOnly && mayDo(profile, resource, 'create');
  // Who sees nothing but what they made is not told that there is nothing, nor how to make it when they may not.
  if (!mayAdd && !seesOthers(profile, area)) return <EmptyState icon={resource.icon} text={t('list.nothing_visible')} />;
  const hint = `areas.${area}.empty_hint`;
  return (
    <EmptyState icon={resource.icon} text={has(hint) ? `${t(`areas.${area}.empty`)}. ${t(hint)}` : t(`areas.${area}.empty`)}>
      {mayAdd && <Button icon="pi-plus" label={t(`areas.${area}.add`)} onClick={() => open('add')} />}
    </EmptyState>
  );
}

/** A page could not be loaded while older rows stand: said above them, they stay; and so does this while it is tried again. */
function StaleNotice({ list, busy }: { list: NonNullable<ListPartProps['list']>; busy: boolean }) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const clockwork = useContext(ClockworkContext);
  const problem = useSelector(list, ({ context }) => context.problem);
  const asOf = useSelector(list, ({ context }) => context.asOf);
  if (!problem) return null;
  return (
    <div className="notice notice-bad" role="alert">
      <i className="pi pi-exclamation-circle" aria-hidden="true" />
      <span>
        {sayProblem(problem)}. {asOf && t('list.failed_stale', { time: clockAt(clockwork, Date.parse(asOf)).format('HH:mm:ss') })}
      </span>
      <Button tone="quiet" small label={t('list.retry')} loading={busy} onClick={() => list.send({ type: 'rows.reload' })} />
    </div>
  );
}

/** Which rows the list has, and how they stand: on their way, there, or kept from before. */
function useRows(list: ListPartProps['list']) {
  return {
    rows: useSelector(list, (snapshot) => (snapshot?.context.shown ? (snapshot.context.rows as readonly AnyRow[]) : undefined)),
    total: useSelector(list, (snapshot) => snapshot?.context.total ?? 0),
    selection: useSelector(list, (snapshot) => snapshot?.context.selection),
    allMatching: useSelector(list, (snapshot) => snapshot?.context.allMatching ?? false),
    changed: useSelector(list, (snapshot) => snapshot?.context.changed),
    failed: useSelector(list, (snapshot) => snapshot?.hasTag('failed') ?? false),
    loading: useSelector(list, (snapshot) => snapshot === undefined || snapshot.hasTag('loading')),
    busy: useSelector(list, (snapshot) => snapshot?.hasTag('refreshing') ?? false),
    problem: useSelector(list, (snapshot) => snapshot?.context.problem ?? null),
  };
}

/** While a row's menu is open the rows stay where they are. */
function useHeldRows(list: ListPartProps['list'], held: boolean): void {
  useEffect(() => {
    if (!held) return;
    list?.send({ type: 'rows.hold' });
    return () => list?.send({ type: 'rows.release' });
  }, [list, held]);
}

/** The rows as a table, with everything that may stand in their place. */
export function ListTable({ entry, resource, list, address, change }: ListPartProps) {
  const { t } = useText();
  const profile = useProfile();
  const open = useOpen(entry);
  const { rows, total, selection, allMatching, changed, failed, loading, busy, problem } = useRows(list);
  const [menu, setMenu] = useState<{ anchor: HTMLElement; id: string }>();
  const head = useHead(resource, address.columns);
  const cell = useCell(resource, entry);
  const selected = useMemo(() => new Set(selection), [selection]);
  const marked = useMemo(() => new Set(changed), [changed]);
  useHeldRows(list, menu !== undefined);
  const { readOnly } = resource.model;
  const selectable = resource.together !== undefined || (!readOnly && mayDo(profile, resource, 'delete'));

  const openRow = useCallback(
    (id: string) => {
      const row = list?.getSnapshot().context.rows.find((known) => known.id === id);
      open(row && !readOnly && mayDo(profile, resource, 'edit', row as AnyRow) ? 'edit' : 'view', id);
    },
    [list, open, readOnly, profile, resource],
  );
  const openMenu = useCallback((event: MouseEvent<HTMLElement>, id: string) => setMenu({ anchor: event.currentTarget, id }), []);
  const toggle = useCallback((id: string) => list?.send({ type: 'row.toggle', id }), [list]);
  const markPage = useCallback(() => list?.send({ type: 'page.toggle' }), [list]);
  const sort = useCallback((field: string) => change({ sort: [field] }), [change]);
  const nameOf = useCallback((row: AnyRow) => spokenName({ t }, resource, row), [t, resource]);

  if (address.wrong) {
    const { parameter, value } = address.wrong;
    return (
      <EmptyState icon="pi-link" text={t('list.wrong_address', { parameter, value })}>
        <Button
          tone="plain"
          label={t('list.show_all')}
          onClick={() => change({ search: '', sort: [], filters: { match: 'match_all', items: [] } })}
        />
      </EmptyState>
    );
  }
  if (failed && (rows ?? none).length === 0 && problem) return <Failure problem={problem} onRetry={() => list?.send({ type: 'rows.reload' })} />;
  if (rows && rows.length === 0 && !loading)
    return <NothingThere entry={entry} resource={resource} list={list} address={address} change={change} total={total} />;
  const menuRow = menu && rows?.find(({ id }) => id === menu.id);
  return (
    <>
      {(failed || busy) && list && <StaleNotice list={list} busy={busy} />}
      <Table<AnyRow>
        caption={t(`areas.${resource.area}.title`)}
        columns={head}
        rows={rows && rows.length > 0 ? rows : undefined}
        expected={Math.min(address.query.size, 20)}
        idOf={idOf}
        nameOf={nameOf}
        cell={cell}
        sort={address.query.sort.length > 0 ? address.query.sort : resource.model.defaultSort}
        onSort={sort}
        selected={selected}
        allSelected={allMatching}
        onToggle={selectable ? toggle : undefined}
        onMarkPage={markPage}
        onOpen={openRow}
        onMenu={openMenu}
        words={{ select: t('list.row.select'), selectPage: t('list.row.select_page'), menu: t('list.row.menu') }}
        changed={marked}
        over={
          rows &&
          rows.length > 0 && (
            <Suspense>
              <ColumnHandles area={resource.area} columns={head} />
            </Suspense>
          )
        }
        busy={busy}
      />
      {menu && menuRow && list && (
        <RowMenu key={menu.id} entry={entry} resource={resource} list={list} row={menuRow} anchor={menu.anchor} onClose={() => setMenu(undefined)} />
      )}
    </>
  );
}

const idOf = ({ id }: AnyRow): string => id;
