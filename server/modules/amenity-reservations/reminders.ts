import { and, eq, gt, isNull, lte, sql } from 'drizzle-orm';
import { utc } from '#models/time.ts';
import type { Services } from '#server/context.ts';
import { transact } from '#server/crud/write.ts';
import { amenities, amenityReservations } from '#server/db/schema/index.ts';
import { notifySoon } from './notices.ts';
import type { Timer } from '#server/timers.ts';

const every = 30_000;
/** How long before its time somebody is reminded of what they have reserved. */
const leadMinutes = 120;
/** So many are taken on at once; the next turn takes the others. */
const most = 500;

/**
 * Reminds of what begins soon, once each: that it was said stands in the transaction that says it, so that neither a killed server nor a second one says it
 * again. What was made only within that time needs no reminder, nor does what was cancelled or stands at an amenity that is switched off.
 */
export async function remindOfReservations(services: Services): Promise<number> {
  const { db, now } = services;
  const at = now();
  const latest = utc(at).add(leadMinutes, 'minute').toDate();
  const { id, canceledAt, remindedAt, startsAt, createdAt, amenityId } = amenityReservations;
  const isDue = and(
    isNull(canceledAt),
    isNull(remindedAt),
    gt(startsAt, at),
    lte(startsAt, latest),
    sql`${createdAt} < ${startsAt} - make_interval(mins => ${leadMinutes})`,
    sql`exists (select from ${amenities} where ${amenities.id} = ${amenityId} and ${amenities.isActive})`,
  );
  const due = await db.select({ id }).from(amenityReservations).where(isDue).orderBy(startsAt).limit(most);
  let reminded = 0;
  for (const one of due)
    await transact(services, async (tx) => {
      const taken = await tx
        .update(amenityReservations)
        .set({ remindedAt: at })
        .where(and(eq(id, one.id), isDue))
        .returning({ id });
      if (taken.length === 0) return;
      await notifySoon(tx, services, one.id, at);
      reminded += 1;
      // One that cannot be told must not keep the others from it.
    }).catch((error: unknown) => services.log.error({ err: error, reservation: one.id }, 'a reminder could not be written, it is tried again'));
  return reminded;
}

/** Reminds of reservations while the server lives. */
export class Reminders {
  readonly #services: Services;
  readonly #timer: Timer;
  #running: Promise<unknown> | null = null;

  constructor(services: Services, interval = every) {
    this.#services = services;
    this.#timer = services.timers.every(interval, () => this.wake());
  }

  /** There may be something to do. */
  wake(): void {
    this.#running ??= remindOfReservations(this.#services)
      .catch((error: unknown) => this.#services.log.error({ err: error }, 'reminders of reservations could not be written, it is tried again'))
      .finally(() => (this.#running = null));
  }

  async close(): Promise<void> {
    this.#timer.cancel();
    await this.#running;
  }
}
