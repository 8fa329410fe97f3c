import { sql } from 'drizzle-orm';
import { byRules, type Link } from '#server/crud/repository.ts';
import { defineRepository } from '#server/crud/define-repository.ts';
import { namesAlong } from '#server/crud/group-path.ts';
import { inNameOrder, isoTime, jsonObject, linkedRows, oneNamed, onlySeen, stampsOf } from '#server/crud/json.ts';
import { amenities, amenityReservations, groups, identifiers, userDomains, users } from '#server/db/schema/index.ts';
import { openingIdentifier, reservationName, reservationNameFor, statusOf, zoneOfReservation } from './columns.ts';
import { beforeReservationDelete, prepareReservation, requireAmenity, settleReservation } from './rules.ts';

const { amenityId, userId, persons, date, fromSeconds, toSeconds, startsAt, endsAt, canceledAt, userOffset, createdAt, updatedAt, createdBy } =
  amenityReservations;

const groupsOfPerson: Link = { area: 'groups', table: userDomains, own: userDomains.userId, other: userDomains.groupId };

/** Reservations of amenities in the database. Whoever may see one is told whose it is. */
export const amenityReservationsRepository = defineRepository({
  area: 'amenity-reservations',
  table: amenityReservations,
  compared: {
    name: { column: reservationName, order: inNameOrder(reservationName) },
    amenity: { column: amenityId, area: 'amenities' },
    user: { column: userId, area: 'users' },
    status: { column: statusOf },
    starts_at: { column: startsAt },
    numberOfPersons: { column: persons },
    created_at: { column: createdAt },
    updated_at: { column: updatedAt },
  },
  shown: (scope) => ({
    ...stampsOf(amenityReservations),
    name: reservationNameFor(scope),
    amenity: oneNamed(amenities, amenityId),
    user: oneNamed(users, userId),
    domains: linkedRows(scope, groupsOfPerson, groups, userId, { path: namesAlong(scope, groups.path) }),
    date: sql`to_char(${date}, 'YYYY-MM-DD')`,
    timeSlots: jsonObject({ from: fromSeconds, to: toSeconds }),
    numberOfPersons: sql`${persons}`,
    user_offset: sql`${userOffset}`,
    status: statusOf,
    starts_at: isoTime(startsAt),
    ends_at: isoTime(endsAt),
    canceled_at: isoTime(canceledAt),
    time_zone_name: zoneOfReservation,
    identifier: oneNamed(identifiers, openingIdentifier, onlySeen(scope, 'identifiers', identifiers.id)),
    createdByUser: oneNamed(users, createdBy),
    created_by: sql`${createdBy}`,
  }),
  dependants: [],
  written: {
    amenity: 'amenityId',
    user: byRules,
    date: 'date',
    timeSlots: { parts: { from: 'fromSeconds', to: 'toSeconds' } },
    numberOfPersons: 'persons',
    user_offset: 'userOffset',
  },
  hold: requireAmenity,
  prepare: prepareReservation,
  settle: settleReservation,
  beforeDelete: beforeReservationDelete,
});
