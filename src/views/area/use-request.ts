import { useSelector } from '@xstate/react';
import { useCallback } from 'react';
import type { AnswerOf, CallName, calls } from '#models/api.ts';
import type { CallInput } from '#models/define-form.ts';
import type { Problem } from '#models/problem.ts';
import { useOwnForm } from '../view-child.ts';

type Calls = typeof calls;
interface Heard<C extends CallName> {
  done?: (answer: AnswerOf<Calls[C]>) => void;
  failed?: (problem: Problem) => void;
}
/** One call behind a button: whether it runs, what it answered, why it failed. */
export interface Request<C extends CallName> {
  running: boolean;
  done: boolean;
  answer: AnswerOf<Calls[C]> | null;
  problem: Problem | null;
  run: (input: CallInput<C>) => void;
  reset: () => void;
}

/** Makes one call when told to (what a view reads by itself: `useReading`), through a form without a draft that is there from the first press on, and hears how it ended. */
export function useRequest<C extends CallName>(call: C, { done, failed }: Heard<C> = {}): Request<C> {
  const saved = done && ((answer: unknown) => done(answer as AnswerOf<Calls[C]>));
  const { actor, open, send } = useOwnForm(call, {}, { saved, refused: failed });
  const run = useCallback(
    (input: CallInput<C>) => {
      open();
      send({ type: 'form.send', request: { call, ...(input as object) } });
    },
    [open, send, call],
  );
  const reset = useCallback(() => send({ type: 'form.reset' }), [send]);
  return {
    running: useSelector(actor, (snapshot) => snapshot?.hasTag('running') ?? false),
    done: useSelector(actor, (snapshot) => snapshot?.hasTag('done') ?? false),
    answer: useSelector(actor, (snapshot) => (snapshot?.context.answer ?? null) as AnswerOf<Calls[C]> | null),
    problem: useSelector(actor, (snapshot) => snapshot?.context.problem ?? null),
    run,
    reset,
  };
}
