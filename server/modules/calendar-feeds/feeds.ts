import { and, eq, isNull } from 'drizzle-orm';
import type { CalendarFeed } from '#models/calendar-feed-calls.ts';
import { scopesOf } from '#models/permissions.ts';
import { hashToken, makeToken, principalOf } from '#server/access/principal.ts';
import { scopeOf } from '#server/access/scope.ts';
import { audit } from '#server/audit.ts';
import { blocksOf } from '#server/blocks.ts';
import type { Principal, Services } from '#server/context.ts';
import { readRow } from '#server/crud/rows.ts';
import { auditRefused } from '#server/crud/trail.ts';
import { transact } from '#server/crud/write.ts';
import type { Db } from '#server/db/database.ts';
import { calendarFeeds } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { requireFeature } from '#server/licences/features.ts';
import type { Limiter } from '#server/limiter.ts';
import { linkBase } from '#server/settings/general.ts';
import { base } from '#server/serve.ts';
import { amenitiesRepository } from '../amenities/repository.ts';

export type Feed = typeof calendarFeeds.$inferSelect;

const mine = (principal: Principal, amenity: string | null) =>
  and(eq(calendarFeeds.userId, principal.id), amenity === null ? isNull(calendarFeeds.amenityId) : eq(calendarFeeds.amenityId, amenity));
const shown = ({ createdAt, readAt }: Feed): CalendarFeed => ({ created_at: createdAt.toISOString(), read_at: readAt?.toISOString() ?? null });

/** Whether somebody sees other people's reservations: they alone get those of an amenity. */
const seesOthers = (principal: Principal): boolean => scopesOf(principal, 'view', 'amenity-reservations').some((scope) => scope !== 'own');

/** The name of what a feed is about. @throws HttpError `amenity_not_found`, `forbidden` */
async function requireAmenity(db: Db, principal: Principal, amenity: string | null): Promise<string | null> {
  if (amenity === null) return null;
  const row = await readRow(db, amenitiesRepository, scopeOf(principal), amenity);
  if (!row) throw new HttpError('amenity_not_found');
  if (!seesOthers(principal)) throw new HttpError('forbidden');
  return String(row['name']);
}

/** One's own feed, if there is one. */
export async function feedOf(services: Services, principal: Principal, amenity: string | null): Promise<CalendarFeed | null> {
  await requireAmenity(services.db, principal, amenity);
  const [found] = await services.db.select().from(calendarFeeds).where(mine(principal, amenity));
  return found ? shown(found) : null;
}

/** Makes a feed or gives it another address; only the hash of its secret is kept. */
export async function renewFeed(
  services: Services,
  principal: Principal,
  amenity: string | null,
): Promise<{ feed: CalendarFeed; secret_url: string }> {
  const attempt = { area: 'amenity-reservations', verb: 'view' } as const;
  return auditRefused(services, principal, attempt, () =>
    transact(services, async (tx) => {
      const name = await requireAmenity(tx, principal, amenity);
      const at = services.now();
      const token = makeToken();
      const storedFeed = { tokenHash: hashToken(token), createdAt: at, readAt: null };
      const [feed] = await tx
        .insert(calendarFeeds)
        .values({ ...storedFeed, userId: principal.id, amenityId: amenity })
        .onConflictDoUpdate({ target: [calendarFeeds.userId, calendarFeeds.amenityId], set: storedFeed })
        .returning();
      if (!feed) throw new Error('the feed was not kept');
      await audit(tx, principal, { area: 'calendar-feeds', action: 'generate', entityId: feed.id, entityName: name ?? principal.name }, at);
      return { feed: shown(feed), secret_url: `${await linkBase(tx, services, principal.projectId)}${base}/calendar/${token}.ics` };
    }),
  );
}

/** Takes the address back, if there is one: calendars that have it are told that there is nothing. */
export async function revokeFeed(services: Services, principal: Principal, amenity: string | null): Promise<void> {
  await transact(services, async (tx) => {
    const [gone] = await tx.delete(calendarFeeds).where(mine(principal, amenity)).returning();
    if (!gone) return;
    await audit(tx, principal, { area: 'calendar-feeds', action: 'delete', entityId: gone.id, entityName: principal.name }, services.now());
  });
}

/** Wrong addresses that somebody may ask for in a minute. */
const wrongKeys = 20;
const unlimited = Number.MAX_SAFE_INTEGER;
const limiters = new WeakMap<Db, Limiter>();
function limiterOf({ db, now }: Services): Limiter {
  const limits = { pair: wrongKeys, address: unlimited, name: unlimited, spare: 0 };
  const made = limiters.get(db) ?? blocksOf({ db }).limiter('calendar_feed', limits, () => now().getTime());
  limiters.set(db, made);
  return made;
}
const guesses = 'calendar';

/** A feed with whom it belongs to. */
export interface OpenFeed {
  feed: Feed;
  principal: Principal;
}

/** Whether somebody may still have a feed: the rights and the licence of this moment count, not those it was made with. */
async function isOpen(services: Services, { feed, principal }: OpenFeed): Promise<boolean> {
  if (scopesOf(principal, 'view', 'amenity-reservations').length === 0) return false;
  try {
    await requireFeature(services, principal, 'amenity');
    await requireAmenity(services.db, principal, feed.amenityId);
    return true;
  } catch (error) {
    if (error instanceof HttpError) return false;
    throw error;
  }
}

/** The feed of a secret address. @throws HttpError `not_found`, the same for what never was and what is over; `too_many_requests` */
export async function openFeed(services: Services, token: string, origin: { ip: string; userAgent: string | null }): Promise<OpenFeed> {
  const limiter = limiterOf(services);
  const wait = limiter.closed(guesses, origin.ip);
  if (wait > 0) throw new HttpError('too_many_requests', { seconds: wait }, wait);
  const [feed] = await services.db
    .select()
    .from(calendarFeeds)
    .where(eq(calendarFeeds.tokenHash, hashToken(token)));
  if (!feed) {
    limiter.failed(guesses, origin.ip);
    throw new HttpError('not_found');
  }
  const principal = await principalOf(services, feed.userId, origin);
  if (!principal || !(await isOpen(services, { feed, principal }))) throw new HttpError('not_found');
  return { feed, principal };
}

/** Notes that a calendar asked, at most once in an hour. */
export async function markRead({ db, now }: Services, { id, readAt }: Feed): Promise<void> {
  const at = now();
  const hour = 3_600_000;
  if (readAt && at.getTime() - readAt.getTime() < hour) return;
  await db.update(calendarFeeds).set({ readAt: at }).where(eq(calendarFeeds.id, id));
}
