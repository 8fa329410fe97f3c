import { z } from 'zod';
import { amenityReservations } from './amenity-reservations.ts';
import { byId, call } from './define-call.ts';
import { type PermissionCode, scoped } from './permission-catalogue.ts';

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

/** What is done with reservations besides keeping them (AMEN-02). */
export const amenityReservationCalls = {
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
