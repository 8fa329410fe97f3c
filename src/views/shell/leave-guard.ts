import { useSelector } from '@xstate/react';
import { useEffect, useRef } from 'react';
import { type Location, useBlocker } from 'react-router-dom';
import { holdsForm } from '#machines/workspace/workspace.machine.ts';
import { useOpenWorkspace } from '../system.ts';

/** Stops the router while the workspace is asked whether the page may be left; the one blocker of the console. */
export function useRouterGate(mayLeave: (next: Location) => Promise<boolean>): void {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname);
  const asked = useRef(false);
  const latest = useRef<typeof blocker | null>(blocker);
  // With the console gone, as after signing out, the router has forgotten that it was stopped.
  useEffect(() => () => void (latest.current = null), []);
  useEffect(() => {
    latest.current = blocker;
    if (blocker.state !== 'blocked' || asked.current) return;
    asked.current = true;
    const decide = async (): Promise<void> => {
      const free = await mayLeave(blocker.location);
      asked.current = false;
      // The way may be free, or another, by now.
      const { current } = latest;
      if (current?.state !== 'blocked') return;
      if (free) current.proceed();
      else current.reset();
    };
    void decide();
  }, [blocker, mayLeave]);
}

/** The browser asks before the tab is closed over a form with changes: unlike a record's, they are not kept. */
export function useCloseWarning(): void {
  const holds = useSelector(useOpenWorkspace(), (snapshot) => snapshot !== undefined && holdsForm(snapshot));
  useEffect(() => {
    if (!holds) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [holds]);
}
