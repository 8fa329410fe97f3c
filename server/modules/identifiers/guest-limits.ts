import { sql } from 'drizzle-orm';
import { lengthOf } from '#models/time.ts';
import { idArray } from '#server/access/measures.ts';
import type { Db } from '#server/db/database.ts';
import { groups } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';

/** What guests of some groups are given at most; null is no limit. */
export interface GuestLimits {
  max_passes_count: number | null;
  max_period_days: number | null;
}

/** The strictest limits of some groups; a group that sets none follows the nearest above it that does. */
export async function readGuestLimits(db: Db, groupIds: readonly string[]): Promise<GuestLimits> {
  const nearest = (field: keyof GuestLimits) => sql`(select (above.guest_limits ->> ${field})::int from ${groups} above
    where above.id = any(${groups.path}) and above.guest_limits ->> ${field} is not null order by cardinality(above.path) desc limit 1)`;
  const { rows } = await db.execute<{ passes: number | null; days: number | null }>(
    sql`select min(${nearest('max_passes_count')})::int as passes, min(${nearest('max_period_days')})::int as days
      from ${groups} where ${groups.id} = any(${idArray(groupIds)})`,
  );
  return { max_passes_count: rows[0]?.passes ?? null, max_period_days: rows[0]?.days ?? null };
}

type Restrictions = Record<string, unknown>;

/** A guest's identifier stays within the limits of the group. @throws HttpError `guest_passes_limit`, `guest_days_limit` */
export function demandWithinLimits(guest: Restrictions, { max_passes_count: passes, max_period_days: days }: GuestLimits): void {
  if (passes !== null && !(guest['passes_restrict_active'] === true && Number(guest['passes_max_count']) <= passes)) {
    const path = [guest['passes_restrict_active'] === true ? 'passes_max_count' : 'passes_restrict_active'];
    throw new HttpError('guest_passes_limit', { max_count: passes, issues: [{ path, rule: 'guest_passes_limit', params: { max_count: passes } }] });
  }
  if (days === null) return;
  const [from, to] = ['period_restrict_from', 'period_restrict_to'].map((field) => Date.parse(String(guest[field]))) as [number, number];
  if (guest['period_restrict_active'] === true && to - from <= lengthOf(days, 'day')) return;
  const path = [guest['period_restrict_active'] === true ? 'period_restrict_to' : 'period_restrict_active'];
  throw new HttpError('guest_days_limit', { max_days: days, issues: [{ path, rule: 'guest_days_limit', params: { max_days: days } }] });
}
