interface TileProps {
  icon: `pi-${string}`;
  label: string;
  /** It stands out: what is switched here is on now. The label says what a press does. */
  on?: boolean;
  /** For what unfolds something. */
  expanded?: boolean;
  busy?: boolean;
  onClick: () => void;
}

/** One act of a call: its sign above its word. */
export function Tile({ icon, label, on = false, expanded, busy = false, onClick }: TileProps) {
  return (
    <button type="button" className="tile" data-on={on} aria-expanded={expanded} aria-busy={busy} disabled={busy} title={label} onClick={onClick}>
      <i className={`pi ${busy ? 'pi-spin pi-spinner' : icon}`} aria-hidden="true" />
      <span>{label}</span>
    </button>
  );
}
