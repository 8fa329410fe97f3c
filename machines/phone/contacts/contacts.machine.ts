// Keeps in order: whom this person may call, and what is searched among them.
// Spawned by: phone.
// Asks (ports): readContacts.
// Tells (facts): nothing; the panel shows why they could not be read.
import { type ActorRefFrom, assign, setup } from 'xstate';
import type { Problem } from '#models/problem.ts';
import { answerTimeout, problemOf, timedOut } from '#machines/port.ts';
import { type Contact, readContacts } from '../ports.ts';

/** What it holds. The view draws `byLetter(foundContacts(contacts, search), locale)`. */
export interface ContactsContext {
  contacts: readonly Contact[];
  search: string;
  problem: Problem | null;
}

/** The contacts (clauses DIAL-14 to DIAL-17); read when first looked at. */
export const contactsMachine = setup({
  types: {
    context: {} as ContactsContext,
    events: {} as { type: 'contacts.open' } | { type: 'contacts.refresh' } | { type: 'contacts.search'; text: string },
    tags: {} as 'reading' | 'unreachable',
  },
  actors: { readContacts },
  actions: {
    store: assign((_, { contacts }: { contacts: readonly Contact[] }) => ({ contacts, problem: null })),
    storeSearch: assign((_, { text }: { text: string }) => ({ search: text })),
    storeProblem: assign((_, { error }: { error: unknown }) => ({ problem: problemOf(error) })),
  },
  delays: { answerTimeout },
}).createMachine({
  id: 'contacts',
  context: { contacts: [], search: '', problem: null },
  initial: 'unread',
  on: { 'contacts.search': { actions: { type: 'storeSearch', params: ({ event }) => event } } },
  states: {
    unread: { on: { 'contacts.open': { target: 'reading' } } },
    reading: {
      tags: 'reading',
      invoke: {
        id: 'readContacts',
        src: 'readContacts',
        onDone: { target: 'read', actions: { type: 'store', params: ({ event }) => ({ contacts: event.output }) } },
        onError: { target: 'unreachable', actions: { type: 'storeProblem', params: ({ event }) => event } },
      },
      after: { answerTimeout: { target: 'unreachable', actions: { type: 'storeProblem', params: { error: timedOut } } } },
    },
    read: { on: { 'contacts.refresh': { target: 'reading' } } },
    unreachable: { tags: 'unreachable', on: { 'contacts.refresh': { target: 'reading' }, 'contacts.open': { target: 'reading' } } },
  },
});
export type ContactsActor = ActorRefFrom<typeof contactsMachine>;
