import { z } from 'zod';
import { amenities } from './amenities.ts';
import { amenityReservations, reservationStatuses } from './amenity-reservations.ts';
import { byId, call } from './define-call.ts';
import { named } from './define-model.ts';
import { type PermissionCode, scoped } from './permission-catalogue.ts';
import { calendarDate } from './rules.ts';
import { lengthOf, utc } from './time.ts';

/** The codes of an act by scope, where it is no verb of the area. */
export const reservationCodes = {
  cancel: scoped.map((scope): { scope: (typeof scoped)[number]; code: PermissionCode } => ({
    scope,
    code: `can_cancel_${scope}_amenity_reservations`,
  })),
  log: scoped.map((scope): { scope: (typeof scoped)[number]; code: PermissionCode } => ({
    scope,
    code: `can_view_${scope}_amenity_reservation_log`,
  })),
} as const;
const codesOf = (act: keyof typeof reservationCodes) => reservationCodes[act].map(({ code }) => code);

export const reservationActions = ['created', 'edited', 'canceled'] as const;
const reservationLogEntry = z.strictObject({
  id: z.uuid(),
  action: z.enum(reservationActions),
  /** Who did it, by the name they had then; null once nobody knows. */
  user: z.strictObject({ id: z.uuid().nullable(), name: z.string() }).nullable(),
  /** Of a change what was there and what is now. */
  changes: z.record(z.string(), z.strictObject({ before: z.unknown(), after: z.unknown() })),
  occurred_at: z.iso.datetime(),
});
export type ReservationLogEntry = z.infer<typeof reservationLogEntry>;

const part = z.strictObject({ from: z.int(), to: z.int() });
/** Days and times are by the clock of the amenity. */
const calendar = z.strictObject({
  amenities: z.array(
    z.strictObject({
      id: z.uuid(),
      name: z.string(),
      is_active: z.boolean(),
      /** By whose clock it is open; null is UTC. */
      time_zone_name: z.string().nullable(),
      timeSlots: amenities.fields.timeSlots,
    }),
  ),
  reservations: z.array(
    z.strictObject({
      id: z.uuid(),
      version: z.int(),
      amenity: named,
      user: named,
      date: z.iso.date(),
      timeSlots: part,
      status: z.enum(reservationStatuses),
      numberOfPersons: z.int(),
      /** Whether whoever asks may change it. */
      may_change: z.boolean(),
    }),
  ),
  /** What others have, of whom nothing may be known. */
  taken: z.array(z.strictObject({ amenity_id: z.uuid(), date: z.iso.date(), timeSlots: part })),
});
export type ReservationCalendar = z.infer<typeof calendar>;
/** A month with the weeks it begins and ends in. */
const longestCalendar = lengthOf(42, 'day');
const calendarQuery = z
  .strictObject({ from: calendarDate(), to: calendarDate() })
  .refine(({ from, to }) => from <= to && utc(to).diff(from) <= longestCalendar);

/** What is done with reservations besides keeping them (AMEN-02). */
export const amenityReservationCalls = {
  reservationCalendar: call({
    method: 'GET',
    path: '/amenity-reservations/calendar',
    access: { area: 'amenity-reservations', verb: 'view' },
    feature: 'amenity',
    summary: 'Amenities with their slots, and what is reserved from one date to another (both included, 43 days at most), without what was cancelled',
    query: calendarQuery,
    answer: calendar,
  }),
  cancelReservation: call({
    method: 'POST',
    path: '/amenity-reservations/{id}/cancel',
    access: { codes: codesOf('cancel'), about: 'amenity-reservations' },
    feature: 'amenity',
    summary: 'Cancel a reservation that has not begun; its time is free again',
    params: byId,
    answer: amenityReservations.row,
  }),
  reservationLogs: call({
    method: 'GET',
    path: '/amenity-reservations/{id}/logs',
    access: { codes: codesOf('log'), about: 'amenity-reservations' },
    feature: 'amenity',
    summary: 'What became of a reservation and by whom, the newest first',
    params: byId,
    answer: z.array(reservationLogEntry),
  }),
} as const;
