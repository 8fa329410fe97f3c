import type { MovedReservation, ReservationPlace } from '#machines/reservation-move.machine.ts';
import type { ReservationCalendar } from '#models/amenity-reservation-calls.ts';
import { runIssue, type Slot, slotsOn } from '#models/amenity-slots.ts';
import { mayMoveReservation } from '../life.ts';

export type Item = ReservationCalendar['reservations'][number];
export type Place = ReservationCalendar['amenities'][number];
type Taken = ReservationCalendar['taken'][number];

/** Date and second of the day at a place. */
export interface Present {
  date: string;
  second: number;
}
/** What was read, laid out by day and by amenity and day. */
export interface Board {
  places: readonly Place[];
  itemsOn: (date: string) => readonly Item[];
  itemsAt: (amenityId: string, date: string) => readonly Item[];
  takenAt: (amenityId: string, date: string) => readonly Slot[];
  /** The slots of a day that nobody has and that have not begun. */
  freeAt: (place: Place, date: string) => readonly Slot[];
  find: (id: string) => Item | undefined;
  /** The second of the day it is by the clock of the first place, if that has this date. */
  presentOn: (date: string) => number | null;
}

function grouped<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const known = found.get(key);
    if (known) known.push(row);
    else found.set(key, [row]);
  }
  return found;
}
const overlap = (one: Slot, other: Slot): boolean => one.from < other.to && other.from < one.to;

/** Lays out what was read; `presentAt` says what the clock of a place shows. */
export function boardOf(read: ReservationCalendar | null, presentAt: (place: Place) => Present): Board {
  const items = read?.reservations ?? [];
  const byDate = grouped(items, ({ date }) => date);
  const byPlace = grouped(items, ({ amenity, date }) => `${amenity.id} ${date}`);
  const taken = grouped<Taken>(read?.taken ?? [], (row) => `${row.amenity_id} ${row.date}`);
  const byId = new Map(items.map((item) => [item.id, item]));
  const itemsAt = (amenityId: string, date: string): readonly Item[] => byPlace.get(`${amenityId} ${date}`) ?? [];
  const takenAt = (amenityId: string, date: string): readonly Slot[] => (taken.get(`${amenityId} ${date}`) ?? []).map(({ timeSlots }) => timeSlots);
  return {
    places: read?.amenities ?? [],
    itemsOn: (date) => byDate.get(date) ?? [],
    itemsAt,
    takenAt,
    freeAt: (place, date) => {
      const present = presentAt(place);
      if (!place.is_active || date < present.date) return [];
      const held = [...itemsAt(place.id, date).map(({ timeSlots }) => timeSlots), ...takenAt(place.id, date)];
      return slotsOn(place.timeSlots, date).filter(
        (slot) => (date > present.date || slot.from > present.second) && !held.some((one) => overlap(one, slot)),
      );
    },
    find: (id) => byId.get(id),
    presentOn: (date) => {
      const [place] = read?.amenities ?? [];
      const present = place && presentAt(place);
      return present?.date === date ? present.second : null;
    },
  };
}

/** Whether somebody may take a reservation elsewhere. */
export const isMovable = ({ may_change: mayChange, status }: Item): boolean => mayChange && mayMoveReservation(status, 'change');

/** What is carried, as the move knows it. */
export const asMoved = ({ id, version, user, amenity, date, timeSlots }: Item): MovedReservation => ({ id, version, user, amenity, date, timeSlots });

/** Where a reservation would stand on a day (at another amenity, from another second, where they are given); null where the amenity has no such slots. */
export function placeFor(
  board: Board,
  item: ReservationPlace,
  { date, amenityId = item.amenity.id, from = item.timeSlots.from }: { date: string; amenityId?: string | undefined; from?: number | undefined },
): ReservationPlace | null {
  const place = board.places.find(({ id }) => id === amenityId);
  if (!place?.is_active) return null;
  const timeSlots = { from, to: from + item.timeSlots.to - item.timeSlots.from };
  if (runIssue(slotsOn(place.timeSlots, date), timeSlots) !== null) return null;
  return { amenity: { id: place.id, name: place.name }, date, timeSlots };
}
