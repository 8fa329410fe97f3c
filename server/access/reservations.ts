import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { idArray } from './measures.ts';
import type { Rule, Schedule } from './world.ts';

interface ReservationRow extends Record<string, unknown> {
  id: string;
  user: string;
  devices: string[];
  date: string;
  from: number;
  to: number;
  starts: number;
  ends: number;
}

/** Every day: of one that does not come again the date alone decides. */
const everyDay = { mon: true, tue: true, wed: true, thu: true, fri: true, sat: true, sun: true };
const moment = (at: Date): SQL => sql`${at.toISOString()}::timestamptz`;
/** Reservations that stand, and are not over at a moment, with the rules of their amenities that let somebody in. */
const opening = (at: Date): SQL => sql`amenity_reservations booking
  join amenities on amenities.id = booking.amenity_id and amenities.is_active
  join amenity_rules given on given.amenity_id = booking.amenity_id
  join access_rules rule on rule.id = given.rule_id and not rule.prohibition
  join access_rule_devices named on named.rule_id = given.rule_id
  where booking.canceled_at is null and booking.ends_at > ${moment(at)}`;

/**
 * What reservations open at some devices from a moment on: each is a rule of its own, for whoever has it, between the two moments that the clock of the
 * amenity says, whatever the zone of the door. Devices hold it like any other, so that it begins and ends there to the minute without anybody telling them.
 */
export async function loadReservations(db: Db, devices: readonly string[], at: Date): Promise<{ rules: Rule[]; schedules: Schedule[] }> {
  const { rows } = await db.execute<ReservationRow>(sql`
    select booking.id, booking.user_id as user, to_char(booking.date, 'YYYY-MM-DD') as date, booking.from_seconds as from, booking.to_seconds as to,
      extract(epoch from booking.starts_at)::float8 * 1000 as starts, extract(epoch from booking.ends_at)::float8 * 1000 as ends,
      array_to_json(array_agg(distinct named.device_id)) as devices
    from ${opening(at)} and named.device_id = any(${idArray(devices)}) group by booking.id order by booking.starts_at, booking.id`);
  return {
    rules: rows.map(({ id, user, devices: doors }) => ({
      id,
      isProhibition: false,
      devices: new Set(doors),
      schedules: [id],
      users: new Set([user]),
      identifiers: new Set(),
      groups: new Set(),
      floors: null,
    })),
    schedules: rows.map(({ id, date, from, to, starts, ends }) => ({
      id,
      days: everyDay,
      from,
      to,
      valid_from: date,
      valid_to: date,
      is_all_day: false,
      repeat_mode: 'never',
      holiday_mode: 'holds',
      holiday_from: from,
      holiday_to: to,
      span: { from: Math.round(Number(starts)), to: Math.round(Number(ends)) },
    })),
  };
}

/** Whoever has reserved something that some of these devices open to. */
export const bookersAt = (devices: readonly string[], at: Date): SQL =>
  sql`(select booking.user_id from ${opening(at)} and named.device_id = any(${idArray(devices)}))`;
