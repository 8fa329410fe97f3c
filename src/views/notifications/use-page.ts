import { useEffect, useRef, useState } from 'react';
import { constants } from '#models/constants.ts';
import type { Notification, NotificationFilter } from '#models/notifications.ts';
import { useRequest } from '../area/use-request.ts';
import { useNotifications } from '../system.ts';
import { useReadings } from './use-inbox.ts';

const size = constants.notificationsPageSize;

/** One page of notifications, read anew whenever something was received or read; what is marked here counts as read at once. */
export function useNoticePage(type: NotificationFilter, page: number) {
  const actor = useNotifications();
  const readings = useReadings();
  const [marked, setMarked] = useState<ReadonlySet<string> | 'all'>(new Set());
  const request = useRequest('notifications', { done: () => setMarked(new Set()) });
  const { run, running, answer, problem } = request;
  const asked = useRef<number>(null);
  const load = (): void => run({ query: { type, offset: String((page - 1) * size), limit: String(size) } });
  useEffect(() => {
    if (running || asked.current === readings) return;
    asked.current = readings;
    load();
  });
  const isRead = ({ id, read_at }: Notification): boolean => read_at !== null || marked === 'all' || marked.has(id);
  return {
    answer,
    problem,
    load,
    isRead,
    unread: marked === 'all' ? 0 : (answer?.unread ?? 0) - marked.size,
    read: (id: string): void => {
      setMarked(marked === 'all' ? marked : new Set([...marked, id]));
      actor?.send({ type: 'notices.mark', mark: { items: [id] } });
    },
    readAll: (): void => {
      setMarked('all');
      actor?.send({ type: 'notices.mark', mark: { all: true, type } });
    },
  };
}
