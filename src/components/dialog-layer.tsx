import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { stillBelow } from './above-all.ts';
import './dialog-layer.css';

interface DialogLayerProps {
  className: string;
  /** The id of its title, or what is said where there is none. */
  labelledBy?: string | undefined;
  label?: string | undefined;
  /** Escape, or a press beside the dialog. */
  onDismiss: () => void;
  children: ReactNode;
}

/**
 * A dialog over the page and under the calls: a native modal one would lie above everything and silence it. Focus stays inside and
 * goes back afterwards.
 */
export function DialogLayer({ className, labelledBy, label, onDismiss, children }: DialogLayerProps) {
  const layer = useRef<HTMLDivElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  // Asked before anything inside takes the focus.
  const [before] = useState(() => document.activeElement);
  useLayoutEffect(() => {
    const element = layer.current;
    if (!element) return;
    dialog.current?.show();
    // Showing a dialog puts the focus on its first control; before it is shown none can have it.
    dialog.current?.querySelector<HTMLElement>('[data-focus="true"]')?.focus();
    const open = stillBelow(element);
    return () => {
      open();
      if (before instanceof HTMLElement) before.focus();
    };
  }, [before]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    event.nativeEvent.stopImmediatePropagation();
    onDismiss();
  };
  return createPortal(
    <div
      ref={layer}
      className="dialog-layer"
      // Where a press beside all fields puts the focus: keys go on being heard.
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        if (event.target === event.currentTarget) onDismiss();
      }}
    >
      <dialog ref={dialog} className={className} aria-labelledby={labelledBy} aria-label={label}>
        {children}
      </dialog>
    </div>,
    document.body,
  );
}
