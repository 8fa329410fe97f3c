import { createContext, useCallback, useState } from 'react';
import type { CallMirror } from '#machines/phone/mirror.ts';
import { isAtDesk } from './call-texts.ts';
import type { ShortcutWay } from './shortcuts.ts';

/** A part of a call that a key has asked for; `turn` tells one press from the next. */
interface AskedPart {
  part: 'transfer' | 'note';
  speechId: string;
  turn: number;
}
export const AskedPartContext = createContext<AskedPart | null>(null);

const firstIn = (element: Element | null | undefined, what: string): HTMLElement | null | undefined => element?.querySelector<HTMLElement>(what);

/** Goes to the phone: to the call at the desk, or to the part of the panel that is open. */
function toPhone(): void {
  const place =
    firstIn(document.querySelector('.desk-calls .call-live'), 'button:not(:disabled)') ??
    firstIn(document.querySelector('.phone-panel'), '.phone-part input, [role="tab"][tabindex="0"]');
  place?.focus();
}

/** Goes to the next card, round all that are in sight. */
function toNextCard(): void {
  const cards = [...document.querySelectorAll('.desk-calls .call')];
  const at = cards.findIndex((card) => card.contains(document.activeElement));
  const next = cards[(at + 1) % cards.length];
  next?.scrollIntoView({ block: 'nearest' });
  firstIn(next, 'button:not(:disabled)')?.focus();
}

/** Goes to the search of the doors, whose part is opened first. */
function toDoors(): void {
  const tab = document.querySelector<HTMLElement>('.phone-tab[data-part="doors"]');
  if (tab?.getAttribute('aria-selected') === 'false') tab.click();
  requestAnimationFrame(() => firstIn(document.querySelector('.phone-panel'), '.phone-part input')?.focus());
}

/** Goes to what can be done with the alarm that stands on top. */
const toAlarm = (): void => firstIn(document.querySelector('.alarm-row'), '.alarm-acts button:not(:disabled)')?.focus();

/** Where keys lead: the parts of the call at the desk, the phone, the next card, the doors, the alarms. `show` opens the panel, `closePart` closes what is open in it. */
export function useWays(calls: readonly CallMirror[], show: (isOpen: boolean) => void, closePart: () => void) {
  const [asked, setAsked] = useState<AskedPart | null>(null);
  const atDesk = calls.find((call) => isAtDesk(call, calls))?.speechId;
  const go = useCallback(
    (way: ShortcutWay) => {
      if (way === 'card') return toNextCard();
      if (way === 'alarm') return toAlarm();
      show(true);
      // Once the panel is there.
      if (way === 'phone') return void requestAnimationFrame(toPhone);
      if (way === 'doors') return void requestAnimationFrame(toDoors);
      if (atDesk === undefined) return;
      closePart();
      setAsked((before) => ({ part: way, speechId: atDesk, turn: (before?.turn ?? 0) + 1 }));
    },
    [show, closePart, atDesk],
  );
  return { asked, go };
}
