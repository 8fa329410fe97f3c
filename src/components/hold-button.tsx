import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import './hold-button.css';

interface HoldButtonProps {
  label: string;
  /** What it is called where its words alone do not tell one from another. */
  name?: string;
  /** What stands there while it is being held. */
  holding: string;
  /** How it is to be pressed, for whoever points at it. */
  hint: string;
  icon: `pi-${string}`;
  disabled?: boolean;
  onHeld: () => void;
}

/** How long it must be held, in milliseconds: longer than a slip of the hand, shorter than a wait. */
const HOLD = 700;

/** A button for what must not happen by a slip: it acts when it has been held for a moment, by pointer or by key. */
export function HoldButton({ label, name, holding, hint, icon, disabled = false, onHeld }: HoldButtonProps) {
  const [held, setHeld] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const release = () => {
    clearTimeout(timer.current);
    setHeld(false);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const press = () => {
    if (disabled || held) return;
    setHeld(true);
    timer.current = setTimeout(() => {
      setHeld(false);
      onHeld();
    }, HOLD);
  };
  const isKey = ({ key }: KeyboardEvent): boolean => key === 'Enter' || key === ' ';
  return (
    <button
      type="button"
      className="p-button p-component hold-button"
      disabled={disabled}
      data-held={held}
      title={hint}
      aria-label={name}
      onPointerDown={press}
      onPointerUp={release}
      onPointerLeave={release}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (!isKey(event) || event.repeat) return;
        event.preventDefault();
        press();
      }}
      onKeyUp={release}
      onBlur={release}
    >
      <i className={`pi ${icon}`} aria-hidden="true" />
      <span className="p-button-label">{held ? holding : label}</span>
    </button>
  );
}
