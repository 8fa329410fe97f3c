// Keeps in order: the conversations of the person: the list with what is unread, those that are open, and messages not yet sent, over a lost connection and a reload.
// Spawned by: console, for as long as somebody is signed in who may read conversations.
// Asks (ports): readList, recallUnsent, sendMessage; saveOutgoing, forgetOutgoing, saveDraft.
// Tells (facts): nothing; the menu and the pages read what there is.
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import type { ConversationActor } from './conversation.machine.ts';
import { type ConversationsContext, conversationsSetup, listPage } from './conversations.setup.ts';
import { draftIn, nextOf, type Outgoing } from './outgoing.ts';
import { timedOut } from '../port.ts';

const changedIn = (events: readonly { name: string; payload: object }[]): readonly string[] =>
  events.flatMap(({ name, payload }) => (name === 'ConversationChanged' && 'id' in payload ? [String(payload.id)] : []));
/** A message as it waits, from the event that wrote it. */
const outgoingOf = ({ client_id, conversation, text, pictures, at }: Omit<Outgoing, 'problem'>): Outgoing => ({
  client_id,
  conversation,
  text,
  pictures,
  at,
  problem: null,
});
/** The draft as it is once the event has changed it. */
const draftNow = ({ context, event: { conversation } }: { context: ConversationsContext; event: { conversation: string } }) => ({
  conversation,
  draft: draftIn(context, conversation),
});
const nobody: Outgoing = { client_id: '', conversation: '', text: '', pictures: [], at: 0, problem: null };

/** What a person writes and reads. */
export const conversationsMachine = conversationsSetup.createMachine({
  id: 'conversations',
  type: 'parallel',
  context: { asked: { of: 'own', limit: listPage }, list: { items: [], total: 0, unread: 0 }, problem: null, open: [], outgoing: [], drafts: {} },
  on: {
    'conversation.open': { actions: { type: 'openOne', params: ({ event }) => event } },
    'conversation.close': { actions: { type: 'closeOne', params: ({ event }) => event } },
    'draft.change': {
      actions: [
        { type: 'rememberDraft', params: ({ event }) => event },
        { type: 'saveDraft', params: draftNow },
      ],
    },
    'picture.attach': {
      actions: [
        { type: 'attach', params: ({ event }) => event },
        { type: 'saveDraft', params: draftNow },
      ],
    },
    'picture.detach': {
      actions: [
        { type: 'detach', params: ({ event }) => event },
        { type: 'saveDraft', params: draftNow },
      ],
    },
    'message.send': {
      actions: [
        { type: 'queue', params: ({ event }) => outgoingOf(event) },
        { type: 'saveOutgoing', params: ({ event }) => outgoingOf(event) },
        { type: 'saveDraft', params: draftNow },
      ],
    },
    'message.retry': { actions: { type: 'unmark', params: ({ event }) => event } },
    'message.discard': {
      actions: [
        { type: 'drop', params: ({ event }) => event },
        { type: 'forgetOutgoing', params: ({ event }) => event },
      ],
    },
  },
  states: {
    list: {
      initial: 'reading',
      on: {
        'realtime.events': { target: '.reading', actions: { type: 'notifyOpen', params: ({ event }) => ({ ids: changedIn(event.events) }) } },
        'realtime.resynced': { target: '.reading', actions: { type: 'notifyOpen', params: { ids: 'all' } } },
        'list.show': { target: '.reading', actions: { type: 'ask', params: ({ event }) => event } },
        'list.more': { target: '.reading', actions: 'askMore' },
        'list.reread': { target: '.reading' },
      },
      states: {
        reading: {
          tags: 'reading',
          invoke: {
            id: 'readList',
            src: 'readList',
            input: ({ context }) => context.asked,
            onDone: { target: 'known', actions: { type: 'rememberList', params: ({ event }) => ({ list: event.output }) } },
            onError: { target: 'failed', actions: { type: 'rememberProblem', params: ({ event }) => event } },
          },
          after: { answerTimeout: { target: 'failed', actions: { type: 'rememberProblem', params: { error: timedOut } } } },
        },
        known: { tags: 'known' },
        failed: { tags: 'failed' },
      },
    },
    sending: {
      initial: 'recalling',
      states: {
        recalling: {
          invoke: {
            id: 'recallUnsent',
            src: 'recallUnsent',
            onDone: { target: 'resting', actions: { type: 'recall', params: ({ event }) => event.output } },
            onError: { target: 'resting' },
          },
          after: { answerTimeout: 'resting' },
        },
        resting: { always: { guard: 'hasNext', target: 'sending' } },
        sending: {
          invoke: {
            id: 'sendMessage',
            src: 'sendMessage',
            input: ({ context }) => nextOf(context.outgoing) ?? nobody,
            onDone: {
              target: 'resting',
              actions: [
                { type: 'hand', params: ({ event }) => ({ message: event.output }) },
                { type: 'forgetOutgoing', params: ({ event }) => event.output },
              ],
            },
            onError: [
              { guard: { type: 'isPassing', params: ({ event }) => event }, target: 'pausing' },
              {
                target: 'resting',
                actions: { type: 'mark', params: ({ context, event }) => ({ client_id: nextOf(context.outgoing)?.client_id, error: event.error }) },
              },
            ],
          },
          after: { answerTimeout: 'pausing' },
        },
        /** The connection is gone: as soon as the channel stands again, or after a while, it is tried once more. */
        pausing: { on: { 'realtime.resynced': { target: 'resting' }, 'message.retry': { target: 'resting' } }, after: { retryPause: 'resting' } },
      },
    },
  },
});
export type ConversationsActor = ActorRefFrom<typeof conversationsMachine>;

/** The conversation of that id, if it is open. */
export const conversationOf = ({ children }: SnapshotFrom<typeof conversationsMachine>, id: string): ConversationActor | undefined =>
  children[`conversation:${id}`] as ConversationActor | undefined;
