import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { ReservationStatus } from '#models/amenity-reservations.ts';
import { utc } from '#models/time.ts';
import type { ViewScope } from '#server/access/scope.ts';
import { amenities, amenityReservations, users } from '#server/db/schema/index.ts';
import { zoneNameOf } from '../amenities/columns.ts';

const { amenityId, userId, date, fromSeconds, startsAt, endsAt, canceledAt } = amenityReservations;
const ofAmenity = sql`from ${amenities} where ${amenities.id} = ${amenityId}`;

/** How a reservation stands at this moment: its times say it, no job turns it over. */
export const statusOf = sql<ReservationStatus>`case
  when ${canceledAt} is not null then 'canceled'
  when ${endsAt} <= now() then 'expired'
  when not (select ${amenities.isActive} ${ofAmenity}) then 'inactive'
  when ${startsAt} <= now() then 'reserved'
  else 'active' end`;

/** Whether the time of a reservation has begun: while its amenity is switched off the status does not say it. */
export const hasBegun = (startsAt: string, at: Date): boolean => utc(startsAt).valueOf() <= at.getTime();

const nameWith = (format: SQL): SQL<string> => sql<string>`(select ${amenities.name} ${ofAmenity}) || ', ' || to_char(${date}, ${format}) || ' '
  || to_char(make_interval(secs => ${fromSeconds}), 'HH24:MI')`;
/** What it is sorted and found by: the amenity with day and hour, by its own clock. */
export const reservationName = nameWith(sql`'YYYY-MM-DD'`);
/** What its reader calls it: the day as they write dates. */
export const reservationNameFor = ({ principal }: ViewScope): SQL<string> =>
  principal
    ? nameWith(sql`coalesce((select reader.time_format from ${users} reader where reader.id = ${principal.id}), 'YYYY-MM-DD')`)
    : reservationName;

/** By whose clock the times are meant. */
export const zoneOfReservation = sql<string | null>`(select ${zoneNameOf} ${ofAmenity})`;

/** What a person carries: their own identifiers in force, as `opening`. */
export const carriedBy = (person: SQLWrapper): SQL => sql`identifiers opening where opening.user_id = ${person} and opening.is_active
  and opening.revoked_at is null and opening.lost_at is null and opening.owner_type = 'owner'`;

/** What the person opens doors with: of the identifiers in force the first that they were given. */
export const openingIdentifier = sql`(select opening.id from ${carriedBy(userId)} order by opening.created_at, opening.id limit 1)`;
