import { and, eq, gt, isNull, lt, ne, or, sql } from 'drizzle-orm';
import { mayHappenToReservation } from '#machines/lifecycles/reservation.machine.ts';
import type { ReservationStatus } from '#models/amenity-reservations.ts';
import { momentsOf, runIssue, type Slot, slotsOn } from '#models/amenity-slots.ts';
import { deviceCan, hasDoor } from '#models/device-models.ts';
import { modelOf } from '#models/index.ts';
import { scopesOf } from '#models/permissions.ts';
import type { Interval } from '#models/schedule-times.ts';
import { utc } from '#models/time.ts';
import { scopeOf, viewable, inScope } from '#server/access/scope.ts';
import type { Principal } from '#server/context.ts';
import type { Change, Row } from '#server/crud/repository.ts';
import type { Db } from '#server/db/database.ts';
import { amenities, amenityReservations } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { zoneNameOf } from '../amenities/columns.ts';
import { carriedBy, hasBegun } from './columns.ts';
import { changesOf, logReservation } from './logs.ts';
import { notifyCanceled, notifyChanged } from './notices.ts';

/** A reservation as it is to be. */
interface Wanted {
  amenity: string;
  user: string;
  date: string;
  timeSlots: Slot;
  numberOfPersons: number;
}
type Held = Awaited<ReturnType<typeof holdAmenity>>;

const statusIn = (row: Row | null): ReservationStatus => row?.['status'] as ReservationStatus;

function wantedOf({ principal, before, fields }: Change): Wanted {
  const model = modelOf('amenity-reservations');
  const all = { ...(before && model.toWire(model.fromRow(before))), ...fields } as unknown as Wanted & { user: string | null };
  return { ...all, user: all.user ?? principal.id };
}

/** Before anything else that is wrong: an amenity out of sight is not there (ERR-091). @throws HttpError `amenity_not_found` */
export async function requireAmenity(tx: Db, principal: Principal, _verb: unknown, { amenity }: Record<string, unknown>): Promise<void> {
  if (typeof amenity !== 'string') return;
  const [found] = await tx
    .select({ id: amenities.id })
    .from(amenities)
    .where(and(eq(amenities.id, amenity), viewable(scopeOf(principal), 'amenities')));
  if (!found) throw new HttpError('amenity_not_found');
}

/** The amenity, which nobody else reserves until this change stands: so two never have it at once. */
async function holdAmenity(tx: Db, id: string) {
  const [found] = await tx
    // Nested, so that its columns keep the name of their table.
    .select({ amenity: amenities, zoneName: sql<string | null>`${zoneNameOf}` })
    .from(amenities)
    .where(eq(amenities.id, id))
    .for('update', { of: amenities });
  if (!found) throw new HttpError('amenity_not_found');
  return found;
}

function requirePersons({ amenity: { personsMin: min, personsMax: max } }: Held, { numberOfPersons }: Wanted): void {
  if (numberOfPersons < min || numberOfPersons > max) throw new HttpError('persons_limit', { min, max });
}

/** An amenity is for the people of its groups and of those below them. */
async function requireForPerson(tx: Db, { amenity, user }: Wanted): Promise<void> {
  const { rows } = await tx.execute(sql`select from user_domains place join groups held on held.id = place.group_id
    where place.user_id = ${user} and held.path && array(select group_id from amenity_groups where amenity_id = ${amenity}) limit 1`);
  if (rows.length === 0) throw new HttpError('amenity_not_allowed');
}

/** QR codes alone open nothing at doors that scan none: whoever carries no other identifier is told before they stand there (ERR-087). */
async function requireScanner(tx: Db, { amenity, user }: Wanted): Promise<void> {
  const { rows: doors } = await tx.execute<{ type: string; model: string }>(sql`select device.type, device.model from amenity_rules given
    join access_rules rule on rule.id = given.rule_id and not rule.prohibition
    join access_rule_devices named on named.rule_id = rule.id join devices device on device.id = named.device_id
    where given.amenity_id = ${amenity} and (select bool_and(opening.type = 'qr') from ${carriedBy(sql`${user}`)})`);
  if (doors.length > 0 && !doors.some((door) => hasDoor(door) && deviceCan(door, 'qr'))) throw new HttpError('devices_without_qr');
}

/** When the time that is wanted begins and ends. @throws HttpError `slot_mismatch`, `slots_inconsistent`, `not_in_future` */
function momentsIn({ amenity, zoneName }: Held, { date, timeSlots }: Wanted, at: Date): Interval {
  const issue = runIssue(slotsOn(amenity.timeSlots, date), timeSlots);
  if (issue) throw new HttpError(issue);
  const moments = momentsOf({ zoneHours: 0, zoneName }, date, timeSlots);
  // An hour that the clocks skip is nobody's.
  if (moments.to <= moments.from) throw new HttpError('slot_mismatch');
  if (moments.from <= at.getTime()) throw new HttpError('not_in_future');
  return moments;
}

async function requireFree(tx: Db, id: string, amenityId: string, { from, to }: Interval): Promise<void> {
  const [taken] = await tx
    .select({ id: amenityReservations.id })
    .from(amenityReservations)
    .where(
      and(
        eq(amenityReservations.amenityId, amenityId),
        ne(amenityReservations.id, id),
        isNull(amenityReservations.canceledAt),
        lt(amenityReservations.startsAt, utc(to).toDate()),
        gt(amenityReservations.endsAt, utc(from).toDate()),
      ),
    )
    .limit(1);
  if (taken) throw new HttpError('no_free_places');
}

const bearsOnTime = ['amenity', 'date', 'timeSlots'];

/** The rules of a reservation before it is made or changed; answers the columns that follow. */
export async function prepareReservation(change: Change): Promise<Record<string, unknown>> {
  const { tx, id, at, verb, before, fields } = change;
  if (verb === 'edit' && !mayHappenToReservation(statusIn(before), 'reservation.change')) throw new HttpError('reservation_not_editable');
  const wanted = wantedOf(change);
  const held = await holdAmenity(tx, wanted.amenity);
  if (!held.amenity.isActive) throw new HttpError('amenity_not_allowed');
  requirePersons(held, wanted);
  if (verb === 'create' || 'user' in fields || 'amenity' in fields) {
    await requireForPerson(tx, wanted);
    await requireScanner(tx, wanted);
  }
  const follows = { userId: wanted.user };
  // What the amenity's hours were when it was reserved stays reserved.
  if (verb === 'edit' && !bearsOnTime.some((field) => field in fields)) return follows;
  const moments = momentsIn(held, wanted, at);
  await requireFree(tx, id, wanted.amenity, moments);
  return { ...follows, startsAt: utc(moments.from).toDate(), endsAt: utc(moments.to).toDate(), remindedAt: null };
}

/** Only for those whom one may reserve for; every step is written down. */
export async function settleReservation(change: Change): Promise<void> {
  const { tx, principal, verb, id, before, fields } = change;
  if (verb === 'delete') return;
  const reach = scopesOf(principal, verb, 'amenity-reservations');
  if (!reach.includes('all')) {
    const [found] = await tx
      .select({ id: amenityReservations.id })
      .from(amenityReservations)
      .where(and(eq(amenityReservations.id, id), or(...reach.map((scope) => inScope(principal, scope, 'amenity-reservations')))));
    if (!found) throw new HttpError('forbidden');
  }
  const changes = before ? await changesOf(tx, before, fields) : {};
  await logReservation(change, verb === 'create' ? 'created' : 'edited', changes);
  if (before && Object.keys(changes).length > 0) await notifyChanged(change, before);
}

/** What has begun, or is over, stays on the list. */
export async function beforeReservationDelete(change: Change): Promise<void> {
  const { before, at } = change;
  const status = statusIn(before);
  if (status === 'canceled') return;
  if (!mayHappenToReservation(status, 'reservation.cancel') || hasBegun(String(before?.['starts_at']), at))
    throw new HttpError('reservation_not_cancelable');
  await notifyCanceled(change);
}
