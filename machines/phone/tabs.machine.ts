// Keeps in order: which of one person's tabs owns the phone: this one, another one, or each its own where the browser cannot elect.
// Spawned by: phone.
// Asks (ports): phoneTabs (lasting).
// Tells (facts): seat.taken, seat.left; passes on what other tabs say.
import { enqueueActions, sendTo, setup } from 'xstate';
import { parentOf } from '../port.ts';
import { phoneTabs, type TabsCommand, type TabsReport } from './ports.ts';

type Word = Extract<TabsReport, { type: 'tabs.mirrored' | 'tabs.commanded' | 'tabs.greeted' }>;
export type TabsFact = Word | { type: 'seat.taken' } | { type: 'seat.left' };

/** The tabs of one number. Exactly one leads; when it goes, the next in the queue is elected. */
export const tabsMachine = setup({
  types: {
    input: {} as { number: string },
    context: {} as { number: string },
    events: {} as TabsCommand | TabsReport,
    emitted: {} as TabsFact,
    tags: {} as 'owner',
    children: {} as { phoneTabs: 'phoneTabs' },
  },
  actors: { phoneTabs },
  actions: {
    command: sendTo('phoneTabs', (_, command: TabsCommand) => command),
    notify: enqueueActions(({ enqueue, self }, fact: TabsFact) => {
      enqueue.emit(fact);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, fact);
    }),
  },
  delays: { electionTimeout: 3_000 },
}).createMachine({
  id: 'tabs',
  context: ({ input }) => ({ number: input.number }),
  invoke: { id: 'phoneTabs', src: 'phoneTabs', input: ({ context }) => ({ number: context.number }), onError: { target: '.alone' } },
  initial: 'electing',
  on: {
    'tabs.elected': { target: '.leading' },
    'tabs.alone': { target: '.alone' },
    'tabs.outvoted': { target: '.following' },
  },
  states: {
    electing: { after: { electionTimeout: 'alone' } },
    leading: {
      tags: 'owner',
      entry: { type: 'notify', params: { type: 'seat.taken' } },
      exit: { type: 'notify', params: { type: 'seat.left' } },
      on: {
        'tabs.elected': {},
        'tabs.mirror': { actions: { type: 'command', params: ({ event }) => event } },
        'tabs.commanded': { actions: { type: 'notify', params: ({ event }) => event } },
        'tabs.greeted': { actions: { type: 'notify', params: ({ event }) => event } },
      },
    },
    alone: {
      tags: 'owner',
      entry: { type: 'notify', params: { type: 'seat.taken' } },
      exit: { type: 'notify', params: { type: 'seat.left' } },
      on: { 'tabs.alone': {} },
    },
    following: {
      on: {
        'tabs.outvoted': {},
        'tabs.mirrored': { actions: { type: 'notify', params: ({ event }) => event } },
        'tabs.command': { actions: { type: 'command', params: ({ event }) => event } },
      },
    },
  },
});
