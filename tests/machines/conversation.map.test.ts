import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { type ConversationContext, conversationMachine } from '#machines/conversations/conversation.machine.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { conversationOf, messageOf } from '#tests/support/conversations.ts';

const samples = {
  'conversation.changed': { type: 'conversation.changed' },
  'conversation.retry': { type: 'conversation.retry' },
  'messages.older': { type: 'messages.older' },
  'messages.seen': { type: 'messages.seen', seq: 2 },
  'message.sent': { type: 'message.sent', message: messageOf(2) },
} satisfies Samples<EventFromLogic<typeof conversationMachine>>;

describe('an open conversation', () => {
  mapTests(conversationMachine, {
    inputs: [{ id: conversationOf().id }],
    samples,
    words: ({ context }) => ((context as ConversationContext).hasOlder === 'yes' ? '[older]' : ''),
    answers: {
      readConversation: [conversationOf()],
      rereadConversation: [conversationOf()],
      readFirst: [
        { items: [messageOf(1)], more: false },
        { items: [messageOf(1)], more: true },
      ],
      readOlder: [{ items: [], more: false }],
      readNewer: [
        { items: [messageOf(2)], more: false },
        { items: [messageOf(2)], more: true },
      ],
      markRead: [null],
    },
  });
});
