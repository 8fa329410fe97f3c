import type { Issue } from './issues.ts';
import { type Interval, type Weekday, weekdays } from './schedule-times.ts';
import { lengthOf, utc } from './time.ts';
import { momentAt, type Zone } from './zone.ts';

/** A part of a day in seconds since midnight, by the clock of the amenity's group; 86,400 is the midnight at its end. */
export interface Slot {
  from: number;
  to: number;
}
/** On which days an amenity is open from when to when, and how long one slot of it is (seconds). */
export interface AmenitySlots {
  duration: number;
  items: (Slot & { days: Record<Weekday, boolean> })[];
}

/** The day of the week of a date (YYYY-MM-DD). */
export const weekdayOf = (date: string): Weekday => weekdays[(utc(date).day() + 6) % 7] ?? 'mon';

/** The slots of a date, in order. */
export function slotsOn({ duration, items }: AmenitySlots, date: string): Slot[] {
  const day = weekdayOf(date);
  return items
    .filter(({ days }) => days[day])
    .flatMap(({ from, to }) =>
      Array.from({ length: Math.floor((to - from) / duration) }, (_, at) => ({ from: from + at * duration, to: from + (at + 1) * duration })),
    )
    .toSorted((one, other) => one.from - other.from);
}

/** Whether a part of a day is slots without a gap: `slot_mismatch` where it does not begin and end with one, `slots_inconsistent` where some is missing between. */
export function runIssue(slots: readonly Slot[], { from, to }: Slot): 'slot_mismatch' | 'slots_inconsistent' | null {
  if (from >= to || !slots.some((slot) => slot.from === from) || !slots.some((slot) => slot.to === to)) return 'slot_mismatch';
  let reached = from;
  for (const slot of slots) if (slot.from === reached && slot.to <= to) reached = slot.to;
  return reached === to ? null : 'slots_inconsistent';
}

/** The moments at which a slot begins and ends: what the clocks there say, so that a day on which they are moved shortens or lengthens it. */
export function momentsOf(zone: Zone, date: string, { from, to }: Slot): Interval {
  const midnight = utc(date).valueOf();
  return { from: momentAt(zone, midnight + lengthOf(from, 'second')), to: momentAt(zone, midnight + lengthOf(to, 'second')) };
}

type Item = Partial<AmenitySlots['items'][number]>;

const overlap = (one: Item, other: Item): boolean =>
  weekdays.some((day) => one.days?.[day] && other.days?.[day]) && Number(one.from) < Number(other.to) && Number(other.from) < Number(one.to);

/** What is wrong with the slots of an amenity (VALID-51 to 54). */
export function slotIssues(slots: Partial<AmenitySlots> | undefined): Issue[] {
  const { duration = 0, items = [] } = slots ?? {};
  return (items as Item[]).flatMap((item, at): Issue[] => {
    const issue = (field: string, rule: string): Issue => ({ path: ['timeSlots', 'items', at, field], rule, params: {} });
    const [from, to] = [Number(item.from), Number(item.to)];
    return [
      ...(item.days && !weekdays.some((day) => item.days?.[day]) ? [issue('days', 'slot_needs_day')] : []),
      ...(from >= to ? [issue('to', 'slot_order')] : []),
      ...(from < to && duration > 0 && (to - from) % duration !== 0 ? [issue('to', 'slot_duration')] : []),
      ...((items as Item[]).slice(0, at).some((earlier) => overlap(earlier, item)) ? [issue('from', 'slot_overlap')] : []),
    ];
  });
}
