import { useEffect, useRef, useState } from 'react';
import type { AnswerOf, CallName, calls } from '#models/api.ts';
import type { CallInput } from '#models/define-form.ts';
import type { Problem } from '#models/problem.ts';
import { useRequest } from './use-request.ts';

/** What a call answered to the question last asked; what was answered before stays until then. */
export interface Reading<C extends CallName> {
  answer: AnswerOf<(typeof calls)[C]> | null;
  problem: Problem | null;
  running: boolean;
  retry: () => void;
}

/** Asks a call that only reads, and asks again when the question is another: one that changes while it is being answered is asked afterwards. */
export function useReading<C extends CallName>(call: C, input: CallInput<C>): Reading<C> {
  const [answer, setAnswer] = useState<Reading<C>['answer']>(null);
  const sent = useRef<string>(undefined);
  const { run, running, problem } = useRequest(call, { done: setAnswer });
  const question = JSON.stringify(input);
  useEffect(() => {
    if (running || sent.current === question) return;
    sent.current = question;
    run(JSON.parse(question) as CallInput<C>);
  }, [run, running, question]);
  return { answer, problem, running, retry: () => run(input) };
}
