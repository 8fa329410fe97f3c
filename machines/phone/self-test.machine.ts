// Keeps in order: the check before a shift; its result stays on the phone's button.
// Spawned by: phone.
// Asks (ports): runSelfTest.
// Tells (facts): nothing.
import { type ActorRefFrom, assign, setup } from 'xstate';
import type { Problem } from '#models/problem.ts';
import { problemOf, timedOut } from '../port.ts';
import { type CheckResult, runSelfTest } from './ports.ts';

/** What it holds. */
export interface SelfTestContext {
  results: readonly CheckResult[];
  /** When the results came, ms since 1970. */
  at: number | null;
  problem: Problem | null;
}

/** Twenty seconds in which the desk finds out whether it can be called (experience 11). */
export const selfTestMachine = setup({
  types: {
    context: {} as SelfTestContext,
    events: {} as { type: 'selfTest.run'; at: number },
    tags: {} as 'running' | 'passed' | 'failed',
  },
  actors: { runSelfTest },
  actions: {
    begin: assign((_, { at }: { at: number }) => ({ at, problem: null })),
    store: assign((_, { results }: { results: readonly CheckResult[] }) => ({ results })),
    storeProblem: assign((_, { error }: { error: unknown }) => ({ problem: problemOf(error) })),
  },
  guards: { isGood: (_, { results }: { results: readonly CheckResult[] }) => results.every(({ outcome }) => outcome !== 'failed') },
  delays: { checkTimeout: 25_000 },
}).createMachine({
  id: 'selfTest',
  context: { results: [], at: null, problem: null },
  initial: 'untested',
  states: {
    untested: { on: { 'selfTest.run': { target: 'running', actions: { type: 'begin', params: ({ event }) => event } } } },
    running: {
      tags: 'running',
      invoke: {
        id: 'runSelfTest',
        src: 'runSelfTest',
        onDone: [
          {
            guard: { type: 'isGood', params: ({ event }) => ({ results: event.output }) },
            target: 'passed',
            actions: { type: 'store', params: ({ event }) => ({ results: event.output }) },
          },
          { target: 'failed', actions: { type: 'store', params: ({ event }) => ({ results: event.output }) } },
        ],
        onError: { target: 'failed', actions: { type: 'storeProblem', params: ({ event }) => event } },
      },
      after: { checkTimeout: { target: 'failed', actions: { type: 'storeProblem', params: { error: timedOut } } } },
    },
    passed: { tags: 'passed', on: { 'selfTest.run': { target: 'running', actions: { type: 'begin', params: ({ event }) => event } } } },
    failed: { tags: 'failed', on: { 'selfTest.run': { target: 'running', actions: { type: 'begin', params: ({ event }) => event } } } },
  },
});
export type SelfTestActor = ActorRefFrom<typeof selfTestMachine>;
