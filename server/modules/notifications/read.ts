import { and, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { constants, notificationClasses } from '#models/constants.ts';
import {
  alarmTypes,
  type AllNotificationSettings,
  choicesFor,
  lookOf,
  type Notification,
  type NotificationFilter,
  type NotificationType,
  type notificationsPage,
  type UnreadNotifications,
} from '#models/notifications.ts';
import { hiddenName } from '#models/hidden-name.ts';
import { idArray } from '#server/access/measures.ts';
import { known, scopeOf } from '#server/access/scope.ts';
import { pathTo } from '#server/crud/group-path.ts';
import type { Principal } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { calls, devices, notifications, users } from '#server/db/schema/index.ts';
import { callNames } from '../calls/names.ts';

type Row = typeof notifications.$inferSelect;
type Settings = Readonly<Record<string, unknown>>;

/** What a person chose otherwise than the classes do by themselves. */
export async function storedSettings(db: Db, userId: string): Promise<Settings> {
  const [user] = await db.select({ settings: users.notificationSettings }).from(users).where(eq(users.id, userId));
  return user?.settings ?? {};
}

/** How a person is told of each class. */
export const allSettings = (stored: Settings): AllNotificationSettings => ({
  acs: Object.fromEntries(notificationClasses.map((type) => [type, choicesFor(stored, type)])) as AllNotificationSettings['acs'],
});

/** A stored notification as its reader has it. */
function shown(row: Row, stored: Settings): Notification {
  const { id, type, data, significance } = row;
  const { icon, color, popup_action, sound } = lookOf(type, data);
  const { sound: loud, popup, desktop } = choicesFor(stored, type);
  return {
    id,
    type,
    data,
    created_at: row.createdAt.toISOString(),
    read_at: row.readAt?.toISOString() ?? null,
    significance,
    icon,
    color,
    popup_action,
    popup,
    sound: loud ? sound : null,
    desktop,
  };
}

/** The notifications that a filter stands for; undefined is all. */
export function ofType(filter: NotificationFilter): SQL | undefined {
  if (filter === 'all') return undefined;
  if (filter === 'alarm') return inArray(notifications.type, [...alarmTypes]);
  if (filter === 'important') return eq(notifications.significance, 'important');
  return eq(notifications.type, filter satisfies NotificationType);
}

const own = (userId: string): SQL => eq(notifications.userId, userId);
const unread = isNull(notifications.readAt);
const newestFirst = [desc(notifications.createdAt), desc(notifications.id)];

async function counts(db: Db, userId: string, filter: NotificationFilter = 'all') {
  const [row] = await db
    .select({
      total: sql<number>`count(*)::int`,
      unread: sql<number>`(count(*) filter (where ${unread}))::int`,
      important: sql<number>`(count(*) filter (where ${unread} and ${notifications.significance} = 'important'))::int`,
    })
    .from(notifications)
    .where(and(own(userId), ofType(filter)));
  return row ?? { total: 0, unread: 0, important: 0 };
}

/** Rows as their reader may know them: another person they do not know goes without their name. */
async function addNames(db: Db, principal: Principal, rows: Row[]): Promise<Row[]> {
  const ids = rows.flatMap(({ data }) => data.user?.id ?? []);
  const isKnown = known(scopeOf(principal), sql`asked.id`);
  if (ids.length === 0 || !isKnown) return rows;
  const found = await db.execute<{ id: string }>(sql`select asked.id::text as id from unnest(${idArray(ids)}) asked(id) where ${isKnown}`);
  const notified = new Set(found.rows.map(({ id }) => id));
  return rows.map((row) => {
    const { user } = row.data;
    return !user || notified.has(user.id) ? row : { ...row, data: { ...row.data, user: { ...user, name: hiddenName[principal.locale] } } };
  });
}

/** So many names tell where a group is. */
const steps = 3;

/** Rows with who called, as their reader may know them: by name, number and where they are, or by number. */
async function notifyCallers(db: Db, principal: Principal, rows: Row[]): Promise<Row[]> {
  const ids = rows.flatMap(({ data }) => data.call?.id ?? []);
  if (ids.length === 0) return rows;
  const scope = scopeOf(principal);
  const found = await db
    // Nested, so that the columns of the call keep the name of their table.
    .select({
      id: calls.id,
      name: sql<string | null>`${callNames(scope).caller}`,
      path: sql<string[] | null>`${pathTo(scope, calls.callerDomainId)}`,
    })
    .from(calls)
    .where(inArray(calls.id, ids));
  const callers = new Map(found.map(({ id, name, path }) => [id, { name, path }]));
  return rows.map((row) => {
    const { call } = row.data;
    if (!call) return row;
    const caller = callers.get(call.id);
    const place = caller?.name ? (caller.path ?? []).slice(-steps) : [];
    return { ...row, data: { ...row.data, title: [caller?.name, call.number, ...place].filter(Boolean).join(' · ') } };
  });
}

/** Rows with the way down to where their device hangs: of several buildings one wants to know which. Where it has moved since, the group of then stays. */
async function addPlaces(db: Db, principal: Principal, rows: Row[]): Promise<Row[]> {
  const ids = rows.flatMap(({ data }) => (data.group === undefined ? [] : (data.device?.id ?? [])));
  if (ids.length === 0) return rows;
  const found = await db
    .select({ id: devices.id, path: sql<string[]>`${pathTo(scopeOf(principal), devices.domainId)}` })
    .from(devices)
    .where(sql`${devices.id} = any(${idArray(ids)})`);
  const paths = new Map(found.map(({ id, path }) => [id, path]));
  return rows.map((row) => {
    const path = paths.get(row.data.device?.id ?? '');
    return path?.at(-1) === row.data.group && path ? { ...row, data: { ...row.data, group: path.slice(-steps).join(' · ') } } : row;
  });
}

/** Rows as their reader has them: with the names that they may know. */
const notifyAll = async (db: Db, principal: Principal, rows: Row[]): Promise<Row[]> =>
  notifyCallers(db, principal, await addPlaces(db, principal, await addNames(db, principal, rows)));

/** Somebody's notifications of a type, newest first. */
export async function readNotifications(
  db: Db,
  principal: Principal,
  asked: { type: NotificationFilter; offset: number; limit: number },
): Promise<z.infer<typeof notificationsPage>> {
  const userId = principal.id;
  const stored = await storedSettings(db, userId);
  const rows = await db
    .select()
    .from(notifications)
    .where(and(own(userId), ofType(asked.type)))
    .orderBy(...newestFirst)
    .offset(asked.offset)
    .limit(asked.limit);
  const { total, unread: count } = await counts(db, userId, asked.type);
  return { items: (await notifyAll(db, principal, rows)).map((row) => shown(row, stored)), total, unread: count };
}

/** What somebody's bell, menu and stack show. */
export async function readUnread(db: Db, principal: Principal): Promise<UnreadNotifications> {
  const userId = principal.id;
  const stored = await storedSettings(db, userId);
  const first = async (condition: SQL | undefined, limit: number) => {
    const rows = await db
      .select()
      .from(notifications)
      .where(and(own(userId), condition))
      .orderBy(...newestFirst)
      .limit(limit);
    return notifyAll(db, principal, rows);
  };
  const latest = await first(undefined, constants.notificationMenuSize);
  const important = await first(and(unread, ofType('important')), constants.importantStackSize);
  const count = await counts(db, userId);
  return {
    unread: count.unread,
    total: count.total,
    latest: latest.map((row) => shown(row, stored)),
    important: important.map((row) => shown(row, stored)),
    important_unread: count.important,
  };
}
