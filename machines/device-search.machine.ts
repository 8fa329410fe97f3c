// Keeps in order: one search of an address range for devices, from its start over what it finds to its end.
// Spawned by: workspace, as deviceSearch, for as long as its view stands.
// Asks (ports): startSearch, readSearch, cancelSearch.
// Tells (facts): nothing.
import { type ActorRefFrom, assertEvent, assign, setup } from 'xstate';
import type { DeviceSearch } from '#models/device-calls.ts';
import type { Problem } from '#models/problem.ts';
import { answerTimeout, problemOf, timedOut, unplugged } from './port.ts';

/** The range to be searched, under an id that the asker made up. */
export interface SearchRange {
  start_ip: string;
  end_ip: string;
  request_id: string;
}
type DeviceSearchEvent = ({ type: 'search.start' } & SearchRange) | { type: 'search.cancel' };

/** What it holds. */
export interface DeviceSearchContext {
  search: DeviceSearch | null;
  problem: Problem | null;
  /** Questions about progress that failed in a row. */
  failures: number;
}
const toleratedFailures = 3;
const idOf = ({ search }: DeviceSearchContext): string => search?.request_id ?? '';

/** A search with live progress; what was found stays when it ends, however it ends. */
export const deviceSearchMachine = setup({
  types: {
    context: {} as DeviceSearchContext,
    events: {} as DeviceSearchEvent,
    tags: {} as 'running' | 'over' | 'failed',
  },
  actors: {
    startSearch: unplugged<DeviceSearch, SearchRange>('startSearch'),
    readSearch: unplugged<DeviceSearch, { request_id: string }>('readSearch'),
    cancelSearch: unplugged<void, { request_id: string }>('cancelSearch'),
  },
  actions: {
    remember: assign((_, { search }: { search: DeviceSearch }) => ({ search, failures: 0, problem: null })),
    rememberProblem: assign((_, { error }: { error: unknown }) => ({ problem: problemOf(error) })),
    countFailure: assign({ failures: ({ context }) => context.failures + 1 }),
    forget: assign({ search: null, problem: null, failures: 0 }),
  },
  guards: {
    isOver: ({ context }) => context.search !== null && context.search.state !== 'running',
    isTolerable: ({ context }) => context.failures < toleratedFailures,
  },
  delays: { pollPause: 600, answerTimeout },
}).createMachine({
  id: 'deviceSearch',
  context: { search: null, problem: null, failures: 0 },
  initial: 'idle',
  states: {
    idle: { on: { 'search.start': { target: 'starting' } } },
    starting: {
      tags: 'running',
      entry: 'forget',
      invoke: {
        id: 'startSearch',
        src: 'startSearch',
        input: ({ event }) => {
          assertEvent(event, 'search.start');
          return { start_ip: event.start_ip, end_ip: event.end_ip, request_id: event.request_id };
        },
        onDone: { target: 'running', actions: { type: 'remember', params: ({ event }) => ({ search: event.output }) } },
        onError: { target: 'failed', actions: { type: 'rememberProblem', params: ({ event }) => event } },
      },
      after: { answerTimeout: { target: 'failed', actions: { type: 'rememberProblem', params: { error: timedOut } } } },
    },
    running: {
      tags: 'running',
      initial: 'pausing',
      on: { 'search.cancel': { target: 'cancelling' } },
      states: {
        pausing: { always: { guard: 'isOver', target: '#deviceSearch.over' }, after: { pollPause: 'asking' } },
        asking: {
          invoke: {
            id: 'readSearch',
            src: 'readSearch',
            input: ({ context }) => ({ request_id: idOf(context) }),
            onDone: { target: 'pausing', actions: { type: 'remember', params: ({ event }) => ({ search: event.output }) } },
            onError: [
              { guard: 'isTolerable', target: 'pausing', actions: 'countFailure' },
              { target: '#deviceSearch.failed', actions: { type: 'rememberProblem', params: ({ event }) => event } },
            ],
          },
          after: { answerTimeout: { target: '#deviceSearch.failed', actions: { type: 'rememberProblem', params: { error: timedOut } } } },
        },
      },
    },
    cancelling: {
      tags: 'running',
      invoke: {
        id: 'cancelSearch',
        src: 'cancelSearch',
        input: ({ context }) => ({ request_id: idOf(context) }),
        onDone: { target: 'running.asking' },
        onError: { target: 'running.asking', actions: { type: 'rememberProblem', params: ({ event }) => event } },
      },
      after: { answerTimeout: { target: 'failed', actions: { type: 'rememberProblem', params: { error: timedOut } } } },
    },
    over: { tags: 'over', on: { 'search.start': { target: 'starting' } } },
    failed: { tags: 'failed', on: { 'search.start': { target: 'starting' } } },
  },
});
export type DeviceSearchActor = ActorRefFrom<typeof deviceSearchMachine>;
