import { lt } from 'drizzle-orm';
import type { Services } from '../context.ts';
import { forgetOldPictures } from '../devices/event-pictures.ts';
import { forgetParts } from '../files.ts';
import { forgetUploads } from '../http/form.ts';
import { forgetOldDeliveries } from '../integrations/webhook-messages.ts';
import { forgetUnusedPictures } from '../modules/text-pictures.ts';
import { forgetOldNotifications } from '../modules/notifications/retention.ts';
import { idempotencyKeys, oneTimeLinks, sessions } from './schema/index.ts';
import { notifyOfCertificate } from '../settings/broker.ts';
import { forgetOldLogs } from '../settings/logs.ts';
import { endPeriods } from '../licences/periods.ts';
import { saveLicenceUse } from '../licences/use/save.ts';
import { vacuumOutgrown } from './vacuum.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Removes what has outlived its use: sessions past their refresh, answers kept a day, old links and notifications. */
export async function removeExpired({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  const before = (age: number) => new Date(now().getTime() - age);
  await db.delete(sessions).where(lt(sessions.refreshExpiresAt, before(0)));
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, before(day)));
  await db.delete(oneTimeLinks).where(lt(oneTimeLinks.expiresAt, before(7 * day)));
  await forgetOldNotifications(db, now());
  await forgetOldDeliveries({ db, now });
}

/** Tidies now what lay on the disk before the start; all of it every hour, and vacuums the embedded database as it grows, until told to stop. */
export function startRetention(services: Services): () => void {
  const complain = (error: unknown): void => services.log.warn({ err: error }, 'removing what has expired failed, it is tried again later');
  const forgetLeftovers = () => Promise.all([forgetUploads(services.config, services.now()), forgetParts(services)]);
  const all = () =>
    Promise.all([removeExpired(services), forgetLeftovers(), forgetOldPictures(services), forgetUnusedPictures(services), forgetOldLogs(services)]);
  const count = () =>
    void saveLicenceUse(services).catch((error: unknown) =>
      services.log.warn({ err: error }, 'licence use was not counted, it is tried again later'),
    );
  const end = () =>
    void endPeriods(services).catch((error: unknown) => services.log.warn({ err: error }, 'licence periods were not ended, it is tried again later'));
  const warn = () =>
    void notifyOfCertificate(services).catch((error: unknown) =>
      services.log.warn({ err: error }, 'nobody could be told that the broker’s certificate ends, it is tried again later'),
    );
  const { every } = services.timers;
  warn();
  void forgetLeftovers().catch(complain);
  const timers = [every(hour, () => void all().catch(complain)), every(minute, count), every(minute, end), every(hour, warn)];
  if (!services.config.databaseUrl) timers.push(every(minute, () => void vacuumOutgrown(services).catch(complain)));
  return () => {
    for (const timer of timers) timer.cancel();
  };
}
