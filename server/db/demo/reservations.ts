import { type AmenitySlots, momentsOf, type Slot, slotsOn } from '#models/amenity-slots.ts';
import { secondsIn, utc } from '#models/time.ts';
import { clockAt } from '#models/zone.ts';
import type { Db } from '../database.ts';
import { amenityReservations, reservationLog } from '../schema/index.ts';
import { demoId, dice } from './chance.ts';
import { insertRows } from './insert-rows.ts';
import type { DemoPerson } from './people.ts';

/** An amenity as it was sown, and the people who may reserve it. */
interface Bookable {
  id: string;
  persons: readonly [least: number, most: number];
  timeSlots: AmenitySlots;
}
interface Sown {
  projectId: string;
  places: readonly Bookable[];
  people: readonly DemoPerson[];
  at: Date;
}

const zone = { zoneHours: 0, zoneName: 'Europe/Berlin' };
/** So many days back and ahead. */
const [past, ahead] = [21, 12];
/** Every now and then somebody cancels. */
const canceled = 0.08;

type Row = typeof amenityReservations.$inferInsert & { id: string; name: string; createdAt: Date };

/** The reservations of one amenity, the oldest day first: `keptFor` names whose the last hour of a day is. */
function rowsOf(
  { projectId, people, at }: Sown,
  { id: amenityId, persons, timeSlots }: Bookable,
  keptFor: (day: number) => DemoPerson | undefined,
): Row[] {
  const { below, pick, chance } = dice(4_711 + timeSlots.duration);
  const [least, most] = persons;
  const today = clockAt(zone, at.valueOf()).format('YYYY-MM-DD');
  const reserved = (date: string, slot: Slot, kept: DemoPerson | undefined): Row[] => {
    const { user } = kept ?? pick(people);
    const moments = momentsOf(zone, date, slot);
    const madeAt = utc(moments.from)
      .subtract(1 + below(5), 'day')
      .subtract(below(secondsIn(9, 'hour')), 'second');
    const isCanceled = chance(canceled) && !kept;
    // What is still to be made is not there yet.
    if (madeAt.valueOf() > at.valueOf() && !kept) return [];
    const createdAt = utc(Math.min(madeAt.valueOf(), utc(at).subtract(2, 'hour').valueOf())).toDate();
    return [
      {
        id: demoId(`${amenityId} ${date} ${slot.from}`),
        projectId,
        amenityId,
        userId: user.id ?? '',
        createdBy: user.id ?? null,
        createdAt,
        updatedAt: createdAt,
        persons: least + below(Math.max(1, Math.min(6, most) - least + 1)),
        date,
        fromSeconds: slot.from,
        toSeconds: slot.to,
        startsAt: utc(moments.from).toDate(),
        endsAt: utc(moments.to).toDate(),
        canceledAt: isCanceled ? utc(createdAt).add(1, 'hour').toDate() : null,
        userOffset: 60,
        name: user.name,
      },
    ];
  };
  return Array.from({ length: past + ahead + 1 }, (_, index) => index - past).flatMap((day) => {
    const date = utc(today).add(day, 'day').format('YYYY-MM-DD');
    const slots = slotsOn(timeSlots, date);
    const kept = keptFor(day);
    return slots
      .filter((slot) => chance(0.3) || (kept && slot === slots.at(-1)))
      .flatMap((slot) => reserved(date, slot, slot === slots.at(-1) ? kept : undefined));
  });
}

function logsOf({ id, userId, name, createdAt, canceledAt }: Row): (typeof reservationLog.$inferInsert)[] {
  const entry = { reservationId: id, userId, userName: name };
  return [
    { ...entry, id: demoId(`${id} created`), action: 'created', occurredAt: createdAt },
    ...(canceledAt ? [{ ...entry, id: demoId(`${id} canceled`), action: 'canceled' as const, occurredAt: canceledAt }] : []),
  ];
}

/** Reservations of some weeks, the next ones of the account `resident` among them: an evening at each of two amenities. */
export async function seedReservations(db: Db, sown: Sown): Promise<void> {
  const resident = sown.people.find(({ user }) => user.login === 'resident');
  const rows = sown.places.flatMap((place, index) => rowsOf(sown, place, (day) => (index < 2 && day === 1 + index * 3 ? resident : undefined)));
  await insertRows(
    db,
    amenityReservations,
    rows.map(({ name: _name, ...row }) => row),
  );
  await insertRows(
    db,
    reservationLog,
    rows.flatMap((row) => logsOf(row)),
  );
}
