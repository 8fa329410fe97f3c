import { fromPromise, type NonReducibleUnknown, type PromiseActorLogic } from 'xstate';
import type { Problem } from '#models/problem.ts';

/** A port in the hands of a test: it waits until the test answers or refuses, and remembers what it was asked. */
export interface HeldPort<Output, Input extends NonReducibleUnknown> {
  actor: PromiseActorLogic<Output, Input>;
  /** What was asked, oldest first. */
  asked: Input[];
  /** Questions that still wait for an answer and were not given up. */
  waiting: () => number;
  /** Answers the newest question. */
  answer: (output: Output) => Promise<void>;
  /** Refuses the newest question. */
  refuse: (problem: Problem) => Promise<void>;
}

/** Lets everything that was promised arrive. */
export const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** A port that the test answers by hand. */
export function held<Output, Input extends NonReducibleUnknown = NonReducibleUnknown>(): HeldPort<Output, Input> {
  const asked: Input[] = [];
  const open: { resolve: (output: Output) => void; reject: (problem: Problem) => void; signal: AbortSignal }[] = [];
  const newest = () => {
    const question = open.pop();
    if (!question) throw new Error('nobody asked');
    return question;
  };
  return {
    asked,
    actor: fromPromise<Output, Input>(
      ({ input, signal }) =>
        new Promise((resolve, reject) => {
          asked.push(input);
          open.push({ resolve, reject, signal });
        }),
    ),
    waiting: () => open.filter(({ signal }) => !signal.aborted).length,
    answer: (output) => {
      newest().resolve(output);
      return settled();
    },
    refuse: (problem) => {
      newest().reject(problem);
      return settled();
    },
  };
}
