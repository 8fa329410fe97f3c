import { assign, enqueueActions, sendTo, setup, stateIn } from 'xstate';
import { constants } from '#models/constants.ts';
import type { Notification, NotificationFilter, UnreadNotifications } from '#models/notifications.ts';
import type { RealtimeEvent } from '#models/realtime.ts';
import type { AlertsRequest } from '../alerts/alerts.machine.ts';
import { noticeTexts } from './notice-texts.ts';
import { answerTimeout, parentOf, unplugged, unpluggedLasting } from '../port.ts';
import type { SoundRequest } from '../sounds.machine.ts';
import { problemAlert } from '../alert-requests.ts';

/** What is to be marked as read: some, or all of a type. */
export type Mark = { items: readonly string[] } | { all: true; type: NotificationFilter };
export type NotificationsEvent =
  /** Something was received or read, here or elsewhere. */
  | { type: 'realtime.events'; events: readonly RealtimeEvent[] }
  /** Something may have been missed. */
  | { type: 'realtime.resynced'; topics: readonly string[] }
  | { type: 'menu.open' }
  | { type: 'menu.close' }
  | { type: 'notices.mark'; mark: Mark };
/** What is to be shown outside of the page. */
export type OutsideCommand = { type: 'outside.show'; news: readonly Notification[] };
export type NotificationsFact =
  | AlertsRequest
  | SoundRequest
  | { type: 'alarm.notified' }
  /** This is what one is told of by now: whoever reads on from here finds what came since. */
  | { type: 'inbox.read'; inbox: UnreadNotifications };

/** What it holds. */
export interface NotificationsContext {
  person: string;
  /** Null until it was read for the first time. */
  inbox: UnreadNotifications | null;
  /** Grows with every reading, for pages that follow. */
  readings: number;
  /** Marks on their way to the server, oldest first. */
  marks: readonly Mark[];
}

const mostAtOnce = 3;
const loudness = ['message', 'notice', 'warning'] as const;

/** The unread ones that came after what was known; none at first sight: what waited is no news. */
export function newIn(before: UnreadNotifications | null, { latest }: UnreadNotifications): Notification[] {
  if (!before) return [];
  const newest = before.latest[0]?.created_at ?? '';
  const known = new Set(before.latest.map(({ id }) => id));
  return latest.filter(({ id, read_at, created_at }) => read_at === null && created_at >= newest && !known.has(id));
}

const covers = (mark: Mark, { id, significance }: Notification): boolean =>
  'items' in mark ? mark.items.includes(id) : mark.type === 'all' || (mark.type === 'important' && significance === 'important');

/** The inbox once a mark has come through; counts beyond what is shown come with the next reading. */
export function marked(inbox: UnreadNotifications, mark: Mark, at: string): UnreadNotifications {
  const hit = (notice: Notification): boolean => notice.read_at === null && covers(mark, notice);
  const read = new Set([...inbox.latest, ...inbox.important].filter(hit).map(({ id }) => id));
  const important = inbox.important.filter(hit).length;
  const all = 'all' in mark;
  return {
    ...inbox,
    latest: inbox.latest.map((notice) => (hit(notice) ? { ...notice, read_at: at } : notice)),
    important: inbox.important.filter((notice) => !hit(notice)),
    unread: all && mark.type === 'all' ? 0 : inbox.unread - read.size,
    important_unread: all && (mark.type === 'all' || mark.type === 'important') ? 0 : inbox.important_unread - important,
  };
}

/** The unread ones that the menu shows. */
export const unreadShown = ({ inbox }: NotificationsContext): string[] =>
  (inbox?.latest ?? []).filter(({ read_at }) => read_at === null).map(({ id }) => id);

/** What a new notification does to be noticed: the important ones stand in the stack, of many there is one message. */
function notices(news: readonly Notification[]): AlertsRequest[] {
  const popups = news.filter(({ popup, significance }) => popup && significance === 'normal');
  if (popups.length > mostAtOnce)
    return [{ type: 'alert.show', alert: { kind: 'info', key: 'notifications.many', params: { count: popups.length } } }];
  return popups.map((notice) => ({ type: 'alert.show', alert: { kind: 'info', ...noticeTexts(notice).sentence } }));
}

/** The loudest of the sounds that are due: one for all. */
function soundOf(news: readonly Notification[]): SoundRequest[] {
  const sound = loudness.findLast((name) => news.some((notice) => notice.sound === name));
  return sound ? [{ type: 'sound.play', sound }] : [];
}

/** What the rest of the console hears of news. */
export const factsOf = (news: readonly Notification[]): NotificationsFact[] => [
  ...notices(news),
  ...soundOf(news),
  ...(news.some(({ data }) => data.alarm) ? [{ type: 'alarm.notified' } as const] : []),
];
/** What is told of a reading or marking that failed. */
export const failureOf = (error: unknown): { facts: NotificationsFact[] } => ({ facts: [problemAlert(error)] });

/** What the chart of the notifications is made of: its words, ports, actions, guards and delays. */
export const notificationsSetup = setup({
  types: {
    /** `inbox`: what was known already. */
    input: {} as { person: string; inbox: UnreadNotifications | null },
    context: {} as NotificationsContext,
    events: {} as NotificationsEvent,
    emitted: {} as NotificationsFact,
    tags: {} as 'open',
    children: {} as { outside: 'outside' },
  },
  actors: {
    readInbox: unplugged<UnreadNotifications>('readInbox'),
    /** Answers the moment from which they are read. */
    markRead: unplugged<{ at: string }, Mark>('markRead'),
    /** Shows notifications outside of the page, where the browser may; of several tabs of one person one does. */
    outside: unpluggedLasting<OutsideCommand, { person: string }>('outside'),
  },
  actions: {
    showOutside: sendTo('outside', (_, { news }: { news: readonly Notification[] }): OutsideCommand => ({ type: 'outside.show', news })),
    notify: enqueueActions(({ enqueue, self }, { facts }: { facts: readonly NotificationsFact[] }) => {
      const parent = parentOf(self);
      for (const fact of facts) {
        enqueue.emit(fact);
        if (parent) enqueue.sendTo(parent, fact);
      }
    }),
    storeInbox: assign({
      inbox: (_, { inbox }: { inbox: UnreadNotifications }) => inbox,
      readings: ({ context }) => context.readings + 1,
    }),
    queueMark: assign({ marks: ({ context }, { mark }: { mark: Mark }) => [...context.marks, mark] }),
    queueShown: assign({ marks: ({ context }) => [...context.marks, { items: unreadShown(context) }] }),
    applyMark: assign({
      inbox: ({ context }, { at }: { at: string }) => {
        const [mark] = context.marks;
        return context.inbox && mark ? marked(context.inbox, mark, at) : context.inbox;
      },
    }),
    dropMark: assign({ marks: ({ context }) => context.marks.slice(1) }),
  },
  guards: {
    hasUnreadShown: ({ context }) => unreadShown(context).length > 0,
    isOutdated: stateIn({ inbox: { reading: 'outdated' } }),
    hasMarks: ({ context }) => context.marks.length > 0,
  },
  delays: {
    unreadDebounce: constants.unreadDebounce,
    markReadDelay: constants.markReadDelay,
    retryPause: constants.realtimeRetry,
    answerTimeout,
  },
});
