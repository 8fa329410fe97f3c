import type { OutsideCommand } from '#machines/notifications/notifications.setup.ts';
import type { Notification as Notice } from '#models/notifications.ts';
import { standForLeader } from './leader.ts';

interface Deps {
  /** The browser's notifications; undefined where it has none. */
  notifications:
    | (Pick<typeof Notification, 'permission'> & (new (title: string, options?: NotificationOptions) => Pick<Notification, 'onclick' | 'close'>))
    | undefined;
  locks: LockManager | undefined;
  words: (notice: Notice) => { title: string; body: string };
  /** Brings this page to the front. */
  focus: () => void;
}

const mostAtOnce = 3;

/** Notifications of the desktop; of several tabs of one person the leader shows them. Without permission nothing is shown. */
export function openOutside({ notifications, locks, words, focus }: Deps, person: string) {
  const leader = standForLeader(locks, `doorward-outside-${person}`);
  const show = (notice: Notice): void => {
    if (!notifications || notifications.permission !== 'granted') return;
    const { title, body } = words(notice);
    try {
      const shown = new notifications(title, { body, tag: notice.id, icon: '/icon.svg' });
      shown.onclick = () => {
        focus();
        shown.close();
      };
    } catch {
      // Some browsers of phones have the word but show nothing; the page shows it all the same.
    }
  };
  return {
    send: ({ news }: OutsideCommand): void => {
      // A page that has just opened does not know yet.
      void leader.decided.then(() => {
        if (leader.leads()) news.slice(0, mostAtOnce).forEach(show);
      });
    },
    close: leader.resign,
  };
}
