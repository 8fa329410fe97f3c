import type { Conversation, Message } from '#models/conversation-calls.ts';
import { anna, uuid } from './people.ts';

/** A conversation of Anna with somebody else. */
export const conversationOf = (more: Partial<Conversation> = {}): Conversation => ({
  id: uuid(801),
  title: 'Parcel',
  members: [
    { id: anna.id, name: anna.name, read_seq: 0 },
    { id: uuid(802), name: 'Marcus Webb', read_seq: 1 },
  ],
  last_seq: 1,
  last_at: '2026-03-01T10:00:00.000Z',
  last: { text: 'It is here', author_name: 'Marcus Webb', pictures: 0 },
  unread: 1,
  is_member: true,
  created_at: '2026-03-01T10:00:00.000Z',
  ...more,
});

/** Its message of that number. */
export const messageOf = (seq: number, more: Partial<Message> = {}): Message => ({
  id: uuid(810 + seq),
  seq,
  author_id: uuid(802),
  author_name: 'Marcus Webb',
  client_id: uuid(830 + seq),
  text: `Message ${seq}`,
  pictures: [],
  created_at: '2026-03-01T10:00:00.000Z',
  ...more,
});
