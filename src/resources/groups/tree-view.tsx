import { TextInput } from '#src/components/text-input.tsx';
import { useSelector } from '@xstate/react';
import { Button } from '#src/components/button.tsx';
import { type MouseEvent, useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { EmptyState } from '#src/components/empty-state.tsx';
import { GroupTree } from '#src/components/group-tree.tsx';
import { type Forest, linesOf, matching } from '#src/components/group-tree-nodes.ts';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { mayDo } from '#src/views/area/areas.tsx';
import { useForest } from '#src/views/area/memory.tsx';
import type { AnyRow, ListSlotProps } from '#src/views/area/resource.ts';
import { RowMenu } from '#src/views/area/row-menu.tsx';
import { useOpen } from '#src/views/area/use-open.ts';
import './groups.css';

/** Which nodes are open: at first the roots, so that a person sees the houses at once. */
function useOpenNodes(forest: Forest | undefined) {
  const [changed, setOpen] = useState<ReadonlySet<string>>();
  const open = useMemo(() => changed ?? new Set(forest?.roots.map(({ id }) => id)), [changed, forest]);
  const flip = useCallback(
    (id: string) => {
      const next = new Set(open);
      if (!next.delete(id)) next.add(id);
      setOpen(next);
    },
    [open],
  );
  return { open, flip, setOpen };
}

/** Deleting goes through the list's machine; when it has deleted something the tree is read anew. */
function useReloadAfterDeletion(list: ListSlotProps['list'], reload: () => void): void {
  const outcomes = useSelector(list, (snapshot) => snapshot?.context.outcomes);
  useEffect(() => {
    if (outcomes?.some(({ ok }) => ok)) reload();
  }, [outcomes, reload]);
}

/** The groups as a tree: search, open and close, and everything one can do with a group. */
export function TreeView({ entry, resource, profile, list, onFlat }: ListSlotProps) {
  const { t } = useText();
  const open = useOpen(entry);
  const { forest, failed, reload } = useForest();
  const nodes = useOpenNodes(forest);
  const [search, setSearch] = useState('');
  const [menu, setMenu] = useState<{ anchor: HTMLElement; id: string }>();
  const wanted = useDeferredValue(search);
  useReloadAfterDeletion(list, reload);
  const shown = useMemo(() => forest && matching(forest, wanted), [forest, wanted]);
  const lines = useMemo(() => (forest ? linesOf(forest, nodes.open, shown) : []), [forest, nodes.open, shown]);
  const openRow = useCallback(
    (id: string) => open(mayDo(profile, resource, 'edit', { id, version: 0 }) ? 'edit' : 'view', id),
    [open, profile, resource],
  );
  const openMenu = useCallback((event: MouseEvent<HTMLElement>, id: string) => setMenu({ anchor: event.currentTarget, id }), []);
  const menuNode = menu && forest?.byId.get(menu.id);
  const allOpen = forest !== undefined && nodes.open.size >= forest.below.size;
  const Toolbar = resource.slots.toolbar;
  return (
    <>
      <div className="list-tools">
        <div className="list-asks">
          <span className="search-box">
            <i className="pi pi-search" aria-hidden="true" />
            <TextInput
              type="search"
              data-search
              value={search}
              placeholder={t('list.tree.search')}
              aria-label={t('list.tree.search')}
              onChange={(event) => setSearch(event.target.value)}
            />
          </span>
          {shown ? (
            <span className="quiet" role="status">
              {t('list.tree.found', { count: shown.size })}
            </span>
          ) : (
            <button type="button" className="link-button" onClick={() => nodes.setOpen(allOpen ? new Set() : new Set(forest?.below.keys()))}>
              {t(allOpen ? 'list.tree.collapse' : 'list.tree.expand')}
            </button>
          )}
        </div>
        <div className="list-does">
          {Toolbar && <Toolbar entry={entry} resource={resource} profile={profile} />}
          {onFlat && <Button tone="plain" icon="pi-list" label={t('list.view_flat')} onClick={onFlat} />}
          {mayDo(profile, resource, 'create') && (
            <Button className="tool-main" icon="pi-plus" label={t('areas.groups.add')} onClick={() => open('add')} />
          )}
        </div>
      </div>
      <section className="card area-card tree-card">
        {forest && lines.length > 0 && (
          <GroupTree
            label={t('areas.groups.title')}
            forest={forest}
            lines={lines}
            fixed={shown !== undefined}
            onFlip={nodes.flip}
            onOpen={openRow}
            onMenu={openMenu}
          />
        )}
        {forest && lines.length === 0 && (
          <EmptyState icon="pi-sitemap" text={t(search ? 'list.nothing_matches' : 'areas.groups.empty')}>
            {search && <Button tone="plain" label={t('list.clear_filters')} onClick={() => setSearch('')} />}
          </EmptyState>
        )}
        {!forest && failed && (
          <EmptyState icon="pi-exclamation-circle" text={t('list.failed')}>
            <Button tone="plain" label={t('list.retry')} onClick={reload} />
          </EmptyState>
        )}
        {!forest && !failed && (
          <div className="editor-bones">
            <SkeletonLines lines={12} label={t('list.loading')} />
          </div>
        )}
      </section>
      {menu && menuNode && list && (
        <RowMenu
          key={menu.id}
          entry={entry}
          resource={resource}
          list={list}
          row={menuNode as unknown as AnyRow}
          anchor={menu.anchor}
          onClose={() => setMenu(undefined)}
        />
      )}
    </>
  );
}
