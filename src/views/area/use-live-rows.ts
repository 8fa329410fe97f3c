import { useEffect, useId } from 'react';
import type { AreaName } from '#models/index.ts';
import { type ListQuery } from '#models/query.ts';
import { topics } from '#models/realtime.ts';
import type { realtimeMachine } from '#machines/realtime.machine.ts';
import type { ActorRefFrom } from 'xstate';
import { useApp, useWorkspace } from '#src/views/system.ts';
import { type FirstRows, useRows } from '../home/use-rows.ts';

/** Asks the realtime channel for changes of these areas as long as the view stands; `changed` hears which area it was. */
export function useLiveAreas(areas: readonly AreaName[], changed: (area: AreaName) => void): void {
  const owner = useId();
  const app = useApp();
  const workspace = useWorkspace();
  const names = areas.join(',');
  useEffect(() => {
    const realtime = app.system.get('realtime') as ActorRefFrom<typeof realtimeMachine> | undefined;
    const wanted = names.split(',').filter(Boolean) as AreaName[];
    realtime?.send({ type: 'topics.want', owner: `view:${owner}`, topics: wanted.map(topics.area) });
    return () => realtime?.send({ type: 'topics.want', owner: `view:${owner}`, topics: [] });
  }, [app, owner, names]);
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
