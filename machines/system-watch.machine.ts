// Keeps in order: looking at how the server fares, every few seconds, until somebody wants it held.
// Spawned by: workspace, as systemWatch, for as long as its view stands.
// Asks (ports): readSystem.
// Tells (facts): nothing.
import { type ActorRefFrom, assign, setup } from 'xstate';
import type { Problem } from '#models/problem.ts';
import type { LogLevel, SystemInfo } from '#models/system-info.ts';
import { answerTimeout, problemOf, timedOut, unplugged } from './port.ts';

/** Which lines of the log are wanted. */
export interface LogFilter {
  level: LogLevel;
  search: string;
}
type SystemWatchEvent =
  | ({ type: 'watch.filter' } & LogFilter)
  | { type: 'watch.hold' }
  | { type: 'watch.follow' }
  /** Something was begun anew. */
  | { type: 'watch.refresh' };

/** What it holds. */
export interface SystemWatchContext {
  info: SystemInfo | null;
  filter: LogFilter;
  /** Why the last look failed; what was seen before stays. */
  problem: Problem | null;
}

/** The server as it stands: looked at again every five seconds, and at once where other lines of the log are wanted. */
export const systemWatchMachine = setup({
  types: { context: {} as SystemWatchContext, events: {} as SystemWatchEvent, tags: {} as 'held' },
  actors: { readSystem: unplugged<SystemInfo, LogFilter>('readSystem') },
  actions: {
    remember: assign((_, { info }: { info: SystemInfo }) => ({ info, problem: null })),
    rememberProblem: assign((_, { error }: { error: unknown }) => ({ problem: problemOf(error) })),
    rememberFilter: assign({ filter: (_, { level, search }: LogFilter) => ({ level, search }) }),
  },
  delays: { pause: 5_000, answerTimeout },
}).createMachine({
  id: 'systemWatch',
  context: { info: null, filter: { level: 'info', search: '' }, problem: null },
  initial: 'reading',
  on: {
    'watch.filter': { target: '.reading', reenter: true, actions: { type: 'rememberFilter', params: ({ event }) => event } },
    'watch.refresh': { target: '.reading', reenter: true },
  },
  states: {
    reading: {
      invoke: {
        id: 'readSystem',
        src: 'readSystem',
        input: ({ context }) => context.filter,
        onDone: { target: 'resting', actions: { type: 'remember', params: ({ event }) => ({ info: event.output }) } },
        onError: { target: 'resting', actions: { type: 'rememberProblem', params: ({ event }) => event } },
      },
      on: { 'watch.hold': { target: 'held' } },
      after: { answerTimeout: { target: 'resting', actions: { type: 'rememberProblem', params: { error: timedOut } } } },
    },
    resting: { on: { 'watch.hold': { target: 'held' } }, after: { pause: { target: 'reading' } } },
    held: { tags: 'held', on: { 'watch.follow': { target: 'reading' } } },
  },
});
export type SystemWatchActor = ActorRefFrom<typeof systemWatchMachine>;
