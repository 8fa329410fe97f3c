import { createContext, useCallback, useContext, useEffect, useId, useMemo, useState } from 'react';
import type { Fab } from '#src/components/fab-bar.tsx';

type Show = (owner: string, fabs: readonly Fab[] | null) => void;

/** Where a page puts its floating buttons. */
export const FabsContext = createContext<Show>(() => {});

/** All floating buttons of the page that is shown, whoever of its parts put them there. */
export function useFabStore(): { fabs: readonly Fab[]; show: Show } {
  const [byOwner, setByOwner] = useState<ReadonlyMap<string, readonly Fab[]>>(new Map());
  const show = useCallback<Show>((owner, fabs) => {
    setByOwner((before) => {
      const after = new Map(before);
      if (fabs) after.set(owner, fabs);
      else after.delete(owner);
      return after;
    });
  }, []);
  const fabs = useMemo(() => [...byOwner].flatMap(([owner, own]) => own.map((fab) => ({ ...fab, key: `${owner}${fab.key}` }))), [byOwner]);
  return { fabs, show };
}

/** Shows floating buttons at the bottom for as long as this part of the page stands; `fabs` must be memoised. */
export function useFabs(fabs: readonly Fab[]): void {
  const show = useContext(FabsContext);
  const owner = useId();
  useEffect(() => {
    show(owner, fabs);
    return () => show(owner, null);
  }, [show, owner, fabs]);
}
