import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import { originOf } from '#server/access/principal.ts';
import type { Services } from '#server/context.ts';
import { serve, serveToAnyone } from '#server/serve.ts';
import { calendarOf } from './calendar.ts';
import { feedOf, markRead, openFeed, renewFeed, revokeFeed } from './feeds.ts';

/** Reservations for the calendars of phones and computers. */
export function serveCalendarFeeds(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.calendarFeed, async ({ principal, query }) => ({ feed: await feedOf(services, principal, query['amenity'] ?? null) }));
  serve(app, services, calls.renewCalendarFeed, ({ principal, body }) => renewFeed(services, principal, body.amenity));
  serve(app, services, calls.revokeCalendarFeed, async ({ principal, query }) => {
    await revokeFeed(services, principal, query['amenity'] ?? null);
    return null;
  });
  serveToAnyone(app, services, calls.calendar, async ({ params, request, reply }) => {
    const open = await openFeed(services, params.key.replace(/\.ics$/, ''), originOf(request));
    await markRead(services, open.feed);
    const text = await calendarOf(services, open);
    const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
    void reply.headers({ etag, 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex, nofollow' });
    const known = request.headers['if-none-match']?.split(',').map((one) => one.trim().replace(/^W\//, ''));
    if (known?.includes(etag)) await reply.code(304).send();
    else await reply.type('text/calendar; charset=utf-8').send(text);
    return null;
  });
}
