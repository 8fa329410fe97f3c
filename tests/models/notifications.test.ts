import { expect, it } from 'vitest';
import { isNotificationFilter, notificationFilters } from '#models/notifications.ts';

it('only the known filters of notifications are taken for one', () => {
  expect(notificationFilters.every(isNotificationFilter)).toBe(true);
  expect(['', 'Alarm', 'everything', 1, null, undefined].some(isNotificationFilter)).toBe(false);
});
