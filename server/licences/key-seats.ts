import { eq, sql } from 'drizzle-orm';
import { licensed } from '#models/licence-info.ts';
import type { Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { userDomains, users } from '../db/schema/index.ts';
import { HttpError } from '../http-error.ts';
import { featuresFor, featuresOf } from './features.ts';
import { overfullGroup, usedSeats } from './seats.ts';

/**
 * After a mobile key was issued to somebody: they are licensed for it, and neither project nor any group holds more than it counts.
 * @throws HttpError `licence_restricted`, `ukey2_over_project`, `ukey2_over_group`
 */
export async function requireKeySeat(
  services: Services,
  tx: Db,
  { projectId, userId, at }: { projectId: string; userId: string; at: Date },
): Promise<void> {
  const domains = (await tx.select({ id: userDomains.groupId }).from(userDomains).where(eq(userDomains.userId, userId))).map(({ id }) => id);
  const [person] = await tx.select({ own: users.licenseInfo }).from(users).where(eq(users.id, userId));
  const features = await featuresFor({ ...services, db: tx }, { projectId, domains }, at);
  if (!person || !licensed('ukey2', features, person.own)) throw new HttpError('licence_restricted', { feature: 'ukey2' });
  // Two who issue the last key at once are let in one after the other.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`ukey2 ${projectId}`}, 0))`);
  const { ukey2 } = await featuresOf({ ...services, db: tx }, projectId, at);
  const { ukey2: used } = await usedSeats(tx, projectId);
  if (ukey2.license_count !== null && used > ukey2.license_count) throw new HttpError('ukey2_over_project', { used, max: ukey2.license_count });
  const over = await overfullGroup(tx, projectId, { feature: 'ukey2', groupIds: domains });
  if (over) throw new HttpError('ukey2_over_group', over);
}
