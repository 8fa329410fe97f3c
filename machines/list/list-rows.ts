import type { AreaName } from '#models/areas.ts';
import type { ExportFormat, Job, RowOutcome } from '#models/job.ts';
import type { Problem } from '#models/problem.ts';
import type { Filters, ListQuery } from '#models/query.ts';
import type { JobRequest } from '../job-request.ts';
import type { Page, Row } from '../rows.ts';

/** Rows to delete: these, or all that match. */
export type DeleteTarget = { area: AreaName; ids: readonly string[] } | { area: AreaName; filters: Filters };
/** What became of them, row by row; or the job that does it. */
export type DeleteAnswer = { outcomes: readonly RowOutcome[] } | { job: Job };

/** What a list holds. */
export interface ListContext {
  area: AreaName;
  query: ListQuery;
  /** What the rows on screen answer; null before the first page. */
  shown: ListQuery | null;
  rows: readonly Row[];
  total: number;
  /** Ids, over all pages; empty while `allMatching`. */
  selection: readonly string[];
  allMatching: boolean;
  /** What is being deleted, from the question to the answer. */
  target: DeleteTarget | null;
  outcomes: readonly RowOutcome[];
  problem: Problem | null;
  asOf: string | null;
  /** Rows that others have made or changed, as the last quiet reading showed. */
  changed: readonly string[];
}

type Change = Partial<ListContext>;

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Two requests that the server would answer alike. */
export const sameQuery = (a: ListQuery, b: ListQuery): boolean =>
  a.page === b.page && a.size === b.size && same(a.sort, b.sort) && same(a.filters, b.filters) && same(a.with, b.with);

/** The request as changed; unless the change names a page, it starts again from the first. */
export const merged = (query: ListQuery, patch: Partial<ListQuery>): ListQuery => ({ ...query, page: 1, ...patch });

/** The last page that has rows. */
export const lastPage = ({ size }: ListQuery, total: number): number => Math.max(1, Math.ceil(total / size));

/** Another request: the selection stays while the same rows match, and is dropped with other filters. */
export const withQuery = (context: ListContext, query: ListQuery): Change =>
  same(context.query.filters, query.filters) ? { query, problem: null } : { query, problem: null, selection: [], allMatching: false };

/** A page has come: rows that stood on the page asked for before and are gone now leave the selection. */
export function afterPage(context: ListContext, page: Page): Change {
  const here = new Set(page.rows.map(({ id }) => id));
  const gone = new Set(context.rows.map(({ id }) => id).filter((id) => !here.has(id)));
  const reread = context.shown !== null && sameQuery(context.shown, context.query);
  return {
    rows: page.rows,
    total: page.total,
    asOf: page.asOf,
    shown: context.query,
    problem: null,
    changed: [],
    selection: reread ? context.selection.filter((id) => !gone.has(id)) : context.selection,
  };
}

/** The same page read again because somebody changed rows: those that differ are marked. */
export function afterQuietPage(context: ListContext, page: Page): Change {
  const before = new Map(context.rows.map((row) => [row.id, row['version']]));
  const differs = ({ id, version }: Row): boolean => !before.has(id) || before.get(id) !== version;
  return { ...afterPage(context, page), changed: page.rows.filter(differs).map(({ id }) => id) };
}

/** One row chosen or not; choosing one by one ends "all that match" with the rows of this page. */
export function toggledRow({ rows, selection, allMatching }: ListContext, id: string): Change {
  const chosen = allMatching ? rows.map((row) => row.id) : selection;
  return { allMatching: false, selection: chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id] };
}

/** All rows of the page chosen, or none of them if all were. */
export function toggledPage({ rows, selection, allMatching }: ListContext): Change {
  const here = rows.map(({ id }) => id);
  const elsewhere = selection.filter((id) => !here.includes(id));
  const all = allMatching || here.every((id) => selection.includes(id));
  return { allMatching: false, selection: all ? elsewhere : [...elsewhere, ...here] };
}

/** What a deletion is about: the rows named, all that match, or the selection. */
export function targetOf({ area, query, selection, allMatching }: ListContext, ids?: readonly string[]): DeleteTarget {
  if (ids) return { area, ids };
  return allMatching ? { area, filters: query.filters } : { area, ids: selection };
}

/** The rows are gone or stay for a reason: the outcome of each is kept, the deleted leave the selection. */
export function afterRemoval({ selection, allMatching, target }: ListContext, answer: DeleteAnswer): Change {
  const outcomes = 'outcomes' in answer ? answer.outcomes : [];
  const deleted = new Set(outcomes.filter(({ ok }) => ok).map(({ id }) => id));
  return {
    outcomes,
    target: null,
    allMatching: allMatching && target !== null && 'ids' in target,
    selection: selection.filter((id) => !deleted.has(id)),
  };
}

/** The job that writes all rows that match to a file. */
export const exportRequest = (
  { area, query }: ListContext,
  { format, columns, readable }: { format: ExportFormat; columns?: readonly string[]; readable?: boolean },
): JobRequest => ({
  kind: 'export',
  area,
  format,
  filters: query.filters,
  sort: query.sort,
  ...(columns && { columns }),
  ...(readable && { readable }),
});
