import { and, eq, gte, inArray, isNull, lte, not, sql } from 'drizzle-orm';
import type { ReservationCalendar } from '#models/amenity-reservation-calls.ts';
import type { ReservationStatus } from '#models/amenity-reservations.ts';
import { inVerbScope, scopeOf, viewable } from '#server/access/scope.ts';
import type { Principal } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { amenities, amenityReservations, users } from '#server/db/schema/index.ts';
import { zoneNameOf } from '../amenities/columns.ts';
import { statusOf } from './columns.ts';

const area = 'amenity-reservations';
const { id, version, amenityId, userId, date, fromSeconds: from, toSeconds: to, persons, canceledAt } = amenityReservations;
const dateText = sql<string>`to_char(${date}, 'YYYY-MM-DD')`;

/** The amenities that somebody may see, by name. */
async function readAmenities(db: Db, principal: Principal): Promise<ReservationCalendar['amenities']> {
  const rows = await db
    // Nested, so that the columns keep the name of their table.
    .select({ amenity: amenities, zone: sql<string | null>`${zoneNameOf}` })
    .from(amenities)
    .where(viewable(scopeOf(principal), 'amenities'))
    .orderBy(sql`lower(${amenities.name})`, amenities.id);
  return rows.map(({ amenity, zone }) => ({
    id: amenity.id,
    name: amenity.name,
    is_active: amenity.isActive,
    time_zone_name: zone,
    timeSlots: amenity.timeSlots,
  }));
}

interface Dates {
  from: string;
  to: string;
}
const standing = (dates: Dates) => and(isNull(canceledAt), gte(date, dates.from), lte(date, dates.to));

/** What somebody may see, with names, and whether they may change it. */
async function readSeen(db: Db, principal: Principal, dates: Dates): Promise<ReservationCalendar['reservations']> {
  const rows = await db
    .select({
      id,
      version,
      amenity: { id: amenityId, name: amenities.name },
      user: { id: userId, name: users.name },
      date: dateText,
      timeSlots: { from, to },
      status: sql<ReservationStatus>`${statusOf}`,
      numberOfPersons: persons,
      may_change: sql<boolean>`coalesce(${inVerbScope(principal, 'edit', area)}, false)`,
    })
    .from(amenityReservations)
    .innerJoin(users, eq(users.id, userId))
    .innerJoin(amenities, eq(amenities.id, amenityId))
    .where(and(viewable(scopeOf(principal), area), standing(dates)))
    .orderBy(date, from, sql`lower(${amenities.name})`, id);
  return rows;
}

/** What others have at some amenities, of whom somebody may know nothing. */
async function readTaken(db: Db, principal: Principal, dates: Dates, shown: readonly string[]): Promise<ReservationCalendar['taken']> {
  const isUnseen = not(sql`coalesce(${viewable(scopeOf(principal), area)}, false)`);
  return db
    .select({ amenity_id: amenityId, date: dateText, timeSlots: { from, to } })
    .from(amenityReservations)
    .where(and(standing(dates), inArray(amenityId, [...shown]), isUnseen))
    .orderBy(date, from);
}

/** What is reserved on some dates: with names what somebody may see, of all else at the amenities they see only that it is taken. */
export async function readCalendar(db: Db, principal: Principal, dates: Dates): Promise<ReservationCalendar> {
  const shown = await readAmenities(db, principal);
  const reservations = await readSeen(db, principal, dates);
  const places = shown.map((amenity) => amenity.id);
  return { amenities: shown, reservations, taken: await readTaken(db, principal, dates, places) };
}
