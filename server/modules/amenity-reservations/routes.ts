import { and, eq, or, sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { mayHappenToReservation } from '#machines/lifecycles/reservation.machine.ts';
import { reservationCodes } from '#models/amenity-reservation-calls.ts';
import type { AmenityReservation } from '#models/amenity-reservations.ts';
import { calls } from '#models/api.ts';
import { hasPermission } from '#models/permissions.ts';
import { scopeOf, inScope } from '#server/access/scope.ts';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import { seenRow } from '#server/crud/routes.ts';
import { auditRefused } from '#server/crud/trail.ts';
import { holdRow, transact } from '#server/crud/write.ts';
import type { Db } from '#server/db/database.ts';
import { amenityReservations } from '#server/db/schema/index.ts';
import { notifyingDevices } from '#server/devices/copies.ts';
import { HttpError } from '#server/http-error.ts';
import { serve } from '#server/serve.ts';
import { readCalendar } from './calendar.ts';
import { amenityReservationsRepository } from './repository.ts';
import { hasBegun } from './columns.ts';
import { logReservation, logsOf } from './logs.ts';
import { notifyCanceled } from './notices.ts';

const area = 'amenity-reservations';

/** That a reservation in sight lies in a scope whose code the principal holds. @throws HttpError `forbidden` */
async function requireReach(db: Db, principal: Principal, act: keyof typeof reservationCodes, id: string): Promise<void> {
  const reach = reservationCodes[act].filter(({ code }) => hasPermission(principal, code)).map(({ scope }) => inScope(principal, scope, area));
  const [found] = await db
    .select({ id: amenityReservations.id })
    .from(amenityReservations)
    .where(and(eq(amenityReservations.id, id), or(...reach)));
  if (!found || reach.length === 0) throw new HttpError('forbidden');
}

/** Gives back the time of a reservation that has not begun, and the doors that it would have opened. */
async function cancel(services: Services, principal: Principal, id: string): Promise<void> {
  await auditRefused(services, principal, { area, verb: 'edit', id }, () =>
    transact(services, async (tx) => {
      const at = services.now();
      const {
        status,
        name,
        starts_at: begins,
      } = await holdRow(tx, amenityReservationsRepository, principal, 'view', id).then((row) => row as unknown as AmenityReservation);
      await requireReach(tx, principal, 'cancel', id);
      if (!mayHappenToReservation(status, 'reservation.cancel') || hasBegun(begins, at)) throw new HttpError('reservation_not_cancelable');
      await notifyingDevices(tx, area, [id], () =>
        tx
          .update(amenityReservations)
          .set({ canceledAt: at, version: sql`${amenityReservations.version} + 1`, updatedAt: at })
          .where(eq(amenityReservations.id, id)),
      );
      await logReservation({ tx, principal, id, at }, 'canceled');
      await notifyCanceled({ tx, services, principal, id, at });
      const changes = { status: { before: status, after: 'canceled' } };
      await audit(tx, principal, { area, action: 'update', entityId: id, entityName: name, changes }, at);
    }),
  );
}

/** What is done with reservations besides keeping them. */
export function serveReservations(app: FastifyInstance, services: Services): void {
  const seen = async (principal: Principal, id: string): Promise<AmenityReservation> =>
    (await seenRow(services, amenityReservationsRepository, principal, id)) as unknown as AmenityReservation;
  serve(app, services, calls.reservationCalendar, async ({ principal, query: { from, to } }) =>
    readCalendar(services.db, principal, { from: String(from), to: String(to) }),
  );
  serve(app, services, calls.cancelReservation, async ({ principal, params: { id } }) => {
    await cancel(services, principal, id);
    return seen(principal, id);
  });
  serve(app, services, calls.reservationLogs, async ({ principal, params: { id } }) => {
    await seen(principal, id);
    await auditRefused(services, principal, { area, verb: 'view', id }, () => requireReach(services.db, principal, 'log', id));
    return logsOf(services.db, scopeOf(principal), id);
  });
}
