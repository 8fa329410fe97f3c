import { z } from 'zod';
import { constants } from './constants.ts';
import { defineModel, named, placedGroup, type RowOf } from './define-model.ts';
import { calendarDate, ref, timeOfDay, wholeNumber } from './rules.ts';

/** active: to come; reserved: in use while its slot runs; inactive: its amenity is switched off meanwhile; expired: over. */
export const reservationStatuses = ['inactive', 'active', 'reserved', 'canceled', 'expired'] as const;
export type ReservationStatus = (typeof reservationStatuses)[number];

const furthestOffset = 14 * 60;
/** The part of the day that is reserved, by the clock of the amenity: one slot, or several that follow one another. */
const timeSlots = z
  .strictObject(
    { from: timeOfDay(), to: timeOfDay() },
    {
      error: ({ code, input }) =>
        code !== 'invalid_type' ? undefined : input === undefined || input === null ? 'reservation_needs_slot' : 'invalid',
    },
  )
  .meta({ kind: 'reservation-slots' });

/** Who has an amenity on which day from when to when (spec FIELD-45). */
export const amenityReservations = defineModel({
  name: 'amenity-reservations',
  fields: {
    amenity: ref('amenities'),
    /** Whose it is; left out it is one's own. */
    user: ref('users').nullable(),
    date: calendarDate(),
    timeSlots,
    numberOfPersons: wholeNumber(constants.persons.min, constants.persons.max),
    /** How far the clock of whoever reserves stands ahead of UTC, in minutes (DATA-10). */
    user_offset: wholeNumber(-furthestOffset, furthestOffset),
  },
  shown: {
    amenity: named,
    user: named,
    /** Where they belong. */
    domains: z.array(placedGroup),
    /** The amenity with day and hour. */
    name: z.string(),
    status: z.enum(reservationStatuses),
    starts_at: z.iso.datetime(),
    ends_at: z.iso.datetime(),
    canceled_at: z.iso.datetime().nullable(),
    /** By whose clock; null is UTC. */
    time_zone_name: z.string().nullable(),
    /** What opens to the person meanwhile: the first identifier they have that is in force. */
    identifier: named.nullable(),
    createdByUser: named.nullable(),
    created_by: z.uuid().nullable(),
  },
  initial: { amenity: null, user: null, date: '', timeSlots: null, numberOfPersons: 1, user_offset: 0 },
  filters: { name: 'text', amenity: 'ref', user: 'ref', status: 'choice', starts_at: 'time', created_at: 'time' },
  sorts: ['name', 'starts_at', 'status', 'numberOfPersons', 'created_at', 'updated_at'],
  feature: 'amenity',
});
export type AmenityReservation = RowOf<typeof amenityReservations>;
