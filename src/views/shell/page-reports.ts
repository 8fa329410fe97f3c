import { useCallback, useEffect, useLayoutEffect } from 'react';
import { type Location, useLocation, useNavigate } from 'react-router-dom';
import { useAreas } from '../area/areas.tsx';
import { listPath } from '../area/list-path.ts';
import type { Subscription } from 'xstate';
import { useServices, useWorkspace, type WorkspaceRef } from '../system.ts';
import { previousPath } from '#machines/workspace/workspace.machine.ts';
import { pageOf, withPageId } from './pages.ts';

const hasFailed = (workspace: WorkspaceRef): boolean => workspace.getSnapshot().status === 'error';

/** Tells the workspace which page the router shows, goes on when a page is done, and asks it before a page is left. */
export function usePageReports(workspace: WorkspaceRef): (next: Location) => Promise<boolean> {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const areas = useAreas();

  useLayoutEffect(() => {
    if (hasFailed(workspace)) return;
    workspace.send({ type: 'page.shown', page: pageOf({ pathname, search }, areas) });
  }, [workspace, areas, pathname, search]);

  useEffect(() => {
    const done = workspace.on('page.done', ({ pageId, path }) => {
      const page = workspace.getSnapshot().context.pages.find((open) => open.pageId === pageId);
      const entry = areas.find(({ area }) => area === page?.area);
      const list = entry ? listPath(entry) : '/home';
      void navigate(path ?? list, { replace: true });
    });
    return () => done.unsubscribe();
  }, [workspace, navigate, areas]);

  return useCallback(
    (next) =>
      new Promise((resolve) => {
        // What was typed in a workspace that has failed is kept: it holds nobody.
        if (hasFailed(workspace)) return resolve(true);
        const answer = (free: boolean): void => {
          for (const subscription of subscriptions) subscription.unsubscribe();
          resolve(free);
        };
        const subscriptions: Subscription[] = [];
        subscriptions.push(
          workspace.on('page.free', () => answer(true)),
          workspace.on('page.stayed', () => answer(false)),
          workspace.subscribe({ error: () => answer(true) }),
        );
        workspace.send({ type: 'page.leave', page: pageOf(next, areas) });
      }),
    [workspace, areas],
  );
}

/** Opening a page on top of the present one, and closing it again. */
export interface Pages {
  open: (path: string) => void;
  /** Goes back to the page below; to `otherwise` where there is none. */
  close: (otherwise?: string) => void;
}
/** Opens and closes pages of this window's stack. */
export function usePages(): Pages {
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const { freshId } = useServices();
  const open = useCallback((path: string) => void navigate(withPageId(path, freshId())), [navigate, freshId]);
  const close = useCallback(
    (otherwise = '/home') => void navigate(previousPath(workspace.getSnapshot()) ?? otherwise, { replace: true }),
    [navigate, workspace],
  );
  return { open, close };
}
