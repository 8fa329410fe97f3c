// Keeps in order: the views of lists that the person has, read when the first screen stands and whenever they have changed.
// Spawned by: console, for as long as somebody is signed in.
// Asks (ports): readViews.
// Tells (facts): nothing; the menu and the lists read which views there are.
import { type ActorRefFrom, assign, setup } from 'xstate';
import type { SavedView } from '#models/saved-views.ts';
import { answerTimeout, unplugged } from './port.ts';

/** What it holds: the views read last. */
export interface SavedViewsContext {
  views: readonly SavedView[];
}

/** A reading that fails leaves what was known: the menu is no place for errors, and the list of views tries again when it is opened. */
export const savedViewsMachine = setup({
  types: {
    context: {} as SavedViewsContext,
    events: {} as { type: 'views.read' },
    tags: {} as 'reading' | 'failed',
  },
  actors: {
    readViews: unplugged<readonly SavedView[]>('readViews'),
  },
  actions: {
    takeViews: assign((_, { views }: { views: readonly SavedView[] }) => ({ views })),
  },
  delays: { answerTimeout },
}).createMachine({
  id: 'savedViews',
  context: { views: [] },
  initial: 'reading',
  on: { 'views.read': { target: '.reading' } },
  states: {
    reading: {
      tags: 'reading',
      invoke: {
        id: 'readViews',
        src: 'readViews',
        onDone: { target: 'known', actions: { type: 'takeViews', params: ({ event }) => ({ views: event.output }) } },
        onError: { target: 'failed' },
      },
      after: { answerTimeout: 'failed' },
    },
    known: {},
    failed: { tags: 'failed' },
  },
});
export type SavedViewsActor = ActorRefFrom<typeof savedViewsMachine>;
