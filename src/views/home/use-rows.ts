import { useSelector } from '@xstate/react';
import { useCallback } from 'react';
import type { AreaName } from '#models/areas.ts';
import type { Problem } from '#models/problem.ts';
import { emptyQuery, type FilterItem, type ListQuery, writeQuery } from '#models/query.ts';
import { useOwnList } from '../view-child.ts';

type Row = Readonly<Record<string, unknown>> & { readonly id: string };
/** The first rows of an area, as a card of the dashboard needs them. */
export interface FirstRows<R> {
  loading: boolean;
  rows: readonly R[];
  total: number;
  problem: Problem | null;
  reload: () => void;
}

/** A request for the first rows that match all the filters. */
export const firstRows = (size: number, items: FilterItem[] = [], sort: string[] = []): ListQuery => ({
  ...emptyQuery,
  size,
  sort,
  filters: { match: 'match_all', items },
});

/** The address of a list that asks the same. */
export function listAddress(path: string, query: ListQuery): string {
  const params = new URLSearchParams(writeQuery({ ...query, size: emptyQuery.size }));
  return params.size > 0 ? `${path}?${params}` : path;
}

const none: readonly Row[] = [];

/** Reads the first rows of an area through a list of its own. */
export function useRows<R extends Row>(area: AreaName, query: ListQuery): FirstRows<R> {
  const actor = useOwnList(area, query);
  const reload = useCallback(() => actor?.send({ type: 'rows.reload' }), [actor]);
  return {
    loading: useSelector(actor, (snapshot) => snapshot?.hasTag('loading') ?? true),
    rows: useSelector(actor, (snapshot) => (snapshot?.context.rows ?? none) as unknown as readonly R[]),
    total: useSelector(actor, (snapshot) => snapshot?.context.total ?? 0),
    problem: useSelector(actor, (snapshot) => (snapshot?.hasTag('failed') ? snapshot.context.problem : null)),
    reload,
  };
}
