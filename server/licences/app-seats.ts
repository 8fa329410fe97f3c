import { eq } from 'drizzle-orm';
import type { Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { userDomains } from '../db/schema/index.ts';
import { HttpError } from '../http-error.ts';
import { featuresOf } from './features.ts';
import { overfullGroup, usedSeats } from './seats.ts';

/**
 * After somebody signed in to one more mobile app: neither project nor any group holds more of them than it counts.
 * @throws HttpError `apps_over_project`, `apps_over_group`
 */
export async function requireAppSeat(services: Services, tx: Db, { projectId, userId }: { projectId: string; userId: string }): Promise<void> {
  const { mobile_app: app } = await featuresOf({ ...services, db: tx }, projectId, services.now());
  const { mobile_app: used } = await usedSeats(tx, projectId);
  if (app.license_count !== null && used > app.license_count) throw new HttpError('apps_over_project', { used, max: app.license_count });
  const domains = await tx.select({ id: userDomains.groupId }).from(userDomains).where(eq(userDomains.userId, userId));
  const over = await overfullGroup(tx, projectId, { feature: 'mobile_app', groupIds: domains.map(({ id }) => id) });
  if (over) throw new HttpError('apps_over_group', over);
}
