import { z } from 'zod';
import { call } from './define-call.ts';

/** What there is to subscribe to: one's own reservations, or those of an amenity. */
const about = z.strictObject({ amenity: z.uuid().nullable() });
export const calendarFeed = z.strictObject({
  created_at: z.iso.datetime(),
  /** When a calendar last asked for it; null is never. */
  read_at: z.iso.datetime().nullable(),
});
export type CalendarFeed = z.infer<typeof calendarFeed>;

const may = { access: { area: 'amenity-reservations', verb: 'view' }, feature: 'amenity' } as const;
const path = '/calendar-feeds';

/** Reservations in the calendars of phones and computers, by secret addresses. */
export const calendarFeedCalls = {
  calendarFeed: call({
    method: 'GET',
    path,
    ...may,
    summary: 'Whether the user has a calendar feed of their own reservations, or of those of an amenity',
    query: z.strictObject({ amenity: z.uuid() }).partial(),
    answer: z.strictObject({ feed: calendarFeed.nullable() }),
  }),
  renewCalendarFeed: call({
    method: 'POST',
    path,
    ...may,
    summary: 'Create the address of a calendar feed; an earlier one stops working. The address is returned only once',
    body: about,
    answer: z.strictObject({ feed: calendarFeed, secret_url: z.url() }),
  }),
  revokeCalendarFeed: call({
    method: 'DELETE',
    path,
    ...may,
    summary: 'Revoke the address of a calendar feed',
    query: z.strictObject({ amenity: z.uuid() }).partial(),
  }),
  calendar: call({
    method: 'GET',
    path: '/calendar/{key}',
    access: 'anyone',
    download: true,
    success: [200, 304],
    summary: 'Reservations as iCalendar (RFC 5545), by the secret address of a feed',
    params: z.strictObject({ key: z.string().regex(/^[\w-]{43}\.ics$/) }),
  }),
} as const;
