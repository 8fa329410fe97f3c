import { inArray } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import { notificationsQuery } from '#models/notifications.ts';
import type { Services } from '#server/context.ts';
import { notifications } from '#server/db/schema/index.ts';
import { serve } from '#server/serve.ts';
import { changeOwnUser } from '../profile/change.ts';
import { markAsRead } from './notify.ts';
import { allSettings, storedSettings, ofType, readNotifications, readUnread } from './read.ts';

/** Somebody's own notifications: what is unread, pages by type, marking as read, and how to be told. */
export function serveNotifications(app: FastifyInstance, services: Services): void {
  const { db } = services;
  serve(app, services, calls.unreadNotifications, ({ principal }) => readUnread(db, principal));
  serve(app, services, calls.notifications, ({ principal, query }) => {
    const { type, offset, limit } = notificationsQuery.parse(query);
    return readNotifications(db, principal, { type, offset: Number(offset), limit: Number(limit) });
  });
  serve(app, services, calls.readNotifications, ({ principal, body }) =>
    db.transaction((tx) => markAsRead(tx, principal, 'all' in body ? ofType(body.type) : inArray(notifications.id, body.items), services.now())),
  );
  serve(app, services, calls.notificationSettings, async ({ principal }) => allSettings(await storedSettings(db, principal.id)));
  serve(app, services, calls.saveNotificationSettings, async ({ principal, body }) => {
    const settings = { ...(await storedSettings(db, principal.id)), ...body.acs };
    await changeOwnUser(services, principal, { notificationSettings: settings });
    return allSettings(settings);
  });
}
