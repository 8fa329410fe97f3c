import { and, eq, gt, isNull, lt } from 'drizzle-orm';
import type { Amenity } from '#models/amenities.ts';
import type { AmenityState } from '#models/amenity-calls.ts';
import { momentsOf, slotsOn } from '#models/amenity-slots.ts';
import { utc } from '#models/time.ts';
import type { Db } from '#server/db/database.ts';
import { amenityReservations } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';

/** The slots of a date with what is still free of each. @throws HttpError `state_not_found` where the amenity is switched off */
export async function readState(db: Db, amenity: Amenity, date: string, at: Date): Promise<AmenityState> {
  if (!amenity.is_active) throw new HttpError('state_not_found');
  const zone = { zoneHours: 0, zoneName: amenity.time_zone_name };
  const slots = slotsOn(amenity.timeSlots, date)
    .map((slot) => ({ ...slot, moments: momentsOf(zone, date, slot) }))
    // An hour that the clocks skip is no slot.
    .filter(({ moments }) => moments.to > moments.from);
  const [first, last] = [slots[0]?.moments.from ?? 0, slots.at(-1)?.moments.to ?? 0];
  const taken = await db
    .select({ from: amenityReservations.startsAt, to: amenityReservations.endsAt })
    .from(amenityReservations)
    .where(
      and(
        eq(amenityReservations.amenityId, amenity.id),
        isNull(amenityReservations.canceledAt),
        lt(amenityReservations.startsAt, utc(last).toDate()),
        gt(amenityReservations.endsAt, utc(first).toDate()),
      ),
    );
  return {
    date,
    time_zone_name: amenity.time_zone_name,
    slots: slots.map(({ from, to, moments }) => {
      const isTaken = taken.some((one) => one.from.getTime() < moments.to && one.to.getTime() > moments.from);
      return {
        from,
        to,
        starts_at: utc(moments.from).toISOString(),
        ends_at: utc(moments.to).toISOString(),
        places: isTaken || moments.from <= at.getTime() ? 0 : amenity.numberOfPersons.max,
        is_taken: isTaken,
      };
    }),
  };
}
