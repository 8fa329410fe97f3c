import { eq, sql } from 'drizzle-orm';
import { constants } from '#models/constants.ts';
import { licensed } from '#models/licence-info.ts';
import type { Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { devices, sipNumbers, userDomains, users } from '../db/schema/index.ts';
import { featuresFor, featuresOf } from '../licences/features.ts';
import { overfullGroup, usedSeats } from '../licences/seats.ts';
import { HttpError } from '../http-error.ts';

/** Who a number is given to; one of them. */
interface NumberOwner {
  userId?: string | null;
  deviceId?: string | null;
  domainId?: string | null;
}

/** The groups an owner belongs to. */
async function groupsOf(tx: Db, { userId, deviceId, domainId }: NumberOwner): Promise<string[]> {
  if (domainId) return [domainId];
  const { rows } = await tx.execute<{ id: string }>(
    userId
      ? sql`select ${userDomains.groupId} as id from ${userDomains} where ${userDomains.userId} = ${userId}`
      : sql`select ${devices.domainId} as id from ${devices} where ${devices.id} = ${deviceId ?? null}`,
  );
  return rows.map(({ id }) => id);
}

/** A number belongs to those who are licensed for telephony, by project, group and, of a person, their own flag. */
async function requireLicensedOwner(
  services: Services,
  tx: Db,
  projectId: string,
  owner: NumberOwner,
  domains: readonly string[],
  at: Date,
): Promise<void> {
  const features = await featuresFor({ ...services, db: tx }, { projectId, domains }, at);
  const [person] = owner.userId ? await tx.select({ own: users.licenseInfo }).from(users).where(eq(users.id, owner.userId)) : [];
  if (!(person ? licensed('sip', features, person.own) : features.sip.is_enabled)) throw new HttpError('licence_restricted', { feature: 'sip' });
}

/** How many numbers a person may have. */
async function requireUserLimit(tx: Db, userId: string): Promise<void> {
  const [row] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(sipNumbers)
    .where(eq(sipNumbers.userId, userId));
  if ((row?.count ?? 0) > constants.sipNumbers.perUser) throw new HttpError('numbers_limit_user', { max: constants.sipNumbers.perUser });
}

/** A project holds so many numbers at most, given out or not. @throws HttpError `numbers_limit` */
export async function requireTotalLimit(tx: Db, projectId: string): Promise<void> {
  const [row] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(sipNumbers)
    .where(eq(sipNumbers.projectId, projectId));
  if ((row?.count ?? 0) > constants.sipNumbers.perProject) throw new HttpError('numbers_limit', { max: constants.sipNumbers.perProject });
}

/**
 * After a number was given to somebody: they are licensed for it, have not too many, and neither project nor any group holds more than it counts.
 * @throws HttpError `licence_restricted`, `numbers_limit_user`, `numbers_over_project`, `numbers_over_group`
 */
export async function requireNumberSeat(services: Services, tx: Db, projectId: string, owner: NumberOwner, at: Date): Promise<void> {
  const domains = await groupsOf(tx, owner);
  await requireLicensedOwner(services, tx, projectId, owner, domains, at);
  if (owner.userId) await requireUserLimit(tx, owner.userId);
  const { sip } = await featuresOf({ ...services, db: tx }, projectId, at);
  if (sip.license_count !== null) {
    const { sip: used } = await usedSeats(tx, projectId);
    if (used > sip.license_count) throw new HttpError('numbers_over_project', { used, max: sip.license_count });
  }
  const over = await overfullGroup(tx, projectId, { feature: 'sip', groupIds: domains });
  if (over) throw new HttpError('numbers_over_group', over);
}
