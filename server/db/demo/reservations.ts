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

type Dice = ReturnType<typeof dice>;
type Row = typeof amenityReservations.$inferInsert & { id: string; name: string; createdAt: Date };

/** A slot of a day that somebody has; `isKept` is there whatever the dice say. */
interface Taken {
  date: string;
  slot: Slot;
  person: DemoPerson;
  isStanding: boolean;
}

/** One reservation; none that would only be made after this moment. */
function rowOf(
  { projectId, at }: Sown,
  { id: amenityId, persons: [least, most] }: Bookable,
  { date, slot, person, isStanding }: Taken,
  { below, chance }: Dice,
): Row[] {
  const moments = momentsOf(zone, date, slot);
  const madeAt = utc(moments.from)
    .subtract(1 + below(5), 'day')
    .subtract(below(secondsIn(9, 'hour')), 'second');
  const isCanceled = chance(canceled) && !isStanding;
  const persons = least + below(Math.max(1, Math.min(6, most) - least + 1));
  if (madeAt.valueOf() > at.valueOf() && !isStanding) return [];
  const createdAt = utc(Math.min(madeAt.valueOf(), utc(at).subtract(2, 'hour').valueOf())).toDate();
  const stamps = { createdBy: person.user.id ?? null, createdAt, updatedAt: createdAt };
  const times = { fromSeconds: slot.from, toSeconds: slot.to, startsAt: utc(moments.from).toDate(), endsAt: utc(moments.to).toDate() };
  return [
    {
      ...stamps,
      ...times,
      id: demoId(`${amenityId} ${date} ${slot.from}`),
      projectId,
      amenityId,
      userId: person.user.id ?? '',
      persons,
      date,
      canceledAt: isCanceled ? utc(createdAt).add(1, 'hour').toDate() : null,
      userOffset: 60,
      name: person.user.name,
    },
  ];
}

/** The reservations of one amenity, the oldest day first: `standingFor` names whose the last hour of a day is. */
function rowsOf(sown: Sown, place: Bookable, standingFor: (day: number) => DemoPerson | undefined): Row[] {
  const thrown = dice(4_711 + place.timeSlots.duration);
  const today = clockAt(zone, sown.at.valueOf()).format('YYYY-MM-DD');
  return Array.from({ length: past + ahead + 1 }, (_, index) => index - past).flatMap((day) => {
    const date = utc(today).add(day, 'day').format('YYYY-MM-DD');
    const slots = slotsOn(place.timeSlots, date);
    return slots.flatMap((slot) => {
      const standing = slot === slots.at(-1) ? standingFor(day) : undefined;
      if (!thrown.chance(0.3) && !standing) return [];
      return rowOf(sown, place, { date, slot, person: standing ?? thrown.pick(sown.people), isStanding: standing !== undefined }, thrown);
    });
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
