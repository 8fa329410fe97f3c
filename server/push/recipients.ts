import { and, eq, gt, inArray, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import { isTooWeak, mustEnrol, principalOf } from '../access/principal.ts';
import type { Services } from '../context.ts';
import {
  calls,
  emergencyAlertRecipients,
  emergencyAlerts,
  mobileClients,
  notifications,
  projectSettings,
  pushSubscriptions,
  roles,
  sessions,
  users,
} from '../db/schema/index.ts';
import { deskCalls, ownNumbers } from '../modules/calls/scope.ts';
import type { PushKind } from './texts.ts';

/** One browser that is to be reached. */
export interface Recipient {
  sessionId: string;
  endpoint: string;
  p256dh: string;
  auth: string;
  locale: 'en' | 'ru';
}
/** One mobile app that is to be reached, through its project's push server. */
export interface AppRecipient {
  id: string;
  projectId: string;
  clientId: string;
  platform: string;
  vendorId: string;
  locale: 'en' | 'ru';
}
export interface Push {
  /** Nothing is sent twice to the same browser. */
  key: string;
  /** What is shown of the same tag before, it takes the place of; the key, where nothing else is said. */
  tag?: string;
  /** Only for browsers that were sent the push of this key. */
  after?: string;
  kind: PushKind;
  /** What it says instead of the words of its kind. */
  says?: { title: string; body: string };
  recipients: Recipient[];
  apps: AppRecipient[];
}
/** More browsers than the desks of a project have. */
const mostAtDesks = 1_000;
/** And more than all who live there have. */
const mostAtHome = 20_000;

const spoken = sql<'en' | 'ru'>`case when ${users.locale} = 'ru' then 'ru' else 'en' end`;

/** The session goes on, and is held up by no missing second factor. */
const isLive = ({ now }: Services): SQL | undefined =>
  and(gt(sessions.refreshExpiresAt, now()), sql`not ${mustEnrol('users', 'roles')}`, sql`not ${isTooWeak('sessions', 'users', 'roles')}`);

/** Apps of people who are still signed in to them, and whose project has a push server. */
function apps(services: Services, whose: SQL | undefined, most = mostAtDesks) {
  const hasServer = sql`exists (select 1 from ${projectSettings} where ${projectSettings.projectId} = ${users.projectId}
    and ${projectSettings.block} = 'push_server' and ${projectSettings.value}->>'enabled' = 'true')`;
  return services.db
    .select({
      id: mobileClients.id,
      projectId: users.projectId,
      clientId: mobileClients.clientId,
      platform: mobileClients.platform,
      vendorId: mobileClients.vendorId,
      userId: users.id,
      locale: spoken,
    })
    .from(mobileClients)
    .innerJoin(sessions, eq(sessions.id, mobileClients.sessionId))
    .innerJoin(users, eq(users.id, mobileClients.userId))
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(and(whose, hasServer, isLive(services)))
    .limit(most);
}

/** Subscriptions of people who are still signed in there. */
function subscriptions(services: Services, whose: SQL | undefined, most = mostAtDesks) {
  return services.db
    .select({
      sessionId: pushSubscriptions.sessionId,
      endpoint: pushSubscriptions.endpoint,
      p256dh: pushSubscriptions.p256dh,
      auth: pushSubscriptions.auth,
      userId: users.id,
      locale: spoken,
    })
    .from(pushSubscriptions)
    .innerJoin(sessions, eq(sessions.id, pushSubscriptions.sessionId))
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(and(whose, isLive(services)))
    .limit(most);
}

const nowhere = { ip: '', userAgent: null };

/** Whom a call of the desk reaches: those who have it in sight this moment, or are called themselves; never who calls. */
export async function pushOfCall(services: Services, projectId: string, id: string): Promise<Push | null> {
  const { db } = services;
  const [call] = await db
    .select({ sos: calls.sos, callerUserId: calls.callerUserId })
    .from(calls)
    .where(and(eq(calls.id, id), ne(calls.status, 'destroyed'), isNull(calls.answeredBy)));
  if (!call) return null;
  const others = and(eq(users.projectId, projectId), call.callerUserId ? ne(users.id, call.callerUserId) : undefined);
  const [found, foundApps] = [await subscriptions(services, others), await apps(services, others)];
  const people = new Set<string>();
  for (const userId of new Set([...found, ...foundApps].map((one) => one.userId))) {
    const principal = await principalOf(services, userId, nowhere);
    if (!principal) continue;
    const numbers = await ownNumbers(services, principal);
    const own = numbers.length > 0 ? inArray(calls.calleeNumber, numbers) : undefined;
    const [seen] = await db
      .select({ id: calls.id })
      .from(calls)
      .where(and(eq(calls.id, id), or(own, deskCalls(principal))));
    if (seen) people.add(userId);
  }
  const isMeant = ({ userId }: { userId: string }): boolean => people.has(userId);
  return { key: `call-${id}`, kind: call.sos ? 'sos' : 'call', recipients: found.filter(isMeant), apps: foundApps.filter(isMeant) };
}

/** Whom a notification reaches: its reader, where it is of an alarm that was raised. */
export async function pushOfNotification(services: Services, id: string): Promise<Push | null> {
  const [notice] = await services.db
    .select({ userId: notifications.userId })
    .from(notifications)
    .where(and(eq(notifications.id, id), eq(notifications.type, 'alarm_enabled'), isNull(notifications.readAt)));
  if (!notice) return null;
  const reader = eq(users.id, notice.userId);
  return { key: id, kind: 'alarm', recipients: await subscriptions(services, reader), apps: await apps(services, reader) };
}

/**
 * Whom an emergency alert reaches: all it goes to, in its own words, who have not said that they are safe. Unlike a call it is no secret, and whoever
 * reads it on a locked screen may have no time to unlock it. Once it is over, those who were told of it are told so.
 */
export async function pushOfEmergency(services: Services, id: string): Promise<Push | null> {
  const [alert] = await services.db
    .select({
      name: emergencyAlerts.name,
      message: emergencyAlerts.message,
      status: emergencyAlerts.status,
      isDrill: emergencyAlerts.isDrill,
      at: emergencyAlerts.startedAt,
    })
    .from(emergencyAlerts)
    .where(eq(emergencyAlerts.id, id));
  if (!alert?.at) return null;
  const { name, message, status, isDrill, at } = alert;
  const isOver = status !== 'started';
  const { userId, alertId, safeAt } = emergencyAlertRecipients;
  const meant = sql`${users.id} in (select ${userId} from ${emergencyAlertRecipients}
    where ${alertId} = ${id}${isOver ? sql`` : sql` and ${safeAt} is null`})`;
  const tag = `emergency-${id}-${at.getTime()}`;
  return {
    key: isOver ? `${tag}-over` : tag,
    tag,
    ...(isOver && { after: tag }),
    kind: isOver ? 'over' : isDrill ? 'drill' : 'emergency',
    says: { title: name, body: isOver ? '' : message },
    recipients: await subscriptions(services, meant, mostAtHome),
    apps: await apps(services, meant, mostAtHome),
  };
}
