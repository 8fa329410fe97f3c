import { useSelector } from '@xstate/react';
import { useCallback, useEffect, useRef } from 'react';
import type { AnswerOf, BodyOf, CallName, calls, ParamsOf } from '#models/api.ts';
import type { Problem } from '#models/problem.ts';
import { useOwnActor } from '#src/views/own-actor.ts';
import { useServices } from '#src/views/system.ts';

type Calls = typeof calls;
interface Input<C extends CallName> {
  params?: ParamsOf<Calls[C]>;
  query?: Readonly<Record<string, string>>;
  body?: BodyOf<Calls[C]>;
  files?: Record<string, Blob>;
  /** How long it may take, where that is longer than usual. */
  timeout?: number;
}
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
  run: (input: Input<C>) => void;
  reset: () => void;
}

/** Makes one call when told to, through a machine of its own, and hears how it ended. */
export function useRequest<C extends CallName>(call: C, heard: Heard<C> = {}): Request<C> {
  const actor = useOwnActor(useServices().request);
  const handlers = useRef(heard);
  useEffect(() => {
    handlers.current = heard;
  });
  useEffect(() => {
    const subscriptions = [
      actor.on('request.done', ({ answer }) => handlers.current.done?.(answer as AnswerOf<Calls[C]>)),
      actor.on('request.failed', ({ problem }) => handlers.current.failed?.(problem)),
    ];
    return () => {
      for (const subscription of subscriptions) subscription.unsubscribe();
    };
  }, [actor]);
  const run = useCallback((input: Input<C>) => actor.send({ type: 'request.run', request: { call, ...(input as object) } }), [actor, call]);
  const reset = useCallback(() => actor.send({ type: 'request.reset' }), [actor]);
  return {
    running: useSelector(actor, (snapshot) => snapshot.hasTag('running')),
    done: useSelector(actor, (snapshot) => snapshot.hasTag('done')),
    answer: useSelector(actor, (snapshot) => snapshot.context.answer as AnswerOf<Calls[C]> | null),
    problem: useSelector(actor, (snapshot) => snapshot.context.problem),
    run,
    reset,
  };
}
