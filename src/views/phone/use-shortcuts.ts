import { useEffect, useEffectEvent } from 'react';
import type { PhoneCommand } from '#machines/phone/commands.ts';
import type { CallMirror } from '#machines/phone/mirror.ts';
import { actsWhileTyping, commandOf, isWay, keyOf, leads, shortcutActs, type ShortcutKeys, type ShortcutWay } from './shortcuts.ts';

/** Whoever has the focus makes something of bare keys: it types, or a space presses it. */
const takesKeys = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input, textarea, select, button, a, summary, video, [contenteditable], [role], [tabindex="0"]') !== null;

/** Acts of the phone by key, from anywhere; typing is never interrupted. */
export function useShortcuts(
  keys: ShortcutKeys,
  calls: readonly CallMirror[],
  send: (command: PhoneCommand) => void,
  go: (way: ShortcutWay) => void,
): void {
  // One listener for all: a key that is pressed as soon as a button is shown finds the call as it is shown.
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.repeat) return;
    const key = keyOf(event);
    const act = key && shortcutActs.find((one) => keys[one] === key);
    if (!act || (!actsWhileTyping(key) && takesKeys(event.target))) return;
    if (isWay(act)) {
      if (!leads(act, calls)) return;
      event.preventDefault();
      return go(act);
    }
    const command = commandOf(act, calls);
    if (!command) return;
    event.preventDefault();
    send(command);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
