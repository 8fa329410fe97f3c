import { type ReactNode, useId } from 'react';
import { DialogLayer } from './dialog-layer.tsx';
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

const nothing = (): void => {};

/** A dialog over the page: focus stays inside and goes back when it closes. */
export function Modal({ title, label, width = 'normal', onDismiss, footer, children }: ModalProps) {
  const titleId = useId();
  return (
    <DialogLayer className={`modal modal-${width}`} onDismiss={onDismiss ?? nothing} {...(title ? { labelledBy: titleId } : { label })}>
      <div className="modal-sheet">
        {title && (
          <h2 className="modal-title" id={titleId}>
            {title}
          </h2>
        )}
        <div className="modal-body">{children}</div>
        {footer && <footer className="modal-foot">{footer}</footer>}
      </div>
    </DialogLayer>
  );
}
