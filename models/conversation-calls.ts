import { z } from 'zod';
import { byId, call } from './define-call.ts';
import { named } from './define-model.ts';
import { refs, requiredText, rule, text } from './rules.ts';
import { mostMessagePictures, textPicture } from './text-pictures.ts';

/** So many code points a message has at most. */
export const longestMessage = 4_000;
/** A conversation has so many people at most; whoever must reach more makes an announcement. */
const mostRecipients = 100;
/** Messages of one reading. */
export const messagesPage = 50;

/** What a message says: words, pictures (each uploaded before), or both. */
const said = {
  text: text(longestMessage),
  pictures: z
    .array(z.uuid())
    .refine((ids) => ids.length <= mostMessagePictures, rule('at_most', { max: mostMessagePictures }))
    .refine((ids) => new Set(ids).size === ids.length, rule('unique'))
    .default([]),
};
const saysSomething = ({ text: words, pictures }: { text: string; pictures: readonly string[] }): boolean => words !== '' || pictures.length > 0;
const nothingSaid = { path: ['text'], ...rule('required') };
const member = z.strictObject({
  ...named.shape,
  /** The number of the last message they have read. */
  read_seq: z.int(),
});

const message = z.strictObject({
  id: z.uuid(),
  /** Its number in the conversation: they are ordered by it, without gaps. */
  seq: z.int(),
  /** Null of somebody whose account is gone; the name stays. */
  author_id: z.uuid().nullable(),
  author_name: z.string(),
  /** The id its sender gave it: sent again, it is still one message. */
  client_id: z.uuid(),
  text: z.string(),
  pictures: z.array(textPicture),
  created_at: z.iso.datetime(),
});
export type Message = z.infer<typeof message>;

const conversation = z.strictObject({
  id: z.uuid(),
  title: z.string(),
  members: z.array(member),
  last_seq: z.int(),
  last_at: z.iso.datetime(),
  /** The beginning of the last message, how many pictures it has, and who wrote it. */
  last: z.strictObject({ text: z.string(), author_name: z.string(), pictures: z.int() }).nullable(),
  /** Messages the reader has not read; none of a conversation that they only look into. */
  unread: z.int(),
  /** The reader takes part: others look on, and write nothing. */
  is_member: z.boolean(),
  created_at: z.iso.datetime(),
});
export type Conversation = z.infer<typeof conversation>;

const recipient = z.strictObject({
  ...named.shape,
  /** Where they live or work, as far as the reader sees it. */
  place: z.string().nullable(),
  /** They sit at the front desk. */
  is_desk: z.boolean(),
});
export type Recipient = z.infer<typeof recipient>;

const view = {
  codes: ['can_view_conversations', 'can_view_descendant_conversations', 'can_view_all_conversations'],
  about: 'conversations',
} as const;
const whole = (max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .refine((value) => Number(value) <= max)
    .meta({ max });

/** A conversation as it is begun: to whom, about what, and the first message. */
export const newConversation = z
  .strictObject({
    title: requiredText(100),
    recipients: refs('users', 1).refine((ids) => ids.length <= mostRecipients, rule('at_most', { max: mostRecipients })),
    client_id: z.uuid(),
    ...said,
  })
  .refine(saysSomething, nothingSaid);
export const newMessage = z.strictObject({ client_id: z.uuid(), ...said }).refine(saysSomething, nothingSaid);

/** What people write to each other (COMM-05). */
export const conversationCalls = {
  conversations: call({
    method: 'GET',
    path: '/conversations',
    access: view,
    summary: 'Conversations, the latest first: own ones, or all that the user may read',
    query: z.strictObject({ of: z.enum(['own', 'all']).default('own'), offset: whole(1_000_000).default('0'), limit: whole(100).default('30') }),
    answer: z.strictObject({ items: z.array(conversation), total: z.int(), unread: z.int() }),
  }),
  conversationRecipients: call({
    method: 'GET',
    path: '/conversations/recipients',
    access: { codes: ['can_create_conversations'], about: 'conversations' },
    summary: 'Users to whom the user may write: found by name, of a group, or of the front desk',
    query: z.strictObject({ search: z.string().max(100).optional(), group: z.uuid().optional(), desk: z.enum(['yes']).optional() }),
    answer: z.array(recipient),
  }),
  conversation: call({ method: 'GET', path: '/conversations/{id}', access: view, summary: 'One conversation', params: byId, answer: conversation }),
  createConversation: call({
    method: 'PUT',
    path: '/conversations',
    access: { codes: ['can_create_conversations'], about: 'conversations' },
    summary: 'Begin a conversation; sending it again with the same client_id does not begin another',
    body: newConversation,
    answer: z.uuid(),
  }),
  messages: call({
    method: 'GET',
    path: '/conversations/{id}/messages',
    access: view,
    summary: 'Messages in order: the last ones, those before a number, or those after one',
    params: byId,
    query: z.strictObject({ before: whole(999_999_999).optional(), after: whole(999_999_999).optional() }),
    answer: z.strictObject({ items: z.array(message), more: z.boolean() }),
  }),
  sendMessage: call({
    method: 'PUT',
    path: '/conversations/{id}/messages',
    access: { codes: ['can_create_conversation_messages'], about: 'conversations' },
    summary: 'Send a message; sending it again with the same client_id does not add another',
    params: byId,
    body: newMessage,
    answer: message,
  }),
  uploadMessagePicture: call({
    method: 'POST',
    path: '/conversations/pictures',
    access: { codes: ['can_create_conversation_messages', 'can_create_conversations'], about: 'conversations' },
    summary: 'Upload a picture for a message; one that no message has is removed after a day',
    files: ['image'],
    answer: textPicture,
  }),
  readMessages: call({
    method: 'POST',
    path: '/conversations/{id}/read',
    access: view,
    summary: 'Mark the messages up to a number as read',
    params: byId,
    body: z.strictObject({ seq: z.int().min(0).max(999_999_999) }),
  }),
  deleteConversation: call({
    method: 'DELETE',
    path: '/conversations/{id}',
    access: { codes: ['can_delete_conversations'], about: 'conversations' },
    summary: 'Delete a conversation for all participants',
    params: byId,
  }),
} as const;
