import { useEffect, useLayoutEffect, useState } from 'react';

/** The dialogs that are open, the uppermost last, and the places beside them that go on hearing keys and presses. */
const dialogs: HTMLElement[] = [];
const above = new Set<HTMLElement>();
const stilled = new Set<Element>();
const watchers = new Set<() => void>();

/** Below the uppermost dialog nothing hears keys or presses; what is above all dialogs does. */
function settle(): void {
  const uppermost = dialogs.at(-1);
  for (const element of stilled) element.removeAttribute('inert');
  stilled.clear();
  if (!uppermost) return;
  for (const element of document.body.children) {
    if (element === uppermost || (element instanceof HTMLElement && above.has(element))) continue;
    element.setAttribute('inert', '');
    stilled.add(element);
  }
}

/** Makes all below a dialog deaf for as long as it is open; answers how that ends. */
export function stillBelow(dialog: HTMLElement): () => void {
  dialogs.push(dialog);
  settle();
  return () => {
    dialogs.splice(dialogs.indexOf(dialog), 1);
    settle();
    for (const decide of watchers) decide();
  };
}

/** Whether it is one's turn to open a dialog nobody asked for: once no other is open; from then on it stays so. */
export function useTurn(): boolean {
  const [isTurn, setTurn] = useState(() => dialogs.length === 0);
  useEffect(() => {
    if (isTurn) return;
    const decide = (): void => setTurn((had) => had || dialogs.length === 0);
    watchers.add(decide);
    decide();
    return () => void watchers.delete(decide);
  }, [isTurn]);
  return isTurn;
}

/** A place beside the page that goes on hearing keys and presses whatever dialog is open, to draw into with `createPortal`. */
export function useAboveAll(): HTMLElement {
  const [element] = useState(() => document.createElement('div'));
  useLayoutEffect(() => {
    above.add(element);
    document.body.append(element);
    return () => {
      above.delete(element);
      element.remove();
    };
  }, [element]);
  return element;
}
