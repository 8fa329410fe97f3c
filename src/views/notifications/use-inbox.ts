import { useSelector } from '@xstate/react';
import type { UnreadNotifications } from '#models/notifications.ts';
import { useNotifications } from '../system.ts';

/** What bell, menu and stack show; null until it was read for the first time. */
export const useInbox = (): UnreadNotifications | null => useSelector(useNotifications(), (snapshot) => snapshot?.context.inbox ?? null);

/** Grows whenever the notifications were read anew. */
export const useReadings = (): number => useSelector(useNotifications(), (snapshot) => snapshot?.context.readings ?? 0);
