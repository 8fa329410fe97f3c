// Keeps in order: choosing one or several rows of an area: search, further pages, what is chosen so far.
// Spawned by: workspace, as picker:<area>.
// Asks (ports): loadPage.
// Tells (facts): picker.chose, picker.cancelled.
import { type ActorRefFrom, assign, enqueueActions, setup } from 'xstate';
import type { Named } from '#models/define-model.ts';
import { type AreaName, areaOf } from '#models/areas.ts';
import type { Problem } from '#models/problem.ts';
import type { FilterItem, ListQuery } from '#models/query.ts';
import { answerTimeout, parentOf, problemOf, timedOut } from './port.ts';
import { loadPage, type Page, type Row } from './rows.ts';

/** What is to be chosen. `max` bounds how many; filters are the picker's own, beside what is searched for. */
export interface PickerRequest {
  area: AreaName;
  multiple: boolean;
  chosen: readonly Named[];
  filters?: readonly FilterItem[];
  max?: number;
}
export type PickerFact = { type: 'picker.chose'; rows: readonly Named[] } | { type: 'picker.cancelled' };
export type PickerEvent =
  | { type: 'picker.search'; text: string }
  | { type: 'picker.more' }
  | { type: 'picker.toggle'; row: Named }
  | { type: 'picker.clear' }
  | { type: 'picker.approve' }
  | { type: 'picker.cancel' }
  | { type: 'rows.reload' };

/** What it holds. */
export interface PickerContext {
  request: PickerRequest;
  search: string;
  /** The page to be asked for next time. */
  page: number;
  rows: readonly Row[];
  total: number;
  chosen: readonly Named[];
  problem: Problem | null;
}
const pageSize = 20;

/**
 * What the picker asks the server. The grammar has one match mode for all items: a searched text is looked for in any of the
 * area's search fields, beside filters of the picker's own in the first.
 */
function choiceQuery({ request, search, page }: Pick<PickerContext, 'request' | 'search' | 'page'>): ListQuery {
  const model = areaOf(request.area);
  const text = search.trim();
  const own = request.filters ?? [];
  const fields = text === '' ? [] : own.length > 0 ? model.search.slice(0, 1) : model.search;
  const searched = fields.map((field): FilterItem => ({ field, rule: 'contains', value: text }));
  return {
    page,
    size: pageSize,
    sort: [...model.defaultSort],
    filters: { match: own.length > 0 ? 'match_all' : 'match_any', items: [...own, ...searched] },
    with: [],
  };
}
const isChosen = (chosen: readonly Named[], { id }: Named): boolean => chosen.some((row) => row.id === id);
const joined = (rows: readonly Row[], more: readonly Row[]): readonly Row[] => [
  ...rows,
  ...more.filter(({ id }) => !rows.some((row) => row.id === id)),
];

/** The bottom sheet in which rows of an area are chosen. */
export const pickerMachine = setup({
  types: {
    input: {} as PickerRequest,
    context: {} as PickerContext,
    events: {} as PickerEvent,
    emitted: {} as PickerFact,
    tags: {} as 'loading' | 'loadingMore' | 'failed' | 'ready',
  },
  actors: { loadPage },
  actions: {
    rememberSearch: assign((_, { text }: { text: string }) => ({ search: text, page: 1 })),
    takeRows: assign(({ context }, { page }: { page: Page }) => ({
      rows: context.page === 1 ? page.rows : joined(context.rows, page.rows),
      total: page.total,
      problem: null,
      page: context.page + 1,
    })),
    rememberProblem: assign((_, { error }: { error: unknown }) => ({ problem: problemOf(error) })),
    startAnew: assign({ page: 1, problem: null }),
    toggle: assign(({ context }, { row }: { row: Named }) => ({
      chosen: isChosen(context.chosen, row) ? context.chosen.filter(({ id }) => id !== row.id) : [...context.chosen, row],
    })),
    chooseOnly: assign((_, { row }: { row: Named }) => ({ chosen: [row] })),
    chooseNone: assign({ chosen: [] }),
    notifyChosen: enqueueActions(({ context, enqueue, self }) => {
      const fact: PickerFact = { type: 'picker.chose', rows: context.chosen };
      enqueue.emit(fact);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, fact);
    }),
    notifyCancelled: enqueueActions(({ enqueue, self }) => {
      const fact: PickerFact = { type: 'picker.cancelled' };
      enqueue.emit(fact);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, fact);
    }),
  },
  guards: {
    isSingle: ({ context }) => !context.request.multiple,
    mayToggle: ({ context }, { row }: { row: Named }) =>
      isChosen(context.chosen, row) || context.request.max === undefined || context.chosen.length < context.request.max,
    hasMore: ({ context }) => context.rows.length < context.total,
    hasChosen: ({ context }) => context.chosen.length > 0,
    isOther: ({ context }, { text }: { text: string }) => text !== context.search,
  },
  delays: { searchPause: 300, answerTimeout },
}).createMachine({
  id: 'picker',
  context: ({ input }) => ({ request: input, search: '', page: 1, rows: [], total: 0, chosen: input.chosen, problem: null }),
  initial: 'loading',
  on: {
    'picker.search': {
      guard: { type: 'isOther', params: ({ event }) => event },
      target: '.typing',
      reenter: true,
      actions: { type: 'rememberSearch', params: ({ event }) => event },
    },
    'picker.toggle': [
      { guard: 'isSingle', target: '.chosen', actions: { type: 'chooseOnly', params: ({ event }) => event } },
      { guard: { type: 'mayToggle', params: ({ event }) => event }, actions: { type: 'toggle', params: ({ event }) => event } },
    ],
    'picker.clear': { guard: 'hasChosen', actions: 'chooseNone' },
    'picker.approve': { target: '.chosen' },
    'picker.cancel': { target: '.cancelled' },
  },
  states: {
    typing: { tags: 'loading', after: { searchPause: 'loading' } },
    loading: {
      tags: 'loading',
      invoke: {
        id: 'loadFirst',
        src: 'loadPage',
        input: ({ context }) => ({ area: context.request.area, query: choiceQuery(context) }),
        onDone: { target: 'ready', actions: { type: 'takeRows', params: ({ event }) => ({ page: event.output }) } },
        onError: { target: 'failed', actions: { type: 'rememberProblem', params: ({ event }) => event } },
      },
      after: { answerTimeout: { target: 'failed', actions: { type: 'rememberProblem', params: { error: timedOut } } } },
    },
    ready: {
      tags: 'ready',
      on: { 'picker.more': { guard: 'hasMore', target: 'loadingMore' }, 'rows.reload': { target: 'loading', actions: 'startAnew' } },
    },
    loadingMore: {
      tags: ['ready', 'loadingMore'],
      invoke: {
        id: 'loadMore',
        src: 'loadPage',
        input: ({ context }) => ({ area: context.request.area, query: choiceQuery(context) }),
        onDone: { target: 'ready', actions: { type: 'takeRows', params: ({ event }) => ({ page: event.output }) } },
        onError: { target: 'ready', actions: { type: 'rememberProblem', params: ({ event }) => event } },
      },
      after: { answerTimeout: { target: 'ready', actions: { type: 'rememberProblem', params: { error: timedOut } } } },
    },
    failed: { tags: 'failed', on: { 'rows.reload': { target: 'loading', actions: 'startAnew' } } },
    chosen: { type: 'final', entry: 'notifyChosen' },
    cancelled: { type: 'final', entry: 'notifyCancelled' },
  },
});
export type PickerActor = ActorRefFrom<typeof pickerMachine>;
