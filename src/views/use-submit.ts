import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { Issue } from '#models/issues.ts';

/** Brings the first field that is marked as wrong into view and gives it the keys. */
export function focusFirstWrong(form: HTMLElement | null): void {
  const wrong = form?.querySelector<HTMLElement>(
    '[data-invalid="true"] :is(input, textarea, select, button), :is(input, textarea)[aria-invalid="true"]',
  );
  wrong?.focus();
  (wrong?.closest('.field') ?? wrong)?.scrollIntoView({ block: 'nearest' });
}

interface Submitted {
  ref: RefObject<HTMLFormElement | null>;
  noValidate: true;
  onSubmit: (event: FormEvent) => void;
  onInput: () => void;
}

/** What a form element is given so that it saves, and leads to the first wrong field where that was refused: by the draft itself or by the server. */
export function useSubmit({ issues, running, save }: { issues: readonly Issue[]; running: boolean; save: () => void }): Submitted {
  const ref = useRef<HTMLFormElement>(null);
  const isAwaited = useRef(false);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (!isAwaited.current || running || issues.length === 0) return;
    isAwaited.current = false;
    focusFirstWrong(ref.current);
  }, [tries, issues, running]);
  return {
    ref,
    noValidate: true,
    onSubmit: (event) => {
      event.preventDefault();
      isAwaited.current = true;
      // What is wrong may be the same as the last time.
      setTries((known) => known + 1);
      save();
    },
    // Whoever types on has found what is wrong.
    onInput: () => {
      isAwaited.current = false;
    },
  };
}
