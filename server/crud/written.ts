import type { Link, WritableRepository, Written } from './repository.ts';

/** The columns one field is kept in, with their values. */
function cells(written: Written, value: unknown): [column: string, value: unknown][] {
  if (typeof written === 'string') return [[written, value]];
  if (typeof written === 'symbol' || !('parts' in written)) return [];
  const block = new Map(Object.entries(value ?? {}));
  return Object.entries(written.parts).flatMap(([part, column]): [string, unknown][] =>
    typeof column === 'string' ? [[column, block.get(part)]] : [],
  );
}

/** The columns that wire fields are kept in; links and fields with rules of their own are left out. */
export const columnsOf = ({ written }: WritableRepository, fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(written).flatMap(([field, how]) => (fields[field] === undefined ? [] : cells(how, fields[field]))));

/** The fields that are links. */
export const linksOf = ({ written }: WritableRepository): [field: string, link: Link][] =>
  Object.entries(written).flatMap(([field, how]): [string, Link][] => (typeof how === 'object' && 'link' in how ? [[field, how.link]] : []));
