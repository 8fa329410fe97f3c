import type { Mark } from '#machines/notifications/notifications.setup.ts';
import type { UnreadNotifications } from '#models/notifications.ts';
import type { Http } from './http.ts';

/** What the notifications ask of the server. */
export function openNotices(http: Http, now: () => number) {
  return {
    readInbox: (signal: AbortSignal): Promise<UnreadNotifications> =>
      http.data<UnreadNotifications>({ method: 'GET', path: '/notifications/unread', signal }),
    async markRead(mark: Mark): Promise<{ at: string }> {
      await http.send({ method: 'POST', path: '/notifications/read', body: mark });
      return { at: new Date(now()).toISOString() };
    },
  };
}
