import { reservationCodes } from '#models/amenity-reservation-calls.ts';
import { type AmenityReservation, amenityReservations } from '#models/amenity-reservations.ts';
import { hasPermission, scopesOf } from '#models/permissions.ts';
import type { Profile } from '#models/profile.ts';
import { offsetHere } from '#models/time.ts';
import { lazyPart } from '#src/components/lazy-part.ts';
import { seesOthers } from '#src/views/area/areas.tsx';
import { actorOf } from '#src/views/profile-of.ts';
import { mayMoveReservation } from '#src/views/reservations/life.ts';
import { ReservationAside } from './amenity-reservations/aside.tsx';
import { AmenityCell, StatusCell, TimeCell } from './amenity-reservations/cells.tsx';
import { ReservationSlotsField } from './amenity-reservations/slots-field.tsx';
import { ReservationTools } from './amenity-reservations/tools.tsx';
import { defineResource } from './define-resource.ts';

const ReservationCalendar = lazyPart(() => import('#src/views/reservations/calendar/reservation-calendar.tsx'));
const CancelReservation = lazyPart(() => import('./amenity-reservations/cancel-dialog.tsx'));

/** Whether somebody may cancel a reservation: their own by the narrowest code, others by any wider one. */
function mayCancel({ status, user }: AmenityReservation, profile: Profile): boolean {
  const actor = actorOf(profile);
  const codes = reservationCodes.cancel.filter(({ scope }) => scope !== 'own' || user.id === actor.id).map(({ code }) => code);
  return mayMoveReservation(status, 'cancel') && hasPermission(actor, ...codes);
}
/** Whether somebody reserves for other people than themselves. */
const reservesForOthers = (profile: Profile): boolean =>
  seesOthers(profile, 'users') && scopesOf(actorOf(profile), 'create', 'amenity-reservations').some((scope) => scope !== 'own');
/** What has begun or was cancelled stays as it is. */
const isSettled = ({ row }: { row: AmenityReservation | null }): boolean => row !== null && !mayMoveReservation(row.status, 'change');

export default defineResource({
  model: amenityReservations,
  icon: 'pi-calendar-plus',
  columns: [
    { key: 'name', cell: AmenityCell, width: '24%' },
    { key: 'starts_at', cell: TimeCell, shows: ['ends_at'], sort: 'starts_at', width: '24%' },
    { key: 'user', width: '22%' },
    { key: 'numberOfPersons', width: '12%', givesWay: 'desk' },
    { key: 'status', cell: StatusCell },
    { key: 'domains', extra: true },
    { key: 'createdByUser', extra: true },
    { key: 'identifier', extra: true },
    { key: 'canceled_at', extra: true },
    { key: 'updated_at', extra: true },
    { key: 'created_at', extra: true },
  ],
  filterAreas: { amenity: 'amenities', user: 'users' },
  form: [
    {
      section: 'time',
      fields: [
        {
          key: 'amenity',
          locked: isSettled,
          only: [{ field: 'is_active', rule: 'is', value: true }],
          changes: () => ({ timeSlots: null }),
        },
        { key: 'date', locked: isSettled, changes: () => ({ timeSlots: null }) },
        {
          key: 'timeSlots',
          widget: ReservationSlotsField,
          reads: true,
          wide: true,
          locked: isSettled,
          changes: (_span, { date }) => ({ user_offset: offsetHere(date) }),
        },
      ],
    },
    {
      section: 'people',
      fields: [
        { key: 'numberOfPersons', locked: isSettled },
        { key: 'user', locked: isSettled, show: ({ profile }) => reservesForOthers(profile) },
      ],
    },
  ],
  actions: [{ key: 'cancel', icon: 'pi-calendar-times', show: mayCancel, dialog: CancelReservation }],
  facts: ['time_zone_name'],
  subject: ({ id, user, domains }) => ({ id, created_by: user.id, domains: domains.map((group) => group.id) }),
  slots: {
    aside: ReservationAside,
    toolbar: ReservationTools,
    list: { key: 'calendar', icon: 'pi-calendar', view: ReservationCalendar, second: true },
  },
});
