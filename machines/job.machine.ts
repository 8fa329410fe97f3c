// Keeps in order: one piece of long work on the server, from its start over its progress to its end and its file.
// Spawned by: workspace, as job:<n>; it lives on while pages come and go.
// Asks (ports): startJob, readJob, cancelJob, saveJobFile.
// Tells (facts): job.started, job.ended.
import { type ActorRefFrom, assign, enqueueActions, setup, stateIn } from 'xstate';
import type { AreaName } from '#models/areas.ts';
import { isOver, type Job } from '#models/job.ts';
import type { Problem } from '#models/problem.ts';
import { isOwn, type JobRequest } from './job-request.ts';
import { answerTimeout, endless, parentOf, problemOf, timedOut, unplugged } from './port.ts';

export type JobEnded = { type: 'job.ended'; job: Job; area: AreaName; own: boolean };
/** The server has the work: it is known by this id from now on. `child` is the actor that follows it. */
export type JobStarted = { type: 'job.started'; id: string; child: string };
type JobEvent =
  | { type: 'job.cancel' }
  | { type: 'job.retry' }
  | { type: 'job.download' }
  | { type: 'job.close' }
  /** The server says that it has come further. */
  | { type: 'job.changed' }
  /** The server's word is not heard any more. */
  | { type: 'job.unheard' };

/** What it holds. */
export interface JobContext {
  request: JobRequest;
  job: Job | null;
  problem: Problem | null;
  /** Questions about progress that failed in a row. */
  failures: number;
}
const toleratedFailures = 3;
const idOf = ({ job }: JobContext): string => job?.id ?? '';

/** Long work with progress, cancel, and per-row failures. */
export const jobMachine = setup({
  types: {
    input: {} as { request: JobRequest },
    context: {} as JobContext,
    events: {} as JobEvent,
    emitted: {} as JobStarted | JobEnded,
    output: {} as { job: Job | null },
    tags: {} as 'running' | 'over' | 'completed' | 'failed' | 'cancelled',
  },
  actors: {
    startJob: unplugged<Job, JobRequest>('startJob'),
    readJob: unplugged<Job, { id: string; area: AreaName }>('readJob'),
    cancelJob: unplugged<void, { id: string }>('cancelJob'),
    /** Fetches the finished file and hands it to the person. */
    saveJobFile: unplugged<void, { id: string; fileName: string | null }>('saveJobFile'),
  },
  actions: {
    rememberJob: assign((_, { job }: { job: Job }) => ({ job, failures: 0, problem: null })),
    rememberProblem: assign((_, { error }: { error: unknown }) => ({ problem: problemOf(error) })),
    countFailure: assign({ failures: ({ context }) => context.failures + 1 }),
    forgetProblem: assign({ problem: null, failures: 0 }),
    notifyStart: enqueueActions(({ context, enqueue, self }) => {
      const fact: JobStarted = { type: 'job.started', id: idOf(context), child: self.id };
      enqueue.emit(fact);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, fact);
    }),
    notifyEnd: enqueueActions(({ context, enqueue, self }) => {
      if (!context.job) return;
      const fact: JobEnded = { type: 'job.ended', job: context.job, area: context.request.area, own: isOwn(context.request) };
      enqueue.emit(fact);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, fact);
    }),
  },
  guards: {
    isOwn: ({ context }) => isOwn(context.request),
    isAdopted: ({ context }) => context.job !== null,
    isOver: ({ context }) => context.job !== null && isOver(context.job),
    isOutdated: stateIn({ running: { asking: 'outdated' } }),
    isHeard: stateIn({ running: { asking: 'hearing' } }),
    isTolerable: ({ context }) => context.failures < toleratedFailures,
    hasCompleted: ({ context }) => context.job?.state === 'completed',
    wasCancelled: ({ context }) => context.job?.state === 'cancelled',
    hasFile: ({ context }) => context.job?.file_name != null,
  },
  delays: { pollPause: 1_000, heardPause: 15_000, answerTimeout, endless },
}).createMachine({
  id: 'job',
  context: ({ input }) => ({ request: input.request, job: input.request.kind === 'adopt' ? input.request.job : null, problem: null, failures: 0 }),
  output: ({ context }) => ({ job: context.job }),
  initial: 'deciding',
  states: {
    deciding: {
      always: [{ guard: 'isOver', target: 'over' }, { guard: 'isAdopted', target: 'running' }, { target: 'starting' }],
    },
    starting: {
      tags: 'running',
      invoke: {
        id: 'startJob',
        src: 'startJob',
        input: ({ context }) => context.request,
        onDone: { target: 'running', actions: [{ type: 'rememberJob', params: ({ event }) => ({ job: event.output }) }, 'notifyStart'] },
        onError: { target: 'interrupted', actions: { type: 'rememberProblem', params: ({ event }) => event } },
      },
      after: { answerTimeout: { target: 'interrupted', actions: { type: 'rememberProblem', params: { error: timedOut } } } },
    },
    running: {
      tags: 'running',
      initial: 'pausing',
      on: { 'job.cancel': { target: 'cancelling' }, 'job.close': { guard: 'isOwn', target: 'abandoning' } },
      states: {
        pausing: {
          always: { guard: 'isOver', target: '#job.over' },
          initial: 'unheard',
          states: {
            /** Asks every second, until the server is heard to speak of it by itself. */
            unheard: { after: { pollPause: '#job.running.asking' }, on: { 'job.changed': { target: '#job.running.asking.hearing' } } },
            heard: {
              after: { heardPause: '#job.running.asking.hearing' },
              on: { 'job.changed': { target: '#job.running.asking.hearing' }, 'job.unheard': { target: 'unheard' } },
            },
          },
        },
        asking: {
          initial: 'polling',
          on: { 'job.unheard': { target: '.polling' } },
          states: {
            polling: { on: { 'job.changed': { target: 'outdated' } } },
            hearing: { on: { 'job.changed': { target: 'outdated' } } },
            /** What is being read may be older than the last change. */
            outdated: {},
          },
          invoke: {
            id: 'readJob',
            src: 'readJob',
            input: ({ context }) => ({ id: idOf(context), area: context.request.area }),
            onDone: [
              {
                guard: 'isOutdated',
                target: 'asking.hearing',
                reenter: true,
                actions: { type: 'rememberJob', params: ({ event }) => ({ job: event.output }) },
              },
              { guard: 'isHeard', target: 'pausing.heard', actions: { type: 'rememberJob', params: ({ event }) => ({ job: event.output }) } },
              { target: 'pausing', actions: { type: 'rememberJob', params: ({ event }) => ({ job: event.output }) } },
            ],
            onError: [
              { guard: 'isTolerable', target: 'pausing', actions: 'countFailure' },
              { target: '#job.interrupted', actions: { type: 'rememberProblem', params: ({ event }) => event } },
            ],
          },
          after: {
            answerTimeout: [
              { guard: 'isTolerable', target: 'pausing', actions: 'countFailure' },
              { target: '#job.interrupted', actions: { type: 'rememberProblem', params: { error: timedOut } } },
            ],
          },
        },
      },
    },
    cancelling: {
      tags: 'running',
      invoke: {
        id: 'cancelJob',
        src: 'cancelJob',
        input: ({ context }) => ({ id: idOf(context) }),
        onDone: { target: 'running.asking' },
        onError: { target: 'running.asking', actions: { type: 'rememberProblem', params: ({ event }) => event } },
      },
      after: { answerTimeout: { target: 'running.asking', actions: { type: 'rememberProblem', params: { error: timedOut } } } },
    },
    /** Its view has gone: nobody waits for it any more. */
    abandoning: {
      invoke: { id: 'cancelJob', src: 'cancelJob', input: ({ context }) => ({ id: idOf(context) }), onDone: 'closed', onError: 'closed' },
      after: { answerTimeout: 'closed' },
    },
    interrupted: {
      tags: 'failed',
      on: { 'job.retry': { target: 'deciding', actions: 'forgetProblem' }, 'job.close': { target: 'closed' } },
    },
    over: {
      tags: 'over',
      entry: 'notifyEnd',
      initial: 'deciding',
      on: { 'job.close': { target: 'closed' } },
      states: {
        deciding: {
          always: [{ guard: 'hasCompleted', target: 'completed' }, { guard: 'wasCancelled', target: 'cancelled' }, { target: 'failed' }],
        },
        completed: { tags: 'completed', on: { 'job.download': { guard: 'hasFile', target: 'saving' } } },
        saving: {
          tags: 'completed',
          invoke: {
            id: 'saveJobFile',
            src: 'saveJobFile',
            input: ({ context }) => ({ id: idOf(context), fileName: context.job?.file_name ?? null }),
            onDone: { target: 'completed', actions: 'forgetProblem' },
            onError: { target: 'completed', actions: { type: 'rememberProblem', params: ({ event }) => event } },
          },
          after: { endless: { target: 'completed', actions: { type: 'rememberProblem', params: { error: timedOut } } } },
        },
        failed: { tags: 'failed' },
        cancelled: { tags: 'cancelled' },
      },
    },
    closed: { type: 'final' },
  },
});
export type JobActor = ActorRefFrom<typeof jobMachine>;
