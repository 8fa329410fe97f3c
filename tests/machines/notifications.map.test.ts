import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { notificationsMachine } from '#machines/notifications/notifications.machine.ts';
import type { NotificationsContext } from '#machines/notifications/notifications.setup.ts';
import { topics } from '#models/realtime.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { anna, uuid } from '#tests/support/people.ts';
import { inboxOf, notice } from '#tests/support/watch.ts';

const samples = {
  'realtime.events': {
    type: 'realtime.events',
    events: [{ topic: topics.user(anna.id), name: 'NotificationReceived', payload: { id: uuid(1) } }],
  },
  'realtime.resynced': { type: 'realtime.resynced', topics: [topics.user(anna.id)] },
  'menu.open': { type: 'menu.open' },
  'menu.close': { type: 'menu.close' },
  'notices.mark': { type: 'notices.mark', mark: { all: true, type: 'all' } },
} satisfies Samples<EventFromLogic<typeof notificationsMachine>>;

const read = notice(1, 'announce_received', { read_at: '2026-01-01T00:00:30.000Z' });

describe('the notifications', () => {
  mapTests(notificationsMachine, {
    inputs: [{ person: anna.id, inbox: null }],
    samples,
    answers: {
      outside: [],
      readInbox: [
        inboxOf(read),
        inboxOf(notice(2), read),
        inboxOf(notice(3, 'alarm_enabled', { data: { alarm: { id: uuid(101), sensor: 'smoke' } } }), read),
      ],
      markRead: [{ at: '2026-01-01T00:01:00.000Z' }],
    },
    words: ({ context }) => {
      const { inbox, marks } = context as NotificationsContext;
      const unread = inbox?.latest.some(({ read_at }) => read_at === null);
      return [inbox ? (unread ? '[unread]' : '[all read]') : '[nothing known]', marks.length > 0 ? '[to mark]' : ''].filter(Boolean).join(' ');
    },
  });
});
