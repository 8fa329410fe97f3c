// Keeps in order: what one is told of: when it is read from the server, what is new in it, when it counts as read.
// Spawned by: console, as systemId notifications.
// Asks (ports): readInbox, markRead, outside (lasting).
// Tells (facts): sound.play, alarm.notified, inbox.read; passes requests for alerts up.
import type { ActorRefFrom } from 'xstate';
import type { UnreadNotifications } from '#models/notifications.ts';
import { factsOf, failureOf, newIn, type NotificationsContext, notificationsSetup } from './notifications.setup.ts';
import { timedOut } from '../port.ts';

type Read = { context: NotificationsContext; event: { output: UnreadNotifications } };
/** Keeps what was read, and lets what is new in it be noticed. */
const takeInbox = [
  { type: 'notify', params: ({ context, event }: Read) => ({ facts: factsOf(newIn(context.inbox, event.output)) }) },
  { type: 'showOutside', params: ({ context, event }: Read) => ({ news: newIn(context.inbox, event.output).filter(({ desktop }) => desktop) }) },
  { type: 'storeInbox', params: ({ event }: Read) => ({ inbox: event.output }) },
  { type: 'notify', params: ({ event }: Read) => ({ facts: [{ type: 'inbox.read', inbox: event.output } as const] }) },
] as const;

/** The notifications of the signed-in person. Whatever comes in is fetched once a second, not once each. */
export const notificationsMachine = notificationsSetup.createMachine({
  id: 'notifications',
  context: ({ input }) => ({ person: input.person, inbox: input.inbox, readings: 0, marks: [] }),
  type: 'parallel',
  // Where nothing can be shown outside of the page, it is shown in it all the same.
  invoke: { id: 'outside', src: 'outside', input: ({ context }) => ({ person: context.person }), onError: { actions: [] } },
  states: {
    inbox: {
      initial: 'reading',
      on: { 'realtime.resynced': { target: '.reading' } },
      states: {
        current: { on: { 'realtime.events': { target: 'due' } } },
        due: { after: { unreadDebounce: 'reading' } },
        reading: {
          initial: 'onTime',
          invoke: {
            id: 'readInbox',
            src: 'readInbox',
            onDone: [
              { guard: 'isOutdated', target: 'due', actions: takeInbox },
              { target: 'current', actions: takeInbox },
            ],
            onError: { target: 'unreachable' },
          },
          after: { answerTimeout: 'unreachable' },
          states: {
            onTime: { on: { 'realtime.events': { target: 'outdated' } } },
            outdated: {},
          },
        },
        unreachable: { after: { retryPause: 'reading' } },
      },
    },
    menu: {
      initial: 'closed',
      states: {
        closed: { on: { 'menu.open': { target: 'open' } } },
        open: {
          tags: 'open',
          initial: 'resting',
          on: { 'menu.close': { target: 'closed' } },
          states: {
            resting: { always: { guard: 'hasUnreadShown', target: 'waiting' } },
            /** What a mark under way has made read meanwhile is not sent again. */
            waiting: { after: { markReadDelay: [{ guard: 'hasUnreadShown', target: 'marked', actions: 'queueShown' }, { target: 'marked' }] } },
            /** Until something new is shown: a mark that failed is not sent over and over. */
            marked: { on: { 'realtime.events': { target: 'resting' } } },
          },
        },
      },
    },
    marks: {
      initial: 'idle',
      on: { 'notices.mark': { actions: { type: 'queueMark', params: ({ event }) => event } } },
      states: {
        idle: { always: { guard: 'hasMarks', target: 'sending' } },
        sending: {
          invoke: {
            id: 'markRead',
            src: 'markRead',
            input: ({ context }) => context.marks[0] ?? { items: [] },
            onDone: { target: 'idle', actions: [{ type: 'applyMark', params: ({ event }) => event.output }, 'dropMark'] },
            onError: { target: 'idle', actions: [{ type: 'notify', params: ({ event }) => failureOf(event.error) }, 'dropMark'] },
          },
          after: { answerTimeout: { target: 'idle', actions: [{ type: 'notify', params: failureOf(timedOut) }, 'dropMark'] } },
        },
      },
    },
  },
});
export type NotificationsActor = ActorRefFrom<typeof notificationsMachine>;
