// Keeps in order: one call that somebody pressed a button for: whether it runs, what it answered, why it failed.
// Spawned by: a view, for as long as the view stands.
// Asks (ports): runCall.
// Tells (facts): request.done, request.failed.
import { assertEvent, assign, emit, setup } from 'xstate';
import type { CallName } from '#models/api.ts';
import type { Problem } from '#models/problem.ts';
import { answerTimeout, problemOf, timedOut, unplugged } from './port.ts';

/** One call that is not plain CRUD: its name, what its path, its address and its body take, and files by the name of their form field. */
export interface CallRequest {
  call: CallName;
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  files?: Readonly<Record<string, unknown>>;
  /** How long the world may take, where that is longer than usual. */
  timeout?: number;
}
type RequestEvent = { type: 'request.run'; request: CallRequest } | { type: 'request.reset' };
type RequestFact = { type: 'request.done'; answer: unknown } | { type: 'request.failed'; problem: Problem };

/** What it holds. */
export interface RequestContext {
  answer: unknown;
  problem: Problem | null;
}

/** One call at a time; a second press while one runs is not heard. */
export const requestMachine = setup({
  types: {
    context: {} as RequestContext,
    events: {} as RequestEvent,
    emitted: {} as RequestFact,
    tags: {} as 'running' | 'done' | 'failed',
  },
  actors: { runCall: unplugged<unknown, CallRequest>('runCall') },
  actions: {
    rememberAnswer: assign((_, { answer }: { answer: unknown }) => ({ answer, problem: null })),
    rememberProblem: assign((_, { error }: { error: unknown }) => ({ answer: null, problem: problemOf(error) })),
    forget: assign({ answer: null, problem: null }),
    tellAnswer: emit((_, { answer }: { answer: unknown }) => ({ type: 'request.done', answer })),
    tellProblem: emit((_, { error }: { error: unknown }) => ({ type: 'request.failed', problem: problemOf(error) })),
  },
  delays: {
    answerTimeout: ({ event }) => Math.max(answerTimeout, event.type === 'request.run' ? (event.request.timeout ?? 0) * 1.5 : 0),
  },
}).createMachine({
  id: 'request',
  context: { answer: null, problem: null },
  initial: 'idle',
  states: {
    idle: { on: { 'request.run': { target: 'running' } } },
    running: {
      tags: 'running',
      entry: 'forget',
      invoke: {
        id: 'runCall',
        src: 'runCall',
        input: ({ event }) => {
          assertEvent(event, 'request.run');
          return event.request;
        },
        onDone: {
          target: 'done',
          actions: [
            { type: 'rememberAnswer', params: ({ event }) => ({ answer: event.output }) },
            { type: 'tellAnswer', params: ({ event }) => ({ answer: event.output }) },
          ],
        },
        onError: {
          target: 'failed',
          actions: [
            { type: 'rememberProblem', params: ({ event }) => event },
            { type: 'tellProblem', params: ({ event }) => event },
          ],
        },
      },
      after: {
        answerTimeout: {
          target: 'failed',
          actions: [
            { type: 'rememberProblem', params: { error: timedOut } },
            { type: 'tellProblem', params: { error: timedOut } },
          ],
        },
      },
    },
    done: { tags: 'done', on: { 'request.run': { target: 'running' }, 'request.reset': { target: 'idle', actions: 'forget' } } },
    failed: { tags: 'failed', on: { 'request.run': { target: 'running' }, 'request.reset': { target: 'idle', actions: 'forget' } } },
  },
});
