import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { conversationsMachine } from '#machines/conversations/conversations.machine.ts';
import { topics } from '#models/realtime.ts';
import { conversationOf, messageOf } from '#tests/support/conversations.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { anna, uuid } from '#tests/support/people.ts';

const { id } = conversationOf();
const samples = {
  'realtime.events': { type: 'realtime.events', events: [{ topic: topics.user(anna.id), name: 'ConversationChanged', payload: { id } }] },
  'realtime.resynced': { type: 'realtime.resynced', topics: [topics.user(anna.id)] },
  'list.show': { type: 'list.show', of: 'all' },
  'list.more': { type: 'list.more' },
  'list.reread': { type: 'list.reread' },
  'conversation.open': { type: 'conversation.open', id },
  'conversation.close': { type: 'conversation.close', id },
  'draft.change': { type: 'draft.change', conversation: id, text: 'Hel' },
  'picture.attach': { type: 'picture.attach', conversation: id, picture: { id: uuid(833), url: '/files/833', width: 4, height: 3 } },
  'picture.detach': { type: 'picture.detach', conversation: id, id: uuid(833) },
  'message.send': { type: 'message.send', conversation: id, client_id: uuid(832), text: 'Hello', pictures: [], at: 1_000 },
  'message.retry': { type: 'message.retry', client_id: uuid(832) },
  'message.discard': { type: 'message.discard', client_id: uuid(832) },
} satisfies Samples<EventFromLogic<typeof conversationsMachine>>;

describe('the conversations', () => {
  mapTests(conversationsMachine, {
    inputs: [undefined],
    samples,
    failures: { sendMessage: [{ code: 'unavailable' }, { code: 'forbidden' }] },
    answers: {
      readList: [{ items: [conversationOf()], total: 1, unread: 1 }],
      recallUnsent: [{ outgoing: [], drafts: {} }],
      sendMessage: [messageOf(2)],
    },
  });
});
