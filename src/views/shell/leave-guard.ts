import { createContext, useContext, useEffect, useRef } from 'react';
import { type Location, useBlocker } from 'react-router-dom';

/** Asked before a page is left; answers whether it may be. */
export type Holder = () => Promise<boolean>;

/** Pages that may want to be held put their question here. */
export const HoldersContext = createContext<Set<Holder> | null>(null);

/** Asks before this page is left, as long as `holds`: by a link, by Back, by closing the tab. */
export function useLeaveGuard(holds: boolean, ask: Holder): void {
  const holders = useContext(HoldersContext);
  const question = useRef(ask);
  useEffect(() => {
    question.current = ask;
  });
  useEffect(() => {
    if (!holds || !holders) return;
    const holder: Holder = () => question.current();
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    holders.add(holder);
    window.addEventListener('beforeunload', warn);
    return () => {
      holders.delete(holder);
      window.removeEventListener('beforeunload', warn);
    };
  }, [holds, holders]);
}

/** Stops the router while a page is asked whether it may be left; the one blocker of the console. */
export function useRouterGate(holders: ReadonlySet<Holder>, mayLeave: (next: Location) => Promise<boolean>): void {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname);
  const asked = useRef(false);
  useEffect(() => {
    if (blocker.state !== 'blocked' || asked.current) return;
    asked.current = true;
    const next = blocker.location;
    const decide = async (): Promise<void> => {
      let free = true;
      for (const holder of holders) free &&= await holder();
      free &&= await mayLeave(next);
      asked.current = false;
      if (free) blocker.proceed();
      else blocker.reset();
    };
    void decide();
  }, [blocker, holders, mayLeave]);
}
