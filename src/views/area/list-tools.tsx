import { useSelector } from '@xstate/react';
import { Button } from '#src/components/button.tsx';
import { inSentence } from '#models/in-sentence.ts';
import { Suspense, useState } from 'react';
import { lazyPart } from '#src/components/lazy-part.ts';
import { useText } from '#src/components/text.ts';
import type { ImportArea } from '#models/import.ts';
import { isUncounted } from '#models/areas.ts';
import { hasPermission } from '#models/permissions.ts';
import { actorOf, useProfile } from '#src/views/profile-of.ts';
import { mayDo } from './areas.tsx';
import { searchedFields } from './list-address.ts';
import { ListFilters } from './list-filters.tsx';
import type { ListPartProps } from './list-part.ts';
import { useChangeParams, useTypedParam } from '../shell/address-params.ts';
import { useMedia } from '../shell/media.ts';
import { SortChoice } from './sort-choice.tsx';
import { useOpen } from './use-open.ts';

const ColumnChoice = lazyPart(() => import('./column-choice.tsx'));
const ViewsChoice = lazyPart(() => import('./views-choice.tsx'));
const ExportDialog = lazyPart(() => import('./export-dialog.tsx'));
const ImportDialog = lazyPart(() => import('../import/import-dialog.tsx'));

/** The search box: what is typed goes into the address after a pause; what the address says comes back into the box. */
function SearchBox({ resource, address, change }: Pick<ListPartProps, 'resource' | 'address' | 'change'>) {
  const { t } = useText();
  const box = useTypedParam('search', (search) => change({ search }));
  // A column that shows more than its field is not searched in all that its heading names.
  const fields = searchedFields(resource.model, address.filters).map((field) =>
    t(`areas.${resource.area}.searched.${field}`, { defaultValue: t(`areas.${resource.area}.fields.${field}`) }),
  );
  return (
    <span className="search-box">
      <i className="pi pi-search" aria-hidden="true" />
      <input
        className="p-inputtext p-component"
        type="search"
        data-search
        aria-label={t('list.search_in', { fields: fields.join(', ') })}
        placeholder={t('list.search_in', { fields: fields.map(inSentence).join(', ') })}
        {...box}
      />
    </span>
  );
}

/** The way back from the flat list to the area's own view of its rows. */
function ViewSwitch({ resource }: Pick<ListPartProps, 'resource'>) {
  const { t } = useText();
  const changeParams = useChangeParams();
  const own = resource.slots.list;
  if (!own) return null;
  const back = () =>
    changeParams((present) => new URLSearchParams([...[...present].filter(([key]) => key !== 'view'), ...(own.second ? [['view', own.key]] : [])]));
  return <Button tone="plain" icon={own.icon} label={t(`areas.${resource.area}.views.${own.key}`)} onClick={back} />;
}

/** Above the list: search and filters at the left, what one can do at the right. */
export function ListTools({ entry, resource, list, address, change }: ListPartProps) {
  const { t } = useText();
  const profile = useProfile();
  const open = useOpen(entry);
  // As wide as the table is one of cells.
  const narrow = useMedia('(max-width: 640px)');
  const [shown, setShown] = useState<'export' | 'import'>();
  const [viewsAt, setViewsAt] = useState<HTMLElement>();
  const total = useSelector(list, (snapshot) => snapshot?.context.total ?? 0);
  const Toolbar = resource.slots.toolbar;
  const { exportCode, importCode } = resource.model;
  const mayExport = resource.exports && (!exportCode || hasPermission(actorOf(profile), exportCode));
  const mayImport = importCode && hasPermission(actorOf(profile), importCode);
  const mayAdd = !resource.model.readOnly && mayDo(profile, resource, 'create');
  return (
    <div className="list-tools">
      <div className="list-asks">
        {resource.model.search.length > 0 && <SearchBox resource={resource} address={address} change={change} />}
        <ListFilters resource={resource} address={address} change={change} />
        {narrow && resource.model.sorts.length > 0 && <SortChoice resource={resource} address={address} change={change} />}
      </div>
      <div className="list-does">
        {Toolbar && <Toolbar resource={resource} entry={entry} profile={profile} list={list} />}
        <ViewSwitch resource={resource} />
        <Button
          tone="plain"
          label={t('list.views.button')}
          aria-haspopup="dialog"
          aria-expanded={viewsAt !== undefined}
          onClick={(event) => setViewsAt(viewsAt ? undefined : event.currentTarget)}
        />
        <Suspense fallback={<Button tone="plain" className="tool-columns" label={t('list.columns')} disabled />}>
          <ColumnChoice resource={resource} address={address} change={change} />
        </Suspense>
        {mayImport && (
          <Button
            tone="plain"
            icon="pi-upload"
            className="tool-link"
            label={t('list.import.open')}
            title={t('list.import.open')}
            onClick={() => setShown('import')}
          />
        )}
        {mayExport && (
          <Button
            tone="plain"
            className="tool-export"
            disabled={total === 0}
            label={isUncounted(resource.area, total) ? t('list.export.all') : t('list.export.button', { count: total })}
            onClick={() => setShown('export')}
          />
        )}
        {mayAdd && <Button className="tool-main" icon="pi-plus" label={t(`areas.${resource.area}.add`)} onClick={() => open('add')} />}
      </div>
      {viewsAt && (
        <Suspense>
          <ViewsChoice entry={entry} resource={resource} anchor={viewsAt} onClose={() => setViewsAt(undefined)} />
        </Suspense>
      )}
      {shown === 'import' && (
        <Suspense>
          <ImportDialog area={resource.area as ImportArea} onClose={() => setShown(undefined)} />
        </Suspense>
      )}
      {shown === 'export' && list && (
        <Suspense>
          <ExportDialog resource={resource} list={list} address={address} onClose={() => setShown(undefined)} />
        </Suspense>
      )}
    </div>
  );
}
