import { momentsOf, slotsOn, type AmenitySlots } from '#models/amenity-slots.ts';
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

/** Reservations of some weeks, the next ones of the account `resident` among them. */
export async function seedReservations(db: Db, { projectId, places, people, at }: Sown): Promise<void> {
  const { below, pick, chance } = dice(4_711);
  const resident = people.find(({ user }) => user.login === 'resident');
  const today = clockAt(zone, at.valueOf()).format('YYYY-MM-DD');
  const rows = places.flatMap(({ id: amenityId, persons: [least, most], timeSlots }, place) =>
    Array.from({ length: past + ahead + 1 }, (_, index) => index - past).flatMap((day) => {
      const date = utc(today).add(day, 'day').format('YYYY-MM-DD');
      const free = slotsOn(timeSlots, date).filter(() => chance(0.3));
      return free.flatMap((slot) => {
        // One evening at each of two amenities.
        const isResidents = resident !== undefined && place < 2 && day === 1 + place * 3 && slot === free.at(-1);
        const user = isResidents ? resident.user : pick(people).user;
        const moments = momentsOf(zone, date, slot);
        const madeAt = utc(moments.from)
          .subtract(1 + below(5), 'day')
          .subtract(below(secondsIn(9, 'hour')), 'second');
        const isCanceled = !isResidents && chance(canceled);
        // What is still to be made is not there yet.
        if (madeAt.valueOf() > at.valueOf() && !isResidents) return [];
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
      });
    }),
  );
  const logs = rows.flatMap(({ id, userId, name, createdAt, canceledAt }) => {
    const entry = { reservationId: id, userId, userName: name };
    return [
      { ...entry, id: demoId(`${id} created`), action: 'created' as const, occurredAt: createdAt },
      ...(canceledAt ? [{ ...entry, id: demoId(`${id} canceled`), action: 'canceled' as const, occurredAt: canceledAt }] : []),
    ];
  });
  await insertRows(
    db,
    amenityReservations,
    rows.map(({ name: _name, ...row }) => row),
  );
  await insertRows(db, reservationLog, logs);
}
