import { fromPromise } from 'xstate';
import { conversationMachine, type MessagesAsked } from '#machines/conversations/conversation.machine.ts';
import { conversationsMachine } from '#machines/conversations/conversations.machine.ts';
import type { ListAsked, ListRead } from '#machines/conversations/conversations.setup.ts';
import type { MessageDraft, Outgoing } from '#machines/conversations/outgoing.ts';
import type { CallRequest } from '#machines/form/form.machine.ts';
import type { Conversation, Message } from '#models/conversation-calls.ts';
import type { KeyValueStore } from '#src/adapters/storage.ts';
import { openUnsent } from '#src/adapters/unsent.ts';

interface Stores {
  store: KeyValueStore;
  tabStore: KeyValueStore;
  whose: () => string | null;
}

/** The conversations with their ports. */
export function composeConversations(runCall: (request: CallRequest) => Promise<unknown>, { store, tabStore, whose }: Stores) {
  const unsent = openUnsent(store, tabStore, whose);
  const conversation = conversationMachine.provide({
    actors: {
      readConversation: fromPromise(
        ({ input }: { input: { id: string } }) => runCall({ call: 'conversation', params: input }) as Promise<Conversation>,
      ),
      readMessages: fromPromise(({ input: { id, before, after } }: { input: MessagesAsked }) => {
        const query = { ...(before !== undefined && { before: String(before) }), ...(after !== undefined && { after: String(after) }) };
        return runCall({ call: 'messages', params: { id }, query }) as Promise<{ items: readonly Message[]; more: boolean }>;
      }),
      markRead: fromPromise(({ input: { id, seq } }: { input: { id: string; seq: number } }) =>
        runCall({ call: 'readMessages', params: { id }, body: { seq } }),
      ),
    },
  });
  return conversationsMachine.provide({
    actors: {
      conversation,
      readList: fromPromise(
        ({ input: { of, limit } }: { input: ListAsked }) =>
          runCall({ call: 'conversations', query: { of, limit: String(limit) } }) as Promise<ListRead>,
      ),
      recallUnsent: fromPromise(() => Promise.resolve(unsent.recall())),
      sendMessage: fromPromise(
        ({ input: { conversation: id, client_id, text, pictures } }: { input: Outgoing }) =>
          runCall({
            call: 'sendMessage',
            params: { id },
            body: { client_id, text, pictures: pictures.map((picture) => picture.id) },
          }) as Promise<Message>,
      ),
    },
    actions: {
      saveOutgoing: (_, outgoing: Outgoing) => unsent.saveOutgoing(outgoing),
      forgetOutgoing: (_, sent: { client_id: string }) => unsent.forgetOutgoing(sent),
      saveDraft: (_, change: { conversation: string; draft: MessageDraft }) => unsent.saveDraft(change),
    },
  });
}
