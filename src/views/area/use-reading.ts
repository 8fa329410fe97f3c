import { useCallback, useEffect, useRef, useState } from 'react';
import type { AnswerOf, CallName, calls } from '#models/api.ts';
import type { CallInput } from '#models/define-form.ts';
import type { Problem } from '#models/problem.ts';
import { useRequest } from './use-request.ts';

type Answer<C extends CallName> = AnswerOf<(typeof calls)[C]>;
/** What a call answered to a question. */
export interface Reading<C extends CallName> {
  /** To the present question; null until it is answered. Asked once more, the answer of before stays until then. */
  answer: Answer<C> | null;
  /** What was answered last, to whichever question. */
  last: Answer<C> | null;
  problem: Problem | null;
  running: boolean;
  /** Asks the same once more, after what is being asked. */
  reload: () => void;
}
interface ReadingOptions<C extends CallName> {
  /** The question is asked once more whenever this is another value. */
  again?: unknown;
  /** How long the question must stay the same before it is asked, in ms: for one that somebody is typing. */
  pause?: number;
  /** Told with each answer. */
  done?: (answer: Answer<C>) => void;
}

/**
 * Asks a call that only reads, and asks again when the question is another; nothing is asked while it is null. One that changes while it
 * is being answered is asked afterwards: no answer to another question is taken for its own.
 */
export function useReading<C extends CallName>(call: C, input: CallInput<C> | null, options: ReadingOptions<C> = {}): Reading<C> {
  const { again, pause = 0 } = options;
  const [round, setRound] = useState(0);
  const [answered, setAnswered] = useState<{ question: string; answer: Answer<C> }>();
  const [refused, setRefused] = useState<{ question: string; problem: Problem } | null>(null);
  const sent = useRef<{ question: string; again: unknown; round: number }>(undefined);
  const { run, running } = useRequest(call, {
    done: (answer) => {
      if (sent.current) setAnswered({ question: sent.current.question, answer });
      setRefused(null);
      options.done?.(answer);
    },
    failed: (problem) => setRefused(sent.current ? { question: sent.current.question, problem } : null),
  });
  const question = input === null ? null : JSON.stringify(input);
  useEffect(() => {
    const isSent = sent.current?.question === question && sent.current.again === again && sent.current.round === round;
    if (running || question === null || isSent) return undefined;
    const ask = (): void => {
      sent.current = { question, again, round };
      run(JSON.parse(question) as CallInput<C>);
    };
    if (pause === 0) return ask();
    const timer = setTimeout(ask, pause);
    return () => clearTimeout(timer);
  }, [run, running, question, again, round, pause]);
  return {
    answer: answered?.question === question ? answered.answer : null,
    last: answered?.answer ?? null,
    problem: !running && refused?.question === question ? refused.problem : null,
    running,
    reload: useCallback(() => setRound((count) => count + 1), []),
  };
}
