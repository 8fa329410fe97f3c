import { useSelector } from '@xstate/react';
import { type DragEvent, type KeyboardEvent, type MouseEvent, useState } from 'react';
import type { ReservationMoveActor } from '#machines/reservation-move.machine.ts';
import { asMoved, type Board, isMovable, placeFor } from './board.ts';
import { spatialFocus } from './spatial-focus.ts';

interface Opened {
  open: (id: string) => void;
  day: (date: string) => void;
  book: (amenityId: string, date: string, from: number | undefined) => void;
}
const near = (target: EventTarget, what: string): HTMLElement | null => (target instanceof Element ? target.closest<HTMLElement>(what) : null);
const numberIn = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

const dateAt = (target: EventTarget): HTMLElement | null => near(target, '[data-date]');

/** The reservation that is carried, if any: how it is picked up and put down, and whether the keyboard chose a place where it does not fit. */
function useCarried(board: Board, move: ReservationMoveActor | undefined) {
  const carried = useSelector(move, (snapshot) => (snapshot?.hasTag('carrying') ? snapshot.context.item : null));
  const [isRefused, setRefused] = useState(false);
  const spot = (element: HTMLElement | null) => {
    const { date, amenity, from } = element?.dataset ?? {};
    return carried && date ? placeFor(board, carried, { date, amenityId: amenity, from: numberIn(from) }) : null;
  };
  const pick = (id: string | undefined): boolean => {
    const item = id === undefined ? undefined : board.find(id);
    if (!item || !isMovable(item)) return false;
    setRefused(false);
    move?.send({ type: 'move.pick', item: asMoved(item) });
    return true;
  };
  const drop = (element: HTMLElement | null): void => {
    const target = spot(element);
    setRefused(target === null);
    if (target) move?.send({ type: 'move.drop', target });
  };
  const cancel = (): void => {
    if (move?.getSnapshot().hasTag('carrying')) move.send({ type: 'move.cancel' });
  };
  return { carried, isRefused, spot, pick, drop, cancel };
}
type Carried = ReturnType<typeof useCarried>;

/** The keys of the calendar: M (the key there, whatever letter the layout puts on it) picks up, Escape gives up, arrows lead to the next button there, Enter presses it as everywhere. */
function onKey({ carried, pick, cancel }: Carried, event: KeyboardEvent<HTMLElement>): void {
  const { key, code, target, currentTarget: root } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (carried && key === 'Escape') cancel();
  else if (!carried && (code === 'KeyM' || key.toLowerCase() === 'm')) {
    if (!pick(near(target, '[data-id]')?.dataset['id'])) return;
    const place = dateAt(target) ?? root;
    (place.querySelector<HTMLElement>('[data-drop]') ?? root.querySelector<HTMLElement>('[data-drop]'))?.focus();
  } else if (!spatialFocus(key, root, carried ? '[data-drop]' : 'button')) return;
  event.preventDefault();
}

/** What may be done in the calendar, heard once for all of it: open, book, go to a day, and carry a reservation by pointer or keyboard. */
export function useCarry(board: Board, move: ReservationMoveActor | undefined, { open, day, book }: Opened) {
  const held = useCarried(board, move);
  const { carried, isRefused, spot, pick, drop, cancel } = held;
  const press = ({ id, date, amenity, from, does }: DOMStringMap): void => {
    if (id) open(id);
    else if (does === 'book' && amenity && date) book(amenity, date, numberIn(from));
    else if (date) day(date);
  };
  const props = {
    onClick: ({ target }: MouseEvent) => {
      const button = near(target, 'button');
      if (button && carried) drop(dateAt(button));
      else if (button) press(button.dataset);
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => onKey(held, event),
    onDragStart: (event: DragEvent) => {
      if (!pick(near(event.target, '[data-id]')?.dataset['id'])) return event.preventDefault();
      event.dataTransfer.effectAllowed = 'move';
      // Firefox carries nothing that says nothing.
      event.dataTransfer.setData('text/plain', '');
    },
    onDragOver: (event: DragEvent) => {
      if (spot(dateAt(event.target))) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      drop(dateAt(event.target));
    },
    onDragEnd: cancel,
  };
  return { carried, isRefused, props };
}
