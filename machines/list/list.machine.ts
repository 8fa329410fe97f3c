// Keeps in order: the rows of one area as asked for: loading, staying on screen while others load, selection, deletion.
// Spawned by: workspace, as list:<area>.
// Asks (ports): loadPage, deleteRows.
// Tells (facts): query.wanted, job.start; asks of alerts: alert.show, dialog.ask.
import { type ActorRefFrom, and, assign, emit, enqueueActions, raise, setup, stateIn } from 'xstate';
import type { AreaName } from '#models/areas.ts';
import type { ExportFormat } from '#models/job.ts';
import type { ListQuery } from '#models/query.ts';
import type { AlertsRequest } from '../alerts/alerts.machine.ts';
import { confirmDialog, type DialogAnswered } from '../alerts/dialog.ts';
import type { JobRequest } from '../job-request.ts';
import {
  afterPage,
  afterQuietPage,
  afterRemoval,
  type DeleteAnswer,
  type DeleteTarget,
  exportRequest,
  type ListContext,
  lastPage,
  merged,
  sameQuery,
  targetOf,
  toggledPage,
  toggledRow,
  withQuery,
} from './list-rows.ts';
import { answerTimeout, parentOf, problemOf, timedOut, unplugged } from '../port.ts';
import { loadPage, nameOf, type Page } from '../rows.ts';
import { doneAlert, problemAlert } from '../alert-requests.ts';

export type ListFact = AlertsRequest | { type: 'query.wanted'; query: ListQuery } | { type: 'job.start'; request: JobRequest };
export type ListEvent =
  | DialogAnswered
  | { type: 'query.show'; query: ListQuery }
  | { type: 'query.change'; patch: Partial<ListQuery> }
  | { type: 'rows.reload' }
  /** Somebody changed these rows of the area; without ids any row may have changed. */
  | { type: 'rows.changed'; ids: readonly string[] }
  /** Reads the page again without a word. */
  | { type: 'rows.renew' }
  /** A menu of a row is open: rows stay where they are until it is closed. */
  | { type: 'rows.hold' }
  | { type: 'rows.release' }
  | { type: 'row.toggle'; id: string }
  | { type: 'page.toggle' }
  | { type: 'selection.clear' }
  | { type: 'selection.allMatching' }
  /** Deletes the selection, or the rows named. */
  | { type: 'rows.delete'; ids?: readonly string[] }
  | { type: 'rows.export'; format: ExportFormat; columns?: readonly string[]; readable?: boolean }
  | { type: 'outcomes.clear' };

type Answered = { event: { output: Page } };
const takePage = { type: 'takePage', params: ({ event }: Answered) => ({ page: event.output }) } as const;
/** The page asked for is there no more: the last one that is, is asked for. */
const beyondEnd = {
  guard: { type: 'isBeyondEnd', params: ({ event }: Answered) => ({ page: event.output }) },
  target: 'ready',
  actions: [
    takePage,
    {
      type: 'want',
      params: ({ context, event }: Answered & { context: ListContext }) => ({
        query: { ...context.query, page: lastPage(context.query, event.output.total) },
      }),
    },
  ],
} as const;

/** One area's list. */
export const listMachine = setup({
  types: {
    input: {} as { area: AreaName; query: ListQuery },
    context: {} as ListContext,
    events: {} as ListEvent,
    emitted: {} as ListFact,
    tags: {} as 'loading' | 'ready' | 'refreshing' | 'failed' | 'confirming' | 'deleting',
  },
  actors: {
    loadPage,
    /** The named rows are answered each; all that match become a job. */
    deleteRows: unplugged<DeleteAnswer, DeleteTarget>('deleteRows'),
  },
  actions: {
    notify: enqueueActions(({ enqueue, self }, fact: ListFact) => {
      enqueue.emit(fact);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, fact);
    }),
    want: emit((_, { query }: { query: ListQuery }) => ({ type: 'query.wanted', query }) as const),
    showQuery: assign(({ context }, { query }: { query: ListQuery }) => withQuery(context, query)),
    takePage: assign(({ context }, { page }: { page: Page }) => afterPage(context, page)),
    takeQuietly: assign(({ context }, { page }: { page: Page }) => afterQuietPage(context, page)),
    rememberProblem: assign((_, { error }: { error: unknown }) => ({ problem: problemOf(error) })),
    toggleRow: assign(({ context }, { id }: { id: string }) => toggledRow(context, id)),
    togglePage: assign(({ context }) => toggledPage(context)),
    clearSelection: assign({ selection: [], allMatching: false }),
    selectAllMatching: assign({ selection: [], allMatching: true }),
    aim: assign(({ context }, { ids }: { ids?: readonly string[] }) => ({ target: targetOf(context, ids), outcomes: [] })),
    askBeforeDeleting: enqueueActions(({ context, enqueue, self }) => {
      const { target, total, rows } = context;
      const ids = target && 'ids' in target ? target.ids : null;
      const row = ids?.length === 1 ? rows.find(({ id }) => id === ids[0]) : undefined;
      const dialog = confirmDialog({
        title: row
          ? { key: `areas.${context.area}.delete_named`, params: { name: nameOf(context.area, row) } }
          : { key: `areas.${context.area}.delete_question`, params: { count: ids ? ids.length : total } },
        text: { key: `areas.${context.area}.delete_note` },
        approve: { key: `areas.${context.area}.delete`, params: { count: ids ? ids.length : total } },
        danger: true,
        about: 'delete',
        replyTo: self,
      });
      const request: ListFact = { type: 'dialog.ask', dialog };
      enqueue.emit(request);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, request);
    }),
    takeOutcomes: assign(({ context }, { answer }: { answer: DeleteAnswer }) => afterRemoval(context, answer)),
    followJob: enqueueActions(({ context, enqueue, self }, { answer }: { answer: DeleteAnswer }) => {
      if (!('job' in answer)) return;
      const request: ListFact = { type: 'job.start', request: { kind: 'adopt', area: context.area, job: answer.job } };
      enqueue.emit(request);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, request);
    }),
    reload: raise({ type: 'rows.reload' }),
    renew: raise({ type: 'rows.renew' }),
    renewLater: raise({ type: 'rows.changed', ids: [] }),
    dropTarget: assign({ target: null }),
    clearOutcomes: assign({ outcomes: [] }),
  },
  guards: {
    isOther: ({ context }, { query }: { query: ListQuery }) => !sameQuery(context.query, query),
    isHere: ({ context }, { id }: { id: string }) => context.rows.some((row) => row.id === id),
    hasRows: ({ context }) => context.rows.length > 0,
    hasMatches: ({ context }) => context.total > 0,
    mayRenew: and([stateIn({ page: 'ready' }), stateIn({ attention: 'free' }), stateIn({ removal: 'idle' })]),
    hasFailed: stateIn({ page: 'failed' }),
    isBeyondEnd: ({ context }, { page }: { page: Page }) => page.rows.length === 0 && page.total > 0 && context.query.page > 1,
    isShownBeyondEnd: ({ context }) => context.shown !== null && context.total > 0 && context.shown.page > lastPage(context.shown, context.total),
    mayDelete: ({ context }, { ids }: { ids?: readonly string[] }) => (ids ? ids.length > 0 : context.allMatching || context.selection.length > 0),
    isApproved: (_, { action }: { action: string }) => action === 'approve',
    isJob: (_, { answer }: { answer: DeleteAnswer }) => 'job' in answer,
    allWentWell: (_, { answer }: { answer: DeleteAnswer }) => 'outcomes' in answer && answer.outcomes.every(({ ok }) => ok),
  },
  /** Changes that come close together are read together. */
  delays: { answerTimeout, settlePause: 1_000 },
}).createMachine({
  id: 'list',
  context: ({ input }) => ({
    area: input.area,
    query: input.query,
    shown: null,
    rows: [],
    total: 0,
    selection: [],
    allMatching: false,
    target: null,
    outcomes: [],
    problem: null,
    asOf: null,
    changed: [],
  }),
  type: 'parallel',
  on: {
    'query.change': {
      actions: { type: 'want', params: ({ context, event }) => ({ query: merged(context.query, event.patch) }) },
    },
    'row.toggle': { guard: { type: 'isHere', params: ({ event }) => event }, actions: { type: 'toggleRow', params: ({ event }) => event } },
    'page.toggle': { guard: 'hasRows', actions: 'togglePage' },
    'selection.clear': { actions: 'clearSelection' },
    'selection.allMatching': { guard: 'hasMatches', actions: 'selectAllMatching' },
    'rows.export': { actions: { type: 'notify', params: ({ context, event }) => ({ type: 'job.start', request: exportRequest(context, event) }) } },
    'outcomes.clear': { actions: 'clearOutcomes' },
  },
  states: {
    page: {
      initial: 'loading',
      on: {
        'query.show': [
          {
            guard: { type: 'isOther', params: ({ event }) => event },
            target: '.deciding',
            actions: { type: 'showQuery', params: ({ event }) => event },
          },
          // Whoever shows the list may have come after the answer, and nobody heard where it leads.
          {
            guard: 'isShownBeyondEnd',
            actions: { type: 'want', params: ({ context }) => ({ query: { ...context.query, page: lastPage(context.query, context.total) } }) },
          },
        ],
        'rows.reload': { target: '.deciding' },
      },
      states: {
        deciding: { always: [{ guard: 'hasRows', target: 'refreshing' }, { target: 'loading' }] },
        loading: {
          tags: 'loading',
          invoke: {
            id: 'loadFirst',
            src: 'loadPage',
            input: ({ context }) => ({ area: context.area, query: context.query }),
            onDone: [beyondEnd, { target: 'ready', actions: takePage }],
            onError: { target: 'failed', actions: { type: 'rememberProblem', params: ({ event }) => event } },
          },
          after: { answerTimeout: { target: 'failed', actions: { type: 'rememberProblem', params: { error: timedOut } } } },
        },
        refreshing: {
          tags: ['ready', 'refreshing'],
          invoke: {
            id: 'loadAgain',
            src: 'loadPage',
            input: ({ context }) => ({ area: context.area, query: context.query }),
            onDone: [beyondEnd, { target: 'ready', actions: takePage }],
            onError: { target: 'failed', actions: { type: 'rememberProblem', params: ({ event }) => event } },
          },
          after: { answerTimeout: { target: 'failed', actions: { type: 'rememberProblem', params: { error: timedOut } } } },
        },
        ready: { tags: 'ready', on: { 'rows.renew': { target: 'renewing' } } },
        renewing: {
          tags: 'ready',
          invoke: {
            id: 'loadQuietly',
            src: 'loadPage',
            input: ({ context }) => ({ area: context.area, query: context.query }),
            onDone: [beyondEnd, { target: 'ready', actions: { type: 'takeQuietly', params: ({ event }) => ({ page: event.output }) } }],
            // The rows on screen stay; the next word of the server, or the end of the gap, brings another try.
            onError: { target: 'ready' },
          },
          // What comes now would move the rows under an open menu.
          on: { 'rows.hold': { target: 'ready', actions: 'renewLater' } },
          after: { answerTimeout: 'ready' },
        },
        failed: { tags: 'failed' },
      },
    },
    freshness: {
      initial: 'current',
      states: {
        current: { on: { 'rows.changed': { target: 'stale' } } },
        stale: {
          after: {
            settlePause: [
              { guard: 'mayRenew', target: 'current', actions: 'renew' },
              { guard: 'hasFailed', target: 'current', actions: 'reload' },
              { target: 'stale', reenter: true },
            ],
          },
        },
      },
    },
    attention: {
      initial: 'free',
      states: { free: { on: { 'rows.hold': { target: 'held' } } }, held: { on: { 'rows.release': { target: 'free' } } } },
    },
    removal: {
      initial: 'idle',
      states: {
        idle: {
          on: {
            'rows.delete': {
              guard: { type: 'mayDelete', params: ({ event }) => event },
              target: 'confirming',
              actions: { type: 'aim', params: ({ event }) => event },
            },
          },
        },
        confirming: {
          tags: 'confirming',
          entry: 'askBeforeDeleting',
          on: {
            'dialog.answered': [
              { guard: { type: 'isApproved', params: ({ event }) => event }, target: 'deleting' },
              { target: 'idle', actions: 'dropTarget' },
            ],
          },
        },
        deleting: {
          tags: 'deleting',
          invoke: {
            id: 'deleteRows',
            src: 'deleteRows',
            input: ({ context }) => context.target ?? { area: context.area, ids: [] },
            onDone: [
              {
                guard: { type: 'isJob', params: ({ event }) => ({ answer: event.output }) },
                target: 'idle',
                actions: [{ type: 'followJob', params: ({ event }) => ({ answer: event.output }) }, 'dropTarget', 'clearSelection'],
              },
              {
                guard: { type: 'allWentWell', params: ({ event }) => ({ answer: event.output }) },
                target: 'idle',
                actions: [
                  { type: 'takeOutcomes', params: ({ event }) => ({ answer: event.output }) },
                  { type: 'notify', params: doneAlert },
                  'reload',
                ],
              },
              { target: 'idle', actions: [{ type: 'takeOutcomes', params: ({ event }) => ({ answer: event.output }) }, 'reload'] },
            ],
            onError: { target: 'idle', actions: ['dropTarget', { type: 'notify', params: ({ event }) => problemAlert(event.error) }] },
          },
          after: { answerTimeout: { target: 'idle', actions: ['dropTarget', { type: 'notify', params: problemAlert(timedOut) }] } },
        },
      },
    },
  },
});
export type ListActor = ActorRefFrom<typeof listMachine>;
