import type { ListQuery } from '#models/query.ts';
import { type AreaName, areaOf } from '#models/areas.ts';
import { unplugged } from './port.ts';

/** Any area's row as lists and pickers hold it. */
export type Row = { readonly id: string; readonly name?: unknown } & Readonly<Record<string, unknown>>;

/** One page of rows, how many match in all, and when the server said so (ISO 8601). */
export interface Page {
  rows: readonly Row[];
  total: number;
  asOf: string;
}

/** The port that lists and pickers read through. */
export const loadPage = unplugged<Page, { area: AreaName; query: ListQuery }>('loadPage');

/** What people call a row: the field that the area's model names its label. */
export function nameOf(area: AreaName, row: Row | null): string {
  const name = row?.[areaOf(area).label];
  return typeof name === 'string' ? name : '';
}
