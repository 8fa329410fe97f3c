import type { AnyModel } from '#models/define-model.ts';
import { emptyQuery, type FilterItem, type Filters, type ListQuery, readQuery, writeQuery, WrongQuery } from '#models/query.ts';

/** What the address of a list says: the request, and the parts of it that are shown apart. */
export interface ListAddress {
  query: ListQuery;
  /** Filters as chips, without the search. */
  filters: Filters;
  search: string;
  /** Chosen columns in their order; none for the area's own choice. */
  columns: readonly string[] | undefined;
  /** Set when the address asks for something the area does not have; the query then asks for everything. */
  wrong: WrongQuery | undefined;
}

const own = ['page', 'size', 'sort', 'filters', 'with'] as const;

/** Fields that the search looks into: all of the area's, or its first one beside filters that must all hold. */
export const searchedFields = (model: Pick<AnyModel, 'search'>, filters: Filters): readonly string[] =>
  filters.items.length === 0 || filters.match === 'match_any' ? model.search : model.search.slice(0, 1);

/**
 * Filters and search as one request. The grammar has one match mode for all items: alone the search asks any of the area's
 * search fields; beside filters that must all hold it asks the first.
 */
export function withSearch(model: Pick<AnyModel, 'search'>, filters: Filters, search: string): Filters {
  const text = search.trim();
  if (!text) return filters;
  const items: FilterItem[] = searchedFields(model, filters).map((field) => ({ field, rule: 'contains', value: text }));
  return { match: filters.items.length === 0 ? 'match_any' : filters.match, items: [...filters.items, ...items] };
}

/** Reads the address of a list. */
export function readAddress(params: URLSearchParams, model: AnyModel): ListAddress {
  const search = params.get('search') ?? '';
  const columns = params.get('columns')?.split(',').filter(Boolean);
  try {
    const read = readQuery(Object.fromEntries(own.flatMap((key) => (params.has(key) ? [[key, params.get(key) ?? '']] : []))), model);
    return { query: { ...read, filters: withSearch(model, read.filters, search) }, filters: read.filters, search, columns, wrong: undefined };
  } catch (error) {
    if (!(error instanceof WrongQuery)) throw error;
    return { query: emptyQuery, filters: emptyQuery.filters, search: '', columns, wrong: error };
  }
}

/** What may be changed in the address; whatever else it holds (the page's id, the way of drawing) stays. */
export interface AddressPatch {
  page?: number;
  size?: number;
  sort?: string[];
  filters?: Filters;
  search?: string;
  columns?: readonly string[] | undefined;
}

/** The address after a change. Anything but turning the page goes back to page one. */
export function changedAddress(params: URLSearchParams, address: ListAddress, patch: AddressPatch): URLSearchParams {
  const next = new URLSearchParams(params);
  const query: ListQuery = {
    ...address.query,
    filters: patch.filters ?? address.filters,
    sort: patch.sort ?? address.query.sort,
    size: patch.size ?? address.query.size,
    page: patch.page ?? ('columns' in patch ? address.query.page : 1),
  };
  for (const key of own) next.delete(key);
  for (const [key, value] of Object.entries(writeQuery(query))) next.set(key, value);
  const search = patch.search ?? address.search;
  if (search.trim()) next.set('search', search);
  else next.delete('search');
  if ('columns' in patch) {
    if (patch.columns) next.set('columns', patch.columns.join(','));
    else next.delete('columns');
  }
  return next;
}
