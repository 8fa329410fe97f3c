import type { AnyModel } from '#models/define-model.ts';
import { writeQuery } from '#models/query.ts';
import { readAddress } from './list-address.ts';
import { viewQuery } from './view-query.ts';

/** By what a log is read, newest first; none for what is no log. */
function momentOf({ readOnly, defaultSort, filters }: AnyModel): string | undefined {
  const field = defaultSort[0]?.replace(/^-/, '');
  return readOnly && field !== undefined && filters[field] === 'time' ? field : undefined;
}

/**
 * What a list shows as an address to pass on. Of a log that is still being written it names the moment at which it was made, so that it goes on
 * showing the same, page and order included; a search alone asks any of the fields, which no further condition can be added to.
 */
export function lastingQuery(model: AnyModel, params: URLSearchParams, at: string): { query: string; isFixed: boolean } {
  const address = readAddress(params, model);
  const { filters, search, query } = address;
  const field = momentOf(model);
  const ends = filters.items.some((item) => item.field === field && (item.rule === 'below' || item.rule === 'equals_below'));
  const isOpen = filters.match === 'match_all' && (filters.items.length > 0 || search.trim() === '');
  if (field === undefined || address.wrong || (!ends && !isOpen)) return { query: viewQuery(params), isFixed: false };
  const items = ends ? filters.items : [...filters.items, { field, rule: 'equals_below' as const, value: at }];
  const written = writeQuery({ ...query, sort: query.sort.length > 0 ? query.sort : [...model.defaultSort], filters: { ...filters, items } });
  const shownQuery = new URLSearchParams(viewQuery(params));
  for (const [key, value] of Object.entries(written)) shownQuery.set(key, value);
  return { query: shownQuery.toString(), isFixed: true };
}
