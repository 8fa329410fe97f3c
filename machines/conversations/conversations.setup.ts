import { assign, enqueueActions, setup } from 'xstate';
import type { Conversation, Message } from '#models/conversation-calls.ts';
import type { Problem } from '#models/problem.ts';
import type { RealtimeEvent } from '#models/realtime.ts';
import { mostMessagePictures, type TextPicture } from '#models/text-pictures.ts';
import { answerTimeout, outcomeUnknown, problemOf, unplugged, unpluggedAction } from '../port.ts';
import { conversationMachine } from './conversation.machine.ts';
import { draftIn, type MessageDraft, nextOf, type Outgoing, type Unsent } from './outgoing.ts';

/** Which conversations, and how many of them. */
export interface ListAsked {
  of: 'own' | 'all';
  limit: number;
}
export interface ListRead {
  items: readonly Conversation[];
  total: number;
  /** Messages not read in all of one's own. */
  unread: number;
}
export type ConversationsEvent =
  | { type: 'realtime.events'; events: readonly RealtimeEvent[] }
  | { type: 'realtime.resynced'; topics: readonly string[] }
  | { type: 'list.show'; of: ListAsked['of'] }
  | { type: 'list.more' }
  | { type: 'list.reread' }
  | { type: 'conversation.open'; id: string }
  | { type: 'conversation.close'; id: string }
  | { type: 'draft.change'; conversation: string; text: string }
  | { type: 'picture.attach'; conversation: string; picture: TextPicture }
  | { type: 'picture.detach'; conversation: string; id: string }
  | { type: 'message.send'; conversation: string; client_id: string; text: string; pictures: readonly TextPicture[]; at: number }
  | { type: 'message.retry'; client_id: string }
  | { type: 'message.discard'; client_id: string };

/** What it holds. */
export interface ConversationsContext extends Unsent {
  asked: ListAsked;
  list: ListRead;
  /** Why the list could not be read; what was read before stays. */
  problem: Problem | null;
  /** Conversations whose pages stand. */
  open: readonly string[];
}

/** So many more with every press. */
export const listPage = 30;
const childOf = (id: string): string => `conversation:${id}`;
const without = (outgoing: readonly Outgoing[], id: string): readonly Outgoing[] => outgoing.filter(({ client_id }) => client_id !== id);

/** What the chart of the conversations is made of: its words, ports, actions and guards. */
export const conversationsSetup = setup({
  types: {
    context: {} as ConversationsContext,
    events: {} as ConversationsEvent,
    tags: {} as 'reading' | 'known' | 'failed',
  },
  actors: {
    conversation: conversationMachine,
    readList: unplugged<ListRead, ListAsked>('readList'),
    recallUnsent: unplugged<Unsent>('recallUnsent'),
    sendMessage: unplugged<Message, Outgoing>('sendMessage'),
  },
  actions: {
    saveOutgoing: (_args, _outgoing: Outgoing) => unpluggedAction('saveOutgoing'),
    forgetOutgoing: (_args, _sent: { client_id: string }) => unpluggedAction('forgetOutgoing'),
    saveDraft: (_args, _draft: { conversation: string; draft: MessageDraft }) => unpluggedAction('saveDraft'),
    ask: assign(({ context }, { of }: { of: ListAsked['of'] }) => (context.asked.of === of ? {} : { asked: { of, limit: listPage } })),
    askMore: assign(({ context }) => ({ asked: { ...context.asked, limit: Math.min(100, context.asked.limit + listPage) } })),
    rememberList: assign((_, { list }: { list: ListRead }) => ({ list, problem: null })),
    rememberProblem: assign((_, { error }: { error: unknown }) => ({ problem: problemOf(error) })),
    /** What was written meanwhile comes after what waited. */
    recall: assign(({ context }, { outgoing, drafts }: Unsent) => ({
      outgoing: [...outgoing.filter((one) => !context.outgoing.some(({ client_id }) => client_id === one.client_id)), ...context.outgoing],
      drafts: { ...drafts, ...context.drafts },
    })),
    openOne: enqueueActions(({ context, enqueue }, { id }: { id: string }) => {
      if (context.open.includes(id)) return;
      enqueue.spawnChild('conversation', { id: childOf(id), input: { id } });
      enqueue.assign({ open: [...context.open, id] });
    }),
    closeOne: enqueueActions(({ context, enqueue }, { id }: { id: string }) => {
      if (!context.open.includes(id)) return;
      enqueue.stopChild(childOf(id));
      enqueue.assign({ open: context.open.filter((one) => one !== id) });
    }),
    notifyOpen: enqueueActions(({ context, enqueue }, { ids }: { ids: readonly string[] | 'all' }) => {
      for (const id of context.open) if (ids === 'all' || ids.includes(id)) enqueue.sendTo(childOf(id), { type: 'conversation.changed' });
    }),
    rememberDraft: assign(({ context }, { conversation, text }: { conversation: string; text: string }) => ({
      drafts: { ...context.drafts, [conversation]: { ...draftIn(context, conversation), text } },
    })),
    attach: assign(({ context }, { conversation, picture }: { conversation: string; picture: TextPicture }) => {
      const draft = draftIn(context, conversation);
      const pictures = [...draft.pictures.filter(({ id }) => id !== picture.id), picture].slice(0, mostMessagePictures);
      return { drafts: { ...context.drafts, [conversation]: { ...draft, pictures } } };
    }),
    detach: assign(({ context }, { conversation, id }: { conversation: string; id: string }) => {
      const draft = draftIn(context, conversation);
      return { drafts: { ...context.drafts, [conversation]: { ...draft, pictures: draft.pictures.filter((one) => one.id !== id) } } };
    }),
    queue: assign(({ context }, one: Outgoing) => {
      const { [one.conversation]: _, ...drafts } = context.drafts;
      return { outgoing: [...without(context.outgoing, one.client_id), one], drafts };
    }),
    drop: assign(({ context }, { client_id }: { client_id: string }) => ({ outgoing: without(context.outgoing, client_id) })),
    /** It has arrived: its conversation has it from now on. */
    hand: enqueueActions(({ context, enqueue }, { message }: { message: Message }) => {
      const one = context.outgoing.find(({ client_id }) => client_id === message.client_id);
      if (!one) return;
      enqueue.assign({ outgoing: without(context.outgoing, one.client_id) });
      if (context.open.includes(one.conversation)) enqueue.sendTo(childOf(one.conversation), { type: 'message.sent', message });
    }),
    /** The server will not have it: it waits for the person. */
    mark: enqueueActions(({ context, enqueue }, { client_id, error }: { client_id: string | undefined; error: unknown }) => {
      enqueue.assign({ outgoing: context.outgoing.map((one) => (one.client_id === client_id ? { ...one, problem: problemOf(error) } : one)) });
    }),
    unmark: assign(({ context }, { client_id }: { client_id: string }) => ({
      outgoing: context.outgoing.map((one) => (one.client_id === client_id ? { ...one, problem: null } : one)),
    })),
  },
  guards: {
    hasNext: ({ context }) => nextOf(context.outgoing) !== undefined,
    /** Nobody knows whether it arrived, or the server has no time: it is sent again, and counts once. */
    isPassing: (_, { error }: { error: unknown }) => {
      const problem = problemOf(error);
      return outcomeUnknown(problem) || ['unavailable', 'too_many_requests', 'not_authorized', 'internal', 'storage_full'].includes(problem.code);
    },
  },
  delays: { answerTimeout, retryPause: 5_000 },
});
