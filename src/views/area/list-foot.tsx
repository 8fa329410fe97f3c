import { useSelector } from '@xstate/react';
import { Suspense, useContext, useMemo, useState } from 'react';
import type { ListActor } from '#machines/list/list.machine.ts';
import { isUncounted, mostCounted } from '#models/areas.ts';
import type { BulkRows } from '#models/forms/bulk.ts';
import { pageSizes } from '#models/query.ts';
import { clockAt } from '#models/zone.ts';
import { useText } from '#src/components/text.ts';
import { ClockworkContext } from '#src/components/when.tsx';
import { useProfile } from '#src/views/profile-of.ts';
import { usePages } from '../shell/page-reports.ts';
import { useIsApart } from '#src/views/system.ts';
import { bulkActionsFor } from './bulk-actions.ts';
import { BulkDialog, BulkMenu } from './bulk-menu.tsx';
import type { AddressPatch, ListAddress } from './list-address.ts';
import { PageNumbers } from './page-numbers.tsx';
import type { AnyResource } from './resource.ts';

interface ListFootProps {
  resource: AnyResource;
  list: ListActor;
  address: ListAddress;
  change: (patch: AddressPatch) => void;
  mayDelete: boolean;
}

/** What is selected, and what one can do with it. */
function Selection({ resource, list, mayDelete }: Pick<ListFootProps, 'resource' | 'list' | 'mayDelete'>) {
  const { t } = useText();
  const profile = useProfile();
  const selection = useSelector(list, ({ context }) => context.selection);
  const filters = useSelector(list, ({ context }) => context.query.filters);
  const selected = selection.length;
  const allMatching = useSelector(list, ({ context }) => context.allMatching);
  const total = useSelector(list, ({ context }) => context.total);
  const deleting = useSelector(list, (snapshot) => snapshot.hasTag('deleting'));
  const count = allMatching ? total : selected;
  const rows = useMemo((): BulkRows => (allMatching ? { filters } : { items: [...selection] }), [allMatching, filters, selection]);
  const [asking, setAsking] = useState(false);
  const pages = usePages();
  const { together } = resource;
  if (count === 0) return null;
  const actions = bulkActionsFor(profile, resource);
  return (
    <div className="foot-selection">
      <strong role="status">{t(allMatching ? 'list.foot.all_matching' : 'list.foot.selected', { count })}</strong>
      {!allMatching && selected < total && (
        <button type="button" className="link-button" onClick={() => list.send({ type: 'selection.allMatching' })}>
          {t('list.foot.select_matching', { count: total })}
        </button>
      )}
      <button type="button" className="link-button" onClick={() => list.send({ type: 'selection.clear' })}>
        {t('list.foot.clear')}
      </button>
      {together && !allMatching && selected > 1 && selected <= together.upTo && (
        <button type="button" className="link-button" onClick={() => pages.open(together.to(selection))}>
          {t(`areas.${resource.area}.together.${together.key}`)}
        </button>
      )}
      <BulkMenu resource={resource} list={list} actions={actions} rows={rows} />
      {mayDelete && (
        <button
          type="button"
          className="link-button foot-danger"
          disabled={deleting}
          onClick={() => (allMatching ? setAsking(true) : list.send({ type: 'rows.delete' }))}
        >
          {t(`areas.${resource.area}.delete`, { count })}
        </button>
      )}
      {asking && (
        <Suspense>
          <BulkDialog resource={resource} action="delete" rows={rows} list={list} close={() => setAsking(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** From when the rows are, while the server's word of changes does not come through. */
function AsOf({ list }: Pick<ListFootProps, 'list'>) {
  const { t } = useText();
  const clockwork = useContext(ClockworkContext);
  const asOf = useSelector(list, ({ context }) => context.asOf);
  const apart = useIsApart();
  if (!apart || !asOf) return null;
  return <span className="tag tag-warn">{t('list.foot.as_of', { time: clockAt(clockwork, Date.parse(asOf)).format('HH:mm') })}</span>;
}

/** One foot for selection, bulk actions and paging. */
export function ListFoot({ resource, list, address, change, mayDelete }: ListFootProps) {
  const { t } = useText();
  const total = useSelector(list, ({ context }) => context.total);
  const shown = useSelector(list, ({ context }) => context.rows.length);
  const { page, size } = address.query;
  if (shown === 0) return null;
  const from = (page - 1) * size + 1;
  const [to, isMore] = [from + shown - 1, isUncounted(resource.area, total)];
  const pages = Math.max(1, Math.ceil(total / size));
  return (
    <footer className="list-foot">
      <Selection resource={resource} list={list} mayDelete={mayDelete} />
      <nav className="foot-pages" aria-label={t('list.foot.pages')}>
        <AsOf list={list} />
        <span>
          {isMore ? t('list.foot.range_more', { from, to, total: mostCounted }) : t('list.foot.range', { from, to: Math.min(to, total), total })}
        </span>
        <select
          className="foot-size"
          aria-label={t('list.foot.size_label')}
          value={size}
          onChange={(event) => change({ size: Number(event.target.value) })}
        >
          {[...new Set<number>([...pageSizes, size])]
            .toSorted((one, other) => one - other)
            .map((option) => (
              <option key={option} value={option}>
                {t('list.foot.size', { size: option })}
              </option>
            ))}
        </select>
        <button type="button" className="link-button foot-turn" disabled={page <= 1} onClick={() => change({ page: page - 1 })}>
          {t('list.foot.previous')}
        </button>
        <PageNumbers page={page} pages={pages} onPage={(next) => change({ page: next })} />
        <button type="button" className="link-button foot-turn" disabled={page >= pages} onClick={() => change({ page: page + 1 })}>
          {t('list.foot.next')}
        </button>
      </nav>
    </footer>
  );
}
