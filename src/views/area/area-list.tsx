import { useSelector } from '@xstate/react';
import { Suspense, useCallback, useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type ListActor } from '#machines/list/list.machine.ts';
import { listOf } from '#machines/workspace/workspace.machine.ts';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { useProfile } from '#src/views/profile-of.ts';
import { useWorkspace } from '#src/views/system.ts';
import { mayDo } from './areas.tsx';
import { ListFoot } from './list-foot.tsx';
import { ListOutcomes } from './list-outcomes.tsx';
import { ListTools } from './list-tools.tsx';
import { ListTable } from './list-table.tsx';
import type { AnyResource, AreaEntry } from './resource.ts';
import { useAddress } from './use-address.ts';
import { useChangeParams } from '../shell/address-params.ts';
import '#src/components/controls.css';
import './area.css';

interface AreaListProps {
  entry: AreaEntry;
  resource: AnyResource;
}

/** The area's own way to see its rows, when it has one and the address does not ask for the flat list. */
function useOtherView({ slots }: AnyResource): { own: NonNullable<AnyResource['slots']['list']> | undefined; change: (key: string | null) => void } {
  const [params] = useSearchParams();
  const changeParams = useChangeParams();
  const change = useCallback(
    (key: string | null) =>
      changeParams((present) => {
        if (key) present.set('view', key);
        else present.delete('view');
        return present;
      }),
    [changeParams],
  );
  const { list } = slots;
  const isShown = list?.second ? params.get('view') === list.key : params.get('view') !== 'flat';
  return { own: isShown ? list : undefined, change };
}

/** The rows follow the address: whatever it asks for is shown. */
function useShownQuery(list: ListActor | undefined, query: ReturnType<typeof useAddress>[0]['query']): void {
  useEffect(() => {
    list?.send({ type: 'query.show', query });
  }, [list, query]);
}

function FlatList({ entry, resource, list }: AreaListProps & { list: ListActor | undefined }) {
  const [address, change] = useAddress(resource.model);
  const profile = useProfile();
  useEffect(() => {
    // The server has fewer rows than the address thinks: the list asks for the last page there is. Heard before the list is told what is shown.
    const subscription = list?.on('query.wanted', ({ query }) => change({ page: query.page }));
    return () => subscription?.unsubscribe();
  }, [list, change]);
  useShownQuery(list, address.query);
  return (
    <>
      <ListTools entry={entry} resource={resource} list={list} address={address} change={change} />
      <section className="card area-card">
        <ListTable entry={entry} resource={resource} list={list} address={address} change={change} />
        {list && !address.wrong && (
          <ListFoot resource={resource} list={list} address={address} change={change} mayDelete={mayDo(profile, resource, 'delete')} />
        )}
      </section>
      {list && <ListOutcomes list={list} />}
    </>
  );
}

/** `/` goes to the search, unless somebody is typing. */
function useSearchKey(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const typing = event.target instanceof Element && event.target.closest('input, textarea, select, dialog, [contenteditable]') !== null;
      if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      document.querySelector<HTMLElement>('[data-search]')?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** The list of an area: tools above, rows, and a foot with selection and pages; or the area's own view of its rows. */
export function AreaList({ entry, resource }: AreaListProps) {
  const workspace = useWorkspace();
  const list = useSelector(workspace, (snapshot) => listOf(snapshot, entry.area));
  const profile = useProfile();
  const { t } = useText();
  const { own, change } = useOtherView(resource);
  useSearchKey();
  const Own = own?.view;
  return (
    <div className="area-list">
      {Own ? (
        <Suspense fallback={<SkeletonLines lines={12} label={t('list.loading')} />}>
          <Own resource={resource} entry={entry} profile={profile} list={list} onFlat={() => change(own?.second ? null : 'flat')} />
        </Suspense>
      ) : (
        <FlatList entry={entry} resource={resource} list={list} />
      )}
    </div>
  );
}
