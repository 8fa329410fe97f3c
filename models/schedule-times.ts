import { type CalendarTime, lengthOf, utc } from './time.ts';
import { localTime, offsetAt, type Zone } from './zone.ts';

/** How a schedule comes again (spec A4.1), in the order of the form. */
export const repeatModes = ['never', 'daily', 'weekly', 'every_two_weeks', 'monthly', 'yearly'] as const;
export type RepeatMode = (typeof repeatModes)[number];
/** What a schedule does on a holiday: as on any day, nothing, or hours of its own. */
export const holidayModes = ['holds', 'rests', 'own_hours'] as const;
export type HolidayMode = (typeof holidayModes)[number];
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** From a moment to another that is not included, in ms since 1970. */
export interface Interval {
  from: number;
  to: number;
}

/**
 * When a schedule holds, by the wall clock of the place. Times of day in seconds since midnight, the last not included: from > to runs into the next
 * day and belongs to the day it began, from = to lasts until the same time of the next day. Dates as YYYY-MM-DD, both included. What is given to the
 * functions below must not be changed afterwards: what was read of it is remembered.
 */
export interface ScheduleTimes {
  readonly days: Readonly<Record<Weekday, boolean>>;
  readonly from: number;
  readonly to: number;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
  /** From midnight to midnight, whatever `from` and `to` say. */
  readonly is_all_day: boolean;
  readonly repeat_mode: RepeatMode;
  readonly holiday_mode: HolidayMode;
  readonly holiday_from: number;
  readonly holiday_to: number;
  /** Where given it alone decides: two moments, the same whatever the clock of the place shows. */
  readonly span?: Readonly<Interval> | undefined;
}

const [second, day, week] = [lengthOf(1, 'second'), lengthOf(1, 'day'), lengthOf(1, 'week')];
/** No window reaches further beyond the midnight at which its day began. */
const longestWindow = 2 * day;
/** 1970 began with a Thursday. */
const epochWeekday = weekdays.indexOf('thu');

/** A date as the ms of its midnight as if it were UTC; null for none, and for what is no date. */
const dateOf = (text: string | null): number | null => {
  const date = text === null ? Number.NaN : utc(text).valueOf();
  return Number.isNaN(date) ? null : date;
};
const weekdayOf = (date: number): Weekday => weekdays[(((date / day + epochWeekday) % 7) + 7) % 7] ?? 'mon';
/** Weeks run from Monday to Sunday. */
const weekOf = (date: number): number => Math.floor((date + epochWeekday * day) / week);

/** A schedule as it is reckoned with: on which dates (ms of their midnights as if they were UTC) a window begins. */
interface Plan {
  /** The first and the last date on which a window may begin. */
  first: number;
  last: number;
  isChosen: (date: number) => boolean;
  /** The dates of `isChosen`, and others perhaps, from one to another. */
  candidates: (from: number, to: number) => number[];
}

function everyDay(from: number, to: number): number[] {
  const dates: number[] = [];
  for (let date = from; date <= to; date += day) dates.push(date);
  return dates;
}
/** The day of the month that a date has, in each month or each year that has it. */
const everySame =
  (began: CalendarTime, unit: 'month' | 'year') =>
  (from: number, to: number): number[] => {
    const dates: number[] = [];
    const start = utc(from).startOf(unit);
    for (let count = 0; ; count += 1) {
      const first = start.add(count, unit).set('month', unit === 'year' ? began.month() : start.add(count, unit).month());
      if (first.valueOf() > to) return dates;
      dates.push(first.valueOf() + (began.date() - 1) * day);
    }
  };

/** Without the date that its repetition is counted from, a schedule holds on no day: it must not open more than was meant. */
const noDay: Plan = { first: Infinity, last: -Infinity, isChosen: () => false, candidates: () => [] };

/** A schedule that does not come again holds in the week that begins or ends with its one date, or between the two. */
function onceOnly(start: number | null, end: number | null, isChosen: Plan['isChosen']): Plan {
  if (start === null && end === null) return noDay;
  const first = start ?? (end ?? 0) - week + day;
  return { first, last: end ?? first + week - day, isChosen, candidates: everyDay };
}

function readPlan({ days, valid_from, valid_to, repeat_mode }: ScheduleTimes): Plan {
  const [start, end] = [dateOf(valid_from), dateOf(valid_to)];
  const daily = { first: start ?? -Infinity, last: end ?? Infinity, candidates: everyDay };
  const isDay = (date: number): boolean => days[weekdayOf(date)];
  if (repeat_mode === 'never') return onceOnly(start, end, isDay);
  if (repeat_mode === 'daily') return { ...daily, isChosen: () => true };
  if (repeat_mode === 'weekly') return { ...daily, isChosen: isDay };
  if (start === null) return noDay;
  const began = utc(start);
  switch (repeat_mode) {
    case 'every_two_weeks':
      return { ...daily, isChosen: (date) => isDay(date) && (weekOf(date) - weekOf(start)) % 2 === 0 };
    case 'monthly':
      return { ...daily, isChosen: (date) => utc(date).date() === began.date(), candidates: everySame(began, 'month') };
    case 'yearly': {
      const isChosen = (date: number): boolean => utc(date).date() === began.date() && utc(date).month() === began.month();
      return { ...daily, isChosen, candidates: everySame(began, 'year') };
    }
    default:
      throw new Error(`no schedule repeats ${String(repeat_mode satisfies never)}`);
  }
}

/** Remembers what was read of a thing for as long as the thing is there. */
function remembered<Thing extends object, Read>(read: (thing: Thing) => Read): (thing: Thing) => Read {
  const known = new WeakMap<Thing, Read>();
  return (thing) => {
    const found = known.get(thing) ?? read(thing);
    known.set(thing, found);
    return found;
  };
}
const planOf = remembered(readPlan);
const datesOf = remembered((holidays: readonly string[]) => new Set(holidays.map(dateOf)));

/**
 * The window that begins on a date, as clock times (ms as if they were UTC); null where none does. Hours of its own a schedule has on those holidays
 * on which a window would have begun: a holiday opens no day that was not chosen, and an `is_all_day` gives way to them.
 */
function windowOf(schedule: ScheduleTimes, holidays: readonly string[], date: number): Interval | null {
  const { first, last, isChosen } = planOf(schedule);
  if (date < first || date > last || !isChosen(date)) return null;
  const isHoliday = schedule.holiday_mode !== 'holds' && datesOf(holidays).has(date);
  if (isHoliday && schedule.holiday_mode === 'rests') return null;
  if (!isHoliday && schedule.is_all_day) return { from: date, to: date + day };
  const [from, to] = isHoliday ? [schedule.holiday_from, schedule.holiday_to] : [schedule.from, schedule.to];
  return { from: date + from * second, to: date + to * second + (from < to ? 0 : day) };
}

/** Whether a schedule holds at a moment (ms since 1970): whether the clock on the wall shows a time inside one of its windows. */
export function holdsAt(schedule: ScheduleTimes, zone: Zone, holidays: readonly string[], at: number): boolean {
  if (schedule.span) return schedule.span.from <= at && at < schedule.span.to;
  const local = localTime(zone, at);
  const today = Math.floor(local / day) * day;
  return [today, today - day].some((date) => {
    const window = windowOf(schedule, holidays, date);
    return window !== null && window.from <= local && local < window.to;
  });
}

/** A stretch of time in which the clocks are not moved. */
interface Stretch extends Interval {
  offset: number;
}

/** The moment, to the ms, at which the clocks are moved between two that know different offsets. */
function moveWithin(zone: Zone, from: number, to: number): number {
  const before = offsetAt(zone, from);
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** Time is cut into blocks, and how the clocks go in each is read once: asking the runtime for an offset costs more than all else here. */
const block = 16 * week;
const blocks = new Map<string, readonly Stretch[]>();
const mostBlocks = 2_000;

/** No zone moves its clocks there and back within a week. */
function readBlock(zone: Zone, from: number): Stretch[] {
  const stretches: Stretch[] = [];
  let current: Stretch = { from, to: from, offset: offsetAt(zone, from) };
  for (let at = from; at < from + block; at += week) {
    const offset = offsetAt(zone, at + week);
    if (offset === current.offset) current.to = at + week;
    else {
      const moved = moveWithin(zone, at, at + week);
      stretches.push({ ...current, to: moved });
      current = { from: moved, to: at + week, offset };
    }
  }
  return [...stretches, current];
}

function blockOf(zone: Zone, from: number): readonly Stretch[] {
  const key = `${zone.zoneName} ${zone.zoneHours} ${from}`;
  const known = blocks.get(key);
  if (known) return known;
  if (blocks.size >= mostBlocks) blocks.clear();
  const read = readBlock(zone, from);
  blocks.set(key, read);
  return read;
}

/** A time, and what lies about it, cut at least where the clocks are moved. */
function stretchesOf(zone: Zone, from: number, to: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (let at = Math.floor(from / block) * block; at < to; at += block) stretches.push(...blockOf(zone, at));
  return stretches;
}

/** Puts intervals in order, those that touch together. */
export function merged(intervals: readonly Interval[]): Interval[] {
  const result: Interval[] = [];
  for (const { from, to } of intervals.toSorted((one, other) => one.from - other.from)) {
    const last = result.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}

/**
 * When a schedule holds between two moments (ms since 1970, the second not included): in order, apart from each other, cut at both ends. A time that
 * the clocks leave out is not in it; one that they show twice is in it twice.
 */
export function intervals(schedule: ScheduleTimes, zone: Zone, holidays: readonly string[], from: number, to: number): Interval[] {
  if (from >= to) return [];
  if (schedule.span) {
    const cut = { from: Math.max(from, schedule.span.from), to: Math.min(to, schedule.span.to) };
    return cut.from < cut.to ? [cut] : [];
  }
  const { first, last, candidates } = planOf(schedule);
  const begin = Math.max(first, Math.floor((from - longestWindow) / day) * day - day);
  const end = Math.min(last, to + day);
  if (begin > end) return [];
  const stretches = stretchesOf(zone, from - longestWindow, to + longestWindow);
  const found: Interval[] = [];
  // Dates come in order, so do the stretches: those that are over for one date are over for the next.
  let passed = 0;
  for (const date of candidates(begin, end)) {
    const window = windowOf(schedule, holidays, date);
    if (!window) continue;
    while ((stretches[passed]?.to ?? Infinity) < date - day) passed += 1;
    for (let index = passed; index < stretches.length; index += 1) {
      const stretch = stretches[index];
      if (!stretch || stretch.from > window.to + day) break;
      const interval = { from: Math.max(from, stretch.from, window.from - stretch.offset), to: Math.min(to, stretch.to, window.to - stretch.offset) };
      if (interval.from < interval.to) found.push(interval);
    }
  }
  return merged(found);
}

/** How far ahead is looked at once: most schedules open within days, and some not for a year. */
const looks = [8, 64, 400];

/** The first moment from `at` on at which a schedule holds (`at` itself where it does); null where none comes within so many days. */
export function nextOpening(schedule: ScheduleTimes, zone: Zone, holidays: readonly string[], at: number, limitDays = 400): number | null {
  if (holdsAt(schedule, zone, holidays, at)) return at;
  for (const days of [...looks.filter((look) => look < limitDays), limitDays]) {
    const [first] = intervals(schedule, zone, holidays, at, at + days * day);
    if (first) return first.from;
  }
  return null;
}
