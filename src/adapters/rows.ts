import type { DeleteAnswer, DeleteTarget } from '#machines/list/list-rows.ts';
import type { Page, Row } from '#machines/rows.ts';
import { type AreaName, areaOf } from '#models/areas.ts';
import type { Job, RowOutcome } from '#models/job.ts';
import { type ListQuery, writeQuery } from '#models/query.ts';
import type { Http } from './http.ts';

interface Paged {
  data: readonly Row[];
  meta: { total: number };
  /** When it was seen, ISO, where the server could not be reached. */
  seenAt?: string;
}

/** What lists and pickers ask of the server about any area's rows. */
export function openRows(http: Http, now: () => number) {
  return {
    async loadPage({ area, query }: { area: AreaName; query: ListQuery }, signal?: AbortSignal): Promise<Page> {
      const { data, meta, seenAt } = await http.whole<Paged>({
        method: 'GET',
        path: `/${areaOf(area).path}`,
        query: writeQuery(query),
        ...(signal && { signal }),
      });
      return { rows: data, total: meta.total, asOf: seenAt ?? new Date(now()).toISOString() };
    },
    async deleteRows(target: DeleteTarget): Promise<DeleteAnswer> {
      const body = 'ids' in target ? { items: target.ids } : { filters: target.filters };
      const answer = await http.data<RowOutcome[] | Job>({ method: 'POST', path: `/${areaOf(target.area).path}/delete`, body });
      return Array.isArray(answer) ? { outcomes: answer } : { job: answer };
    },
  };
}
