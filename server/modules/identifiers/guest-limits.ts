import { sql } from 'drizzle-orm';
import type { GuestLimits } from '#models/guest-access.ts';
import { lengthOf } from '#models/time.ts';
import { idArray } from '#server/access/measures.ts';
import type { Db } from '#server/db/database.ts';
import { groups } from '#server/db/schema/index.ts';
import { readBlock } from '#server/settings/store.ts';
import { HttpError } from '#server/http-error.ts';

/** The strictest limits of some groups; a group that sets none follows the nearest above it that does, and where none does the project. */
export async function readGuestLimits(db: Db, projectId: string, groupIds: readonly string[]): Promise<GuestLimits> {
  const { guest_identifier_limits: project } = (await readBlock(db, projectId, 'general')).value;
  if (groupIds.length === 0) return project;
  const nearest = (field: keyof GuestLimits) => sql`coalesce((select (above.guest_limits ->> ${field})::int from ${groups} above
    where above.id = any(${groups.path}) and above.guest_limits ->> ${field} is not null order by cardinality(above.path) desc limit 1), ${project[field]}::int)`;
  const { rows } = await db.execute<{ passes: number | null; days: number | null }>(
    sql`select min(${nearest('max_passes_count')})::int as passes, min(${nearest('max_period_days')})::int as days
      from ${groups} where ${groups.id} = any(${idArray(groupIds)})`,
  );
  return { max_passes_count: rows[0]?.passes ?? null, max_period_days: rows[0]?.days ?? null };
}

/** How a guest's identifier is restricted. */
interface Restricted {
  isPeriod: boolean;
  from: Date | null;
  to: Date | null;
  isCounted: boolean;
  passes: unknown;
}
/** At which field of a form each restriction stands. */
type Paths = Readonly<Record<'isPeriod' | 'to' | 'isCounted' | 'passes', readonly string[]>>;

/** A guest's identifier stays within the limits of the group. @throws HttpError `guest_passes_limit`, `guest_days_limit` */
export function requireWithinLimits(guest: Restricted, { max_passes_count: passes, max_period_days: days }: GuestLimits, at: Paths): void {
  if (passes !== null && !(guest.isCounted && Number(guest.passes) <= passes)) {
    const path = [...(guest.isCounted ? at.passes : at.isCounted)];
    throw new HttpError('guest_passes_limit', { max_count: passes, issues: [{ path, rule: 'guest_passes_limit', params: { max_count: passes } }] });
  }
  const isShort =
    guest.isPeriod && guest.from !== null && guest.to !== null && guest.to.getTime() - guest.from.getTime() <= lengthOf(days ?? 0, 'day');
  if (days === null || isShort) return;
  const path = [...(guest.isPeriod ? at.to : at.isPeriod)];
  throw new HttpError('guest_days_limit', { max_days: days, issues: [{ path, rule: 'guest_days_limit', params: { max_days: days } }] });
}
