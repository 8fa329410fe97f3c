import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';

interface TopLayer {
  ref: RefObject<HTMLDialogElement | null>;
  onKeyDown: (event: KeyboardEvent) => void;
  onClick: (event: MouseEvent) => void;
  onCancel: (event: SyntheticEvent) => void;
}

/** The dialogs in the browser's top layer, the uppermost last, and what must be read and pressed above them all. */
const layer: HTMLDialogElement[] = [];
const above = new Set<HTMLElement>();
const followers = new Set<() => void>();

/** All beside the uppermost dialog lies under its veil and hears no press; what is to be above all moves into it. */
function raise(): void {
  for (const element of above) (layer.at(-1) ?? document.body).append(element);
  for (const heard of followers) heard();
}
const follow = (heard: () => void): (() => void) => {
  followers.add(heard);
  return () => followers.delete(heard);
};
/** Whether a dialog lies over the page. */
export const useIsCovered = (): boolean => useSyncExternalStore(follow, () => layer.length > 0);

/** A place that no dialog covers, to draw into with `createPortal`. */
export function useAboveAll(): HTMLElement {
  const [element] = useState(() => document.createElement('div'));
  useLayoutEffect(() => {
    above.add(element);
    raise();
    return () => {
      above.delete(element);
      element.remove();
    };
  }, [element]);
  return element;
}

/**
 * Puts a `<dialog>` into the browser's top layer for as long as it stands, above dialogs opened before it: focus stays
 * inside and goes back afterwards. Escape and a press beside it dismiss it.
 */
export function useTopLayer(onDismiss: () => void): TopLayer {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const before = document.activeElement;
    element.showModal();
    layer.push(element);
    raise();
    return () => {
      layer.splice(layer.indexOf(element), 1);
      raise();
      element.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return {
    ref,
    onKeyDown: (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.nativeEvent.stopImmediatePropagation();
      onDismiss();
    },
    onClick: (event) => {
      if (event.target === ref.current) onDismiss();
    },
    onCancel: (event) => event.preventDefault(),
  };
}
