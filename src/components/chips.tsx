import type { ReactNode } from 'react';
import './chips.css';

interface ChipProps {
  children: ReactNode;
  /** A colour of the row's own, drawn with letters that can be read on it. */
  color?: string | undefined;
  onOpen?: (() => void) | undefined;
  onRemove?: (() => void) | undefined;
  removeLabel?: string | undefined;
}

const channel = (hex: string, at: number): number => {
  const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};

/** Relative luminance of a `#rrggbb` colour, 0 to 1 (WCAG 2.2). */
const luminance = (hex: string): number => 0.2126 * channel(hex, 1) + 0.7152 * channel(hex, 3) + 0.0722 * channel(hex, 5);

/** Black or white, whichever can be read on the colour: the better of the two is always at 4.5 : 1 or more. */
export const readableOn = (hex: string): '#000000' | '#ffffff' => (luminance(hex) > 0.179 ? '#000000' : '#ffffff');

/** One chosen thing, with a way to open and a way to remove it where those are given. */
export function Chip({ children, color, onOpen, onRemove, removeLabel }: ChipProps) {
  const style = color && /^#[\da-f]{6}$/i.test(color) ? { background: color, borderColor: color, color: readableOn(color) } : undefined;
  return (
    <span className={style ? 'chip chip-colored' : 'chip'} style={style}>
      {onOpen ? (
        <button type="button" className="chip-text" onClick={onOpen}>
          {children}
        </button>
      ) : (
        <span className="chip-text">{children}</span>
      )}
      {onRemove && (
        <button type="button" className="chip-remove" onClick={onRemove} aria-label={removeLabel}>
          <i className="pi pi-times" aria-hidden="true" />
        </button>
      )}
    </span>
  );
}

/** A coloured label as rows show it. */
export function Label({ name, color }: { name: string; color?: string | undefined }) {
  return (
    <span
      className="label-tag"
      style={color && /^#[\da-f]{6}$/i.test(color) ? { background: color, color: readableOn(color) } : undefined}
      title={name}
    >
      {name}
    </span>
  );
}

/** The dashed chip that adds one more. */
export function AddChip({ label, onClick, id }: { label: string; onClick: () => void; id?: string | undefined }) {
  return (
    <button type="button" id={id} className="chip chip-add" onClick={onClick}>
      <span aria-hidden="true">+ </span>
      {label}
    </button>
  );
}
