// Keeps in order: one open conversation: its messages in order, older ones as one scrolls up, new ones as they come, and the mark up to where one has read.
// Spawned by: conversations, as conversation:<id>, for as long as its page stands.
// Asks (ports): readConversation, readMessages, markRead.
// Tells (facts): nothing.
import { type ActorRefFrom, assign, setup } from 'xstate';
import type { Conversation, Message } from '#models/conversation-calls.ts';
import type { Problem } from '#models/problem.ts';
import { answerTimeout, problemOf, timedOut, unplugged } from '../port.ts';
import { joined } from './outgoing.ts';

/** Which messages: the last ones, those before a number, or those after one. */
export interface MessagesAsked {
  id: string;
  before?: number;
  after?: number;
}
/** Messages in order, and whether there are more in that direction. */
export interface MessagesRead {
  items: readonly Message[];
  more: boolean;
}
type ConversationEvent =
  | { type: 'conversation.changed' }
  | { type: 'conversation.retry' }
  | { type: 'messages.older' }
  /** The person has seen the messages up to this one. */
  | { type: 'messages.seen'; seq: number }
  /** One's own message has arrived. */
  | { type: 'message.sent'; message: Message };

/** What it holds. */
export interface ConversationContext {
  id: string;
  conversation: Conversation | null;
  messages: readonly Message[];
  /** Whether there are older ones than those it holds. */
  hasOlder: 'yes' | 'no';
  problem: Problem | null;
  /** Seen up to this number, and marked up to that one. */
  seen: number;
  marked: number;
}

const lastOf = (messages: readonly Message[]): number => messages.at(-1)?.seq ?? 0;

/** One conversation as its reader has it open. */
export const conversationMachine = setup({
  types: {
    input: {} as { id: string },
    context: {} as ConversationContext,
    events: {} as ConversationEvent,
    tags: {} as 'opening' | 'open' | 'failed' | 'older',
  },
  actors: {
    readConversation: unplugged<Conversation, { id: string }>('readConversation'),
    readMessages: unplugged<MessagesRead, MessagesAsked>('readMessages'),
    markRead: unplugged<unknown, { id: string; seq: number }>('markRead'),
  },
  actions: {
    rememberConversation: assign((_, { conversation }: { conversation: Conversation }) => ({ conversation, problem: null })),
    rememberFirst: assign((_, { items, more }: MessagesRead) => ({ messages: items, hasOlder: more ? ('yes' as const) : ('no' as const) })),
    rememberOlder: assign(({ context }, { items, more }: MessagesRead) => ({
      messages: joined(context.messages, items),
      hasOlder: more ? ('yes' as const) : ('no' as const),
    })),
    rememberNewer: assign(({ context }, { items }: { items: readonly Message[] }) => ({ messages: joined(context.messages, items) })),
    /** One's own message stands at once only where none is missing before it. */
    rememberSent: assign(({ context }, { message }: { message: Message }) =>
      message.seq === lastOf(context.messages) + 1 ? { messages: [...context.messages, message] } : {},
    ),
    rememberProblem: assign((_, { error }: { error: unknown }) => ({ problem: problemOf(error) })),
    rememberSeen: assign(({ context }, { seq }: { seq: number }) => ({ seen: Math.max(context.seen, seq) })),
    rememberMarked: assign(({ context }) => ({ marked: context.seen })),
  },
  guards: {
    hasOlder: ({ context }) => context.hasOlder === 'yes',
    hasMore: (_, { more }: { more: boolean }) => more,
    isUnmarked: ({ context }) => context.seen > context.marked,
  },
  delays: { answerTimeout },
}).createMachine({
  id: 'conversation',
  context: ({ input }) => ({ id: input.id, conversation: null, messages: [], hasOlder: 'no', problem: null, seen: 0, marked: 0 }),
  type: 'parallel',
  states: {
    reading: {
      initial: 'opening',
      states: {
        opening: {
          tags: 'opening',
          invoke: {
            id: 'readConversation',
            src: 'readConversation',
            input: ({ context }) => ({ id: context.id }),
            onDone: { target: 'beginning', actions: { type: 'rememberConversation', params: ({ event }) => ({ conversation: event.output }) } },
            onError: { target: 'failed', actions: { type: 'rememberProblem', params: ({ event }) => event } },
          },
          after: { answerTimeout: { target: 'failed', actions: { type: 'rememberProblem', params: { error: timedOut } } } },
        },
        beginning: {
          tags: 'opening',
          invoke: {
            id: 'readFirst',
            src: 'readMessages',
            input: ({ context }) => ({ id: context.id }),
            onDone: { target: 'open', actions: { type: 'rememberFirst', params: ({ event }) => event.output } },
            onError: { target: 'failed', actions: { type: 'rememberProblem', params: ({ event }) => event } },
          },
          after: { answerTimeout: { target: 'failed', actions: { type: 'rememberProblem', params: { error: timedOut } } } },
        },
        open: {
          tags: 'open',
          on: {
            'conversation.changed': { target: 'refreshing' },
            'messages.older': { guard: 'hasOlder', target: 'older' },
            'message.sent': { actions: { type: 'rememberSent', params: ({ event }) => event } },
          },
        },
        older: {
          tags: ['open', 'older'],
          invoke: {
            id: 'readOlder',
            src: 'readMessages',
            input: ({ context }) => ({ id: context.id, before: context.messages[0]?.seq ?? 0 }),
            onDone: { target: 'refreshing', actions: { type: 'rememberOlder', params: ({ event }) => event.output } },
            onError: { target: 'open' },
          },
          after: { answerTimeout: 'open' },
        },
        refreshing: {
          tags: 'open',
          on: { 'conversation.changed': { target: 'refreshing', reenter: true } },
          invoke: {
            id: 'rereadConversation',
            src: 'readConversation',
            input: ({ context }) => ({ id: context.id }),
            onDone: { target: 'newer', actions: { type: 'rememberConversation', params: ({ event }) => ({ conversation: event.output }) } },
            onError: { target: 'failed', actions: { type: 'rememberProblem', params: ({ event }) => event } },
          },
          after: { answerTimeout: { target: 'failed', actions: { type: 'rememberProblem', params: { error: timedOut } } } },
        },
        newer: {
          tags: 'open',
          on: { 'conversation.changed': { target: 'refreshing' } },
          invoke: {
            id: 'readNewer',
            src: 'readMessages',
            input: ({ context }) => ({ id: context.id, after: lastOf(context.messages) }),
            onDone: [
              {
                guard: { type: 'hasMore', params: ({ event }) => event.output },
                target: 'newer',
                reenter: true,
                actions: { type: 'rememberNewer', params: ({ event }) => event.output },
              },
              { target: 'open', actions: { type: 'rememberNewer', params: ({ event }) => event.output } },
            ],
            onError: { target: 'failed', actions: { type: 'rememberProblem', params: ({ event }) => event } },
          },
          after: { answerTimeout: { target: 'failed', actions: { type: 'rememberProblem', params: { error: timedOut } } } },
        },
        /** What was read stays on the page; the channel's next word, or a press, reads on. */
        failed: { tags: 'failed', on: { 'conversation.retry': { target: 'opening' }, 'conversation.changed': { target: 'opening' } } },
      },
    },
    marking: {
      initial: 'resting',
      on: { 'messages.seen': { actions: { type: 'rememberSeen', params: ({ event }) => event } } },
      states: {
        resting: { always: { guard: 'isUnmarked', target: 'sending' } },
        sending: {
          entry: 'rememberMarked',
          invoke: {
            id: 'markRead',
            src: 'markRead',
            input: ({ context }) => ({ id: context.id, seq: context.seen }),
            onDone: { target: 'resting' },
            onError: { target: 'resting' },
          },
          after: { answerTimeout: 'resting' },
        },
      },
    },
  },
});
export type ConversationActor = ActorRefFrom<typeof conversationMachine>;
