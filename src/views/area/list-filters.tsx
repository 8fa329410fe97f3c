import { Suspense, useMemo, useRef, useState } from 'react';
import { lazyPart } from '#src/components/lazy-part.ts';
import { describe } from '#models/define-model.ts';
import type { Filters } from '#models/query.ts';
import { schemaAt, wordsOf } from '#src/components/fields/field-meta.ts';
import { FilterChips } from '#src/components/filters/filter-chips.tsx';
import type { FilterField } from '#src/components/filters/filter-props.ts';
import { Popup } from '#src/components/popup.tsx';
import { useText } from '#src/components/text.ts';
import { useRowNames } from './memory.tsx';
import { RefPicker } from './ref-picker.tsx';
import type { AnyResource } from './resource.ts';
import type { ListPartProps } from './list-part.ts';

const FilterEditor = lazyPart(() => import('#src/components/filters/filter-editor.tsx'));

/** The area whose rows a filter names: as the resource says, or the model. */
function areaOf({ model, filterAreas }: AnyResource, field: string, filters: Filters): string | undefined {
  const said = filterAreas[field];
  if (said !== undefined) return typeof said === 'function' ? said(filters) : said;
  const schema = schemaAt(model, field);
  return schema && describe(schema).ref;
}

/** What the area's list may be filtered by, in words. References without a screen of their own cannot be chosen. */
function useFilterFields(resource: AnyResource, filters: Filters): FilterField[] {
  const { t } = useText();
  return useMemo(
    () =>
      resource.filters.flatMap((field) => {
        const kind = resource.model.filters[field];
        if (!kind) return [];
        const label = t(`areas.${resource.area}.fields.${field}`);
        const options = wordsOf(resource.model, field).map((value) => ({ value, label: t(`areas.${resource.area}.options.${field}.${value}`) }));
        const area = kind === 'ref' || kind === 'refs' ? areaOf(resource, field, filters) : undefined;
        const presets = resource.filterPresets[field]?.map(({ words, ...preset }) => ({ ...preset, label: t(words) }));
        return [{ field, kind, label, options, area, presets }];
      }),
    [resource, filters, t],
  );
}

type Editing = { at: number | undefined; anchor: HTMLElement };

/** The filters as chips, and the small form that adds or changes one. */
export function ListFilters({ resource, address, change }: Pick<ListPartProps, 'resource' | 'address' | 'change'>) {
  const { t } = useText();
  const { filters } = address;
  const fields = useFilterFields(resource, filters);
  const { nameOf } = useRowNames();
  const source = useMemo(() => ({ nameOf, Search: RefPicker }), [nameOf]);
  const add = useRef<HTMLButtonElement>(null);
  const [editing, setEditing] = useState<Editing>();
  const set = (items: Filters['items'], match = filters.match) => change({ filters: { match: items.length > 1 ? match : 'match_all', items } });
  return (
    <div className="chips" role="group" aria-label={t('list.filters.field')}>
      <FilterChips
        fields={fields}
        filters={filters}
        source={source}
        onEdit={(at, anchor) => setEditing({ at, anchor })}
        onRemove={(at) => set(filters.items.filter((_, index) => index !== at))}
        onMatch={(match) => set(filters.items, match)}
      />
      {fields.length > 0 && (
        <button
          type="button"
          ref={add}
          className="chip chip-add"
          aria-haspopup="dialog"
          aria-expanded={editing !== undefined && editing.at === undefined}
          onClick={(event) => setEditing({ at: undefined, anchor: event.currentTarget })}
        >
          <span aria-hidden="true">+ </span>
          {t('list.filters.add')}
        </button>
      )}
      {editing && (
        <Popup anchor={editing.anchor} label={t('list.filters.field')} onClose={() => setEditing(undefined)}>
          <Suspense fallback={<div className="filter-form" />}>
            <FilterEditor
              fields={fields}
              item={editing.at === undefined ? undefined : filters.items[editing.at]}
              source={source}
              onApply={(item) => {
                set(editing.at === undefined ? [...filters.items, item] : filters.items.map((old, index) => (index === editing.at ? item : old)));
                setEditing(undefined);
              }}
            />
          </Suspense>
        </Popup>
      )}
    </div>
  );
}
