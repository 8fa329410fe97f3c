import type { KeyboardEvent } from 'react';

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Home: -Infinity, End: Infinity };

/** Many links or buttons of one kind are one stop of the Tab key; within them the arrows lead from one to the next. */
export function rovingFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('a, button')];
  const at = all.findIndex((one) => one === document.activeElement);
  all[Math.min(all.length - 1, Math.max(0, at + step))]?.focus();
}
