// Keeps in order: the latest calls of this number, page by page.
// Spawned by: phone.
// Asks (ports): readRecents.
// Tells (facts): nothing; the panel shows why they could not be read.
import { type ActorRefFrom, assign, setup } from 'xstate';
import { constants } from '#models/constants.ts';
import type { Problem } from '#models/problem.ts';
import { answerTimeout, problemOf, timedOut } from '#machines/port.ts';
import { readRecents, type RecentCall, type RecentPage } from '../ports.ts';
import { withPage } from './recent-calls.ts';

/** What it holds. The view groups `calls` by day. */
export interface RecentsContext {
  number: string;
  /** Newest first. */
  calls: readonly RecentCall[];
  /** Pages read. */
  pages: number;
  total: number;
  problem: Problem | null;
}

/** The history of one number (clauses DIAL-18 and DIAL-19), 50 a page; read when first looked at. */
export const recentsMachine = setup({
  types: {
    input: {} as { number: string },
    context: {} as RecentsContext,
    events: {} as
      | { type: 'recents.open' }
      | { type: 'recents.refresh' }
      | { type: 'recents.more' }
      /** A call has ended: whoever looks at the list sees it. */
      | { type: 'recents.outdated' },
    tags: {} as 'reading' | 'readingMore' | 'unreachable',
  },
  actors: { readRecents },
  actions: {
    storeFirst: assign((_, { calls, total }: RecentPage) => ({ calls, pages: 1, total, problem: null })),
    storeNext: assign(({ context }, { calls, total }: RecentPage) => ({
      calls: withPage(context.calls, calls),
      pages: context.pages + 1,
      total,
      problem: null,
    })),
    storeProblem: assign((_, { error }: { error: unknown }) => ({ problem: problemOf(error) })),
  },
  guards: { hasMore: ({ context }) => context.pages * constants.dialerHistoryPage.size < context.total },
  delays: { answerTimeout },
}).createMachine({
  id: 'recents',
  context: ({ input }) => ({ number: input.number, calls: [], pages: 0, total: 0, problem: null }),
  initial: 'unread',
  states: {
    unread: { on: { 'recents.open': { target: 'reading' } } },
    reading: {
      tags: 'reading',
      invoke: {
        id: 'readFirst',
        src: 'readRecents',
        input: ({ context }) => ({ number: context.number, page: 1 }),
        onDone: { target: 'read', actions: { type: 'storeFirst', params: ({ event }) => event.output } },
        onError: { target: 'unreachable', actions: { type: 'storeProblem', params: ({ event }) => event } },
      },
      after: { answerTimeout: { target: 'unreachable', actions: { type: 'storeProblem', params: { error: timedOut } } } },
      on: { 'recents.outdated': { target: 'reading', reenter: true } },
    },
    readingMore: {
      tags: 'readingMore',
      invoke: {
        id: 'readNext',
        src: 'readRecents',
        input: ({ context }) => ({ number: context.number, page: context.pages + 1 }),
        onDone: { target: 'read', actions: { type: 'storeNext', params: ({ event }) => event.output } },
        onError: { target: 'read', actions: { type: 'storeProblem', params: ({ event }) => event } },
      },
      after: { answerTimeout: { target: 'read', actions: { type: 'storeProblem', params: { error: timedOut } } } },
    },
    read: {
      on: {
        'recents.refresh': { target: 'reading' },
        'recents.outdated': { target: 'reading' },
        'recents.more': { guard: 'hasMore', target: 'readingMore' },
      },
    },
    unreachable: { tags: 'unreachable', on: { 'recents.refresh': { target: 'reading' }, 'recents.open': { target: 'reading' } } },
  },
});
export type RecentsActor = ActorRefFrom<typeof recentsMachine>;
