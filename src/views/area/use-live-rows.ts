import { useEffect, useId } from 'react';
import type { AreaName } from '#models/areas.ts';
import { type ListQuery } from '#models/query.ts';
import { topics } from '#models/realtime.ts';
import { useWantTopics, useWorkspace } from '#src/views/system.ts';
import { type FirstRows, useRows } from '../home/use-rows.ts';

/** Asks the realtime channel for changes of these areas as long as the view stands; `changed` hears which area it was. */
export function useLiveAreas(areas: readonly AreaName[], changed: (area: AreaName) => void): void {
  const owner = useId();
  const want = useWantTopics();
  const workspace = useWorkspace();
  const names = areas.join(',');
  useEffect(() => {
    const wanted = names.split(',').filter(Boolean) as AreaName[];
    want(`view:${owner}`, wanted.map(topics.area));
    return () => want(`view:${owner}`, []);
  }, [want, owner, names]);
  useEffect(() => {
    const subscription = workspace.on('rows.changed', ({ area }) => {
      if (names.split(',').includes(area)) changed(area);
    });
    return () => subscription.unsubscribe();
  }, [workspace, names, changed]);
}

/** The first rows of an area that match, read anew whenever any of them may have changed. */
export function useLiveRows<R extends Readonly<Record<string, unknown>> & { readonly id: string }>(area: AreaName, query: ListQuery): FirstRows<R> {
  const rows = useRows<R>(area, query);
  useLiveAreas([area], rows.reload);
  return rows;
}
