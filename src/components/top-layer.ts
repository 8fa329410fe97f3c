import { type KeyboardEvent, type MouseEvent, type RefObject, type SyntheticEvent, useEffect, useRef } from 'react';

interface TopLayer {
  ref: RefObject<HTMLDialogElement | null>;
  onKeyDown: (event: KeyboardEvent) => void;
  onClick: (event: MouseEvent) => void;
  onCancel: (event: SyntheticEvent) => void;
}

/**
 * Puts a `<dialog>` into the browser's top layer for as long as it stands, above dialogs opened before it: focus stays
 * inside and goes back afterwards. Escape and a press beside it dismiss it.
 */
export function useTopLayer(onDismiss: () => void): TopLayer {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = ref.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
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
