import { eq, sql } from 'drizzle-orm';
import type { NotificationType } from '#models/notifications.ts';
import { lengthOf, utc } from '#models/time.ts';
import type { Principal, Services } from '#server/context.ts';
import type { Row } from '#server/crud/repository.ts';
import type { Db } from '#server/db/database.ts';
import { amenities, amenityReservations, users } from '#server/db/schema/index.ts';
import { writeLetter } from '#server/mail/letters.ts';
import { linkBase } from '#server/settings/general.ts';
import { zoneNameOf } from '../amenities/columns.ts';
import { notify } from '../notifications/notify.ts';
import { reservationLetters } from './letters.ts';

type About = Pick<Services, 'config'>;

const clock = (seconds: number): string => (seconds === lengthOf(1, 'day') / 1_000 ? '24:00' : utc(lengthOf(seconds, 'second')).format('HH:mm'));
interface Times {
  date: string;
  from: number;
  to: number;
  zone: string | null;
}
/** Day and hours as their reader writes dates; by the clock of the amenity, for that is the one beside its door. */
const timeText = ({ date, from, to, zone }: Times, format: string): string =>
  `${utc(date).format(format)}, ${clock(from)}–${clock(to)}${zone === null ? '' : ` (${zone})`}`;

/** A reservation with all that is said of it. */
async function readBooked(tx: Db, id: string) {
  const [found] = await tx
    // Nested, so that the columns of the amenity keep the name of their table.
    .select({ held: amenityReservations, amenity: amenities, zone: sql<string | null>`${zoneNameOf}` })
    .from(amenityReservations)
    .innerJoin(amenities, eq(amenities.id, amenityReservations.amenityId))
    .where(eq(amenityReservations.id, id));
  if (!found) throw new Error('there is no such reservation');
  const { held, amenity, zone } = found;
  const { date, fromSeconds: from, toSeconds: to, persons, projectId, userId } = held;
  return { id, projectId, userId, amenity: amenity.name, persons: String(persons), times: { date, from, to, zone } };
}
type Booked = Awaited<ReturnType<typeof readBooked>>;

interface Reader {
  id: string;
  name: string;
  email: string | null;
  locale: 'en' | 'ru';
  timeFormat: string;
}
async function readReader(tx: Db, id: string): Promise<Reader | null> {
  const { name, email, locale, timeFormat } = users;
  const [found] = await tx.select({ id: users.id, name, email, locale, timeFormat }).from(users).where(eq(users.id, id));
  return found ? { ...found, locale: found.locale === 'ru' ? 'ru' : 'en' } : null;
}

/** Puts a notice into somebody's inbox that names the reservation and who did something with it. */
async function putNotice(tx: Db, type: NotificationType, booked: Booked, to: Reader, by: Pick<Principal, 'id' | 'name'> | null, at: Date) {
  const title = `${booked.amenity}, ${timeText(booked.times, to.timeFormat)}`;
  const data = { title, ...(by && { user: { id: by.id, name: by.name } }) };
  await notify(tx, { projectId: booked.projectId, type, data, at }, [to.id]);
}

interface Happening {
  tx: Db;
  services: About;
  principal: Principal;
  id: string;
  at: Date;
}

async function notifyOfLoss({ tx, services, principal, at }: Happening, booked: Booked, userId: string): Promise<void> {
  const to = userId === principal.id ? null : await readReader(tx, userId);
  if (!to) return;
  await putNotice(tx, 'reservation_canceled', booked, to, principal, at);
  if (to.email === null) return;
  const values = {
    name: to.name,
    who: principal.name,
    amenity: booked.amenity,
    when: timeText(booked.times, to.timeFormat),
    link: `${await linkBase(tx, services, booked.projectId)}/amenities/reservations`,
  };
  const envelope = { projectId: booked.projectId, userId: to.id, recipient: to.email, locale: to.locale };
  await writeLetter(tx, reservationLetters.canceled, envelope, values, at);
}

/** Tells whose reservation it was that somebody else cancelled or deleted it. Call it while the reservation is still there. */
export async function notifyCanceled(happening: Happening): Promise<void> {
  const booked = await readBooked(happening.tx, happening.id);
  await notifyOfLoss(happening, booked, booked.userId);
}

/** Tells whose reservation it is what somebody else changed; given to another person, it is lost to whoever had it. */
export async function notifyChanged(happening: Happening, before: Row): Promise<void> {
  const { tx, services, principal, id, at } = happening;
  const was = before as unknown as { user: { id: string }; amenity: { name: string }; date: string; timeSlots: { from: number; to: number } } & {
    time_zone_name: string | null;
  };
  const earlier = { date: was.date, ...was.timeSlots, zone: was.time_zone_name };
  const booked = await readBooked(tx, id);
  if (was.user.id !== booked.userId) await notifyOfLoss(happening, { ...booked, amenity: was.amenity.name, times: earlier }, was.user.id);
  const to = booked.userId === principal.id ? null : await readReader(tx, booked.userId);
  if (!to) return;
  await putNotice(tx, 'reservation_changed', booked, to, principal, at);
  if (to.email === null) return;
  const values = {
    name: to.name,
    who: principal.name,
    was: `${was.amenity.name}, ${timeText(earlier, to.timeFormat)}`,
    amenity: booked.amenity,
    when: timeText(booked.times, to.timeFormat),
    persons: booked.persons,
    link: `${await linkBase(tx, services, booked.projectId)}/amenities/reservations/${id}`,
  };
  await writeLetter(
    tx,
    reservationLetters.changed,
    { projectId: booked.projectId, userId: to.id, recipient: to.email, locale: to.locale },
    values,
    at,
  );
}

/** Reminds whoever has reserved something that it begins soon. */
export async function notifySoon(tx: Db, services: About, id: string, at: Date): Promise<void> {
  const booked = await readBooked(tx, id);
  const to = await readReader(tx, booked.userId);
  if (!to) return;
  await putNotice(tx, 'reservation_reminder', booked, to, null, at);
  if (to.email === null) return;
  const values = {
    name: to.name,
    amenity: booked.amenity,
    when: timeText(booked.times, to.timeFormat),
    persons: booked.persons,
    link: `${await linkBase(tx, services, booked.projectId)}/amenities/reservations/${id}`,
  };
  // A reminder that comes twice is worse than one that a lost connection swallowed.
  const envelope = { projectId: booked.projectId, userId: to.id, recipient: to.email, locale: to.locale, once: true };
  await writeLetter(tx, reservationLetters.reminder, envelope, values, at);
}
