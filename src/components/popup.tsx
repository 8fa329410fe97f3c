import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import './popup.css';

interface PopupProps {
  /** What it hangs on; focus goes back there. */
  anchor: HTMLElement;
  label: string;
  role?: 'dialog' | 'menu';
  /** At the end of the anchor instead of at its start. */
  end?: boolean;
  onClose: () => void;
  children: ReactNode;
}

const GAP = 6;

/** The place beside the anchor where the whole box fits into the window. */
function placed(anchor: DOMRect, box: { width: number; height: number }, end: boolean): { left: number; top: number } {
  const { innerWidth, innerHeight } = window;
  const wanted = end ? anchor.right - box.width : anchor.left;
  const below = anchor.bottom + GAP;
  const top = below + box.height > innerHeight - GAP && anchor.top > box.height + GAP ? anchor.top - box.height - GAP : below;
  return besideCalls({ left: Math.max(GAP, Math.min(wanted, innerWidth - box.width - GAP)), top: Math.max(GAP, top) }, box);
}

/** Calls lie above all else: a box that would be under them stands beside them, or where there is no room, above. */
function besideCalls(place: { left: number; top: number }, box: { width: number; height: number }): { left: number; top: number } {
  const calls = document.querySelector('[data-uncovered]')?.getBoundingClientRect();
  const { left, top } = place;
  if (!calls || left + box.width <= calls.left || left >= calls.right || top + box.height <= calls.top || top >= calls.bottom) return place;
  const beside = calls.left - box.width - GAP;
  return beside >= GAP ? { left: beside, top } : { left, top: Math.max(GAP, calls.top - box.height - GAP) };
}

/** A small box that hangs on a button, above all else; Escape, a press elsewhere or leaving it by Tab closes it. */
export function Popup({ anchor, label, role = 'dialog', end = false, onClose, children }: PopupProps) {
  const box = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<{ left: number; top: number }>();
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const move = () => setPlace(placed(anchor.getBoundingClientRect(), element.getBoundingClientRect(), end));
    move();
    const watch = new ResizeObserver(move);
    watch.observe(element);
    // An alert that comes up across the top moves the page, and the anchor with it.
    const room = new MutationObserver(move);
    room.observe(document.documentElement, { attributeFilter: ['style'] });
    window.addEventListener('resize', move);
    return () => {
      watch.disconnect();
      room.disconnect();
      window.removeEventListener('resize', move);
    };
  }, [anchor, end]);
  const isPlaced = place !== undefined;
  useEffect(() => {
    const element = box.current;
    // Before it has a place it is hidden, and takes no focus.
    if (!isPlaced) return;
    // What is in it may still be on its way: then the box itself hears Escape.
    (element?.querySelector<HTMLElement>('input, select, button, [tabindex]') ?? element)?.focus();
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && !element?.contains(event.target) && !anchor.contains(event.target)) onClose();
    };
    document.addEventListener('pointerdown', outside);
    return () => {
      document.removeEventListener('pointerdown', outside);
      if (element?.contains(document.activeElement) || document.activeElement === document.body) anchor.focus();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- opened once for an anchor
  }, [anchor, isPlaced]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      onClose();
    }
    if (role === 'menu') moveInMenu(event);
  };
  return createPortal(
    <div
      ref={box}
      className="popup"
      tabIndex={-1}
      role={role}
      aria-label={label}
      style={place ? { left: place.left, top: place.top } : { visibility: 'hidden' }}
      onKeyDown={onKeyDown}
      onBlur={(event) => {
        if (event.relatedTarget instanceof Node && !box.current?.contains(event.relatedTarget)) onClose();
      }}
    >
      {children}
    </div>,
    anchor.closest('dialog') ?? document.body,
  );
}

/** Arrow keys, Home and End move the focus between the lines of a menu. */
function moveInMenu(event: KeyboardEvent): void {
  const lines = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')];
  const at = lines.indexOf(document.activeElement as HTMLElement);
  const to: Record<string, number> = {
    ArrowDown: (at + 1) % lines.length,
    ArrowUp: (at - 1 + lines.length) % lines.length,
    Home: 0,
    End: lines.length - 1,
  };
  const next = lines[to[event.key] ?? -1];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
