import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import './modal.css';

interface ModalProps {
  title?: string | undefined;
  /** Said instead of a title where there is none. */
  label?: string | undefined;
  width?: 'small' | 'normal' | 'wide' | undefined;
  /** Escape, or a press beside the dialog; without it neither does anything. */
  onDismiss?: (() => void) | undefined;
  footer?: ReactNode;
  children: ReactNode;
}

/** A dialog over all else, in the browser's own top layer: focus stays inside and goes back when it closes. */
export function Modal({ title, label, width = 'normal', onDismiss, footer, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    // Escape belongs to the topmost dialog; what lies below must not hear it.
    event.preventDefault();
    event.nativeEvent.stopImmediatePropagation();
    onDismiss?.();
  };
  const onClick = (event: MouseEvent): void => {
    if (event.target === dialog.current) onDismiss?.();
  };
  return (
    <dialog
      ref={dialog}
      className={`modal modal-${width}`}
      {...(title ? { 'aria-labelledby': titleId } : { 'aria-label': label })}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onCancel={(event) => event.preventDefault()}
    >
      <div className="modal-sheet">
        {title && (
          <h2 className="modal-title" id={titleId}>
            {title}
          </h2>
        )}
        <div className="modal-body">{children}</div>
        {footer && <footer className="modal-foot">{footer}</footer>}
      </div>
    </dialog>
  );
}
