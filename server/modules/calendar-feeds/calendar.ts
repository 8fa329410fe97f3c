import { and, eq, gt, sql } from 'drizzle-orm';
import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { lengthOf, utc } from '#models/time.ts';
import { scopeOf, viewable } from '#server/access/scope.ts';
import type { Services } from '#server/context.ts';
import { amenities, amenityReservations, users } from '#server/db/schema/index.ts';
import { linkBase } from '#server/settings/general.ts';
import { wordsOf } from '#server/texts.ts';
import { zoneNameOf } from '../amenities/columns.ts';
import type { OpenFeed } from './feeds.ts';

/** How long what is over stays in calendars, in milliseconds. */
const lookBack = lengthOf(90, 'day');
const longest = 5_000;
/** How often calendars are asked to look, in seconds. */
export const refreshSeconds = lengthOf(15, 'minute') / lengthOf(1, 'second');

async function readEntries({ db, now }: Services, { feed, principal }: OpenFeed) {
  const area = 'amenity-reservations';
  return (
    db
      // Nested, so that the columns of the amenity keep the name of their table.
      .select({
        held: amenityReservations,
        amenity: amenities,
        person: users.name,
        zone: sql<string | null>`${zoneNameOf}`,
        isSeen: sql<boolean>`coalesce(${viewable(scopeOf(principal), area)}, false)`,
      })
      .from(amenityReservations)
      .innerJoin(amenities, eq(amenities.id, amenityReservations.amenityId))
      .innerJoin(users, eq(users.id, amenityReservations.userId))
      .where(
        and(
          feed.amenityId === null ? eq(amenityReservations.userId, principal.id) : eq(amenityReservations.amenityId, feed.amenityId),
          gt(amenityReservations.endsAt, utc(now().getTime() - lookBack).toDate()),
        ),
      )
      .orderBy(amenityReservations.startsAt, amenityReservations.id)
      .limit(longest)
  );
}
type Entry = Awaited<ReturnType<typeof readEntries>>[number];

const clock = (seconds: number): string => utc(seconds * lengthOf(1, 'second')).format('HH:mm');
const endOf = ({ held: { toSeconds } }: Entry): string => (toSeconds === lengthOf(1, 'day') / lengthOf(1, 'second') ? '24:00' : clock(toSeconds));

/**
 * The reservations of a feed as iCalendar. Moments are in UTC, so that no calendar needs to know the rules of a zone; the hours
 * by the amenity's own clock stand in the description. The same reservations make the same text.
 */
export async function calendarOf(services: Services, open: OpenFeed): Promise<string> {
  const { feed, principal } = open;
  const entries = await readEntries(services, open);
  const say = (key: string, params: Record<string, unknown> = {}): string =>
    wordsOf(principal.locale, `areas.amenity-reservations.feed.${key}`, params) ?? key;
  const link = `${await linkBase(services.db, services, principal.projectId)}/amenities/reservations`;
  const [amenity] =
    feed.amenityId === null ? [] : await services.db.select({ name: amenities.name }).from(amenities).where(eq(amenities.id, feed.amenityId));
  const calendar = ical({
    name: amenity?.name ?? say('name'),
    prodId: { company: 'Doorward', product: 'Reservations', language: principal.locale.toUpperCase() },
    method: ICalCalendarMethod.PUBLISH,
    ttl: refreshSeconds,
  });
  const [zone] = entries.flatMap((entry) => entry.zone ?? []);
  if (zone) calendar.x('X-WR-TIMEZONE', zone);
  for (const entry of entries) {
    const { held, isSeen, person } = entry;
    const isCanceled = held.canceledAt !== null;
    // Of what others had and gave back there is nothing to say.
    if (isCanceled && !isSeen) continue;
    const hours = say('hours', { from: clock(held.fromSeconds), to: endOf(entry), zone: entry.zone ?? 'UTC' });
    const people = say('people', { count: held.persons });
    const event = calendar.createEvent({
      id: `${held.id}@doorward`,
      start: held.startsAt,
      end: held.endsAt,
      stamp: held.updatedAt,
      created: held.createdAt,
      lastModified: held.updatedAt,
      sequence: held.version - 1,
      status: isCanceled ? ICalEventStatus.CANCELLED : entry.amenity.isActive ? ICalEventStatus.CONFIRMED : ICalEventStatus.TENTATIVE,
      summary: feed.amenityId === null ? entry.amenity.name : isSeen ? person : say('taken'),
      description: isSeen ? `${hours}\n${people}` : hours,
    });
    if (entry.amenity.address) event.location(entry.amenity.address);
    if (isSeen) event.url(`${link}/${held.id}`);
  }
  return calendar.toString();
}
