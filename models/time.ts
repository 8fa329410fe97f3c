// This module and time-text.ts alone know dayjs: its plugins and its languages. Numbers, plural forms, the order of letters and the names of zones are Intl's own.
import dayjs from 'dayjs';
import en from 'dayjs/locale/en.js';
import ru from 'dayjs/locale/ru.js';
import duration from 'dayjs/plugin/duration.js';
import relativeTime from 'dayjs/plugin/relativeTime.js';
import timezone from 'dayjs/plugin/timezone.js';
import utcMode from 'dayjs/plugin/utc.js';
import type { Locale } from './constants.ts';

dayjs.extend(utcMode);
dayjs.extend(timezone);
dayjs.extend(duration);
// A unit is said once it is full, as clocks do: "an hour ago" until two have passed.
dayjs.extend(relativeTime, {
  rounding: Math.floor,
  thresholds: [
    { l: 's', r: 59, d: 'second' },
    { l: 'm', r: 1 },
    { l: 'mm', r: 59, d: 'minute' },
    { l: 'h', r: 1 },
    { l: 'hh', r: 23, d: 'hour' },
    { l: 'd', r: 1 },
    { l: 'dd', d: 'day' },
  ],
});
const english = {
  future: 'in %s',
  past: '%s ago',
  s: 'just now',
  m: 'a minute',
  mm: '%d minutes',
  h: 'an hour',
  hh: '%d hours',
  d: 'a day',
  dd: '%d days',
};
// Registered, never made the language of all: a server speaks to many people.
dayjs.locale({ ...en, weekStart: 1, relativeTime: english }, undefined, true);
dayjs.locale({ ...ru, relativeTime: { ...ru.relativeTime, s: 'только что' } }, undefined, true);

type Moment = number | string | Date;
/** Year to millisecond, as dayjs holds them. */
export type CalendarTime = dayjs.Dayjs;
/** A moment (ms since 1970, ISO text or Date) to reckon with in UTC, where every day has 24 hours. */
export const utc = (moment: Moment): CalendarTime => dayjs.utc(moment);

const dayFormat = 'YYYY-MM-DD';
/** A day (ms as if it were UTC) as a Date of the machine this runs on, for controls that know no other; and back. */
export const dayHere = (local: number): Date => dayjs(utc(local).format(dayFormat)).toDate();
export const dayAsUtc = (date: Date): number => utc(dayjs(date).format(dayFormat)).valueOf();

const hereFormats: Readonly<Record<Locale, string>> = { en: 'ddd, MMM D, HH:mm', ru: 'dd, D MMM, HH:mm' };
/** Day and time by the clocks of the machine this runs on, for readers of whom nothing else is known. */
export const momentHere = (moment: Moment, locale: Locale): string => dayjs(moment).locale(locale).format(hereFormats[locale]);

/** The hour by the clocks of the machine this runs on. */
export const hourHere = (moment: Moment): number => dayjs(moment).hour();

/** How far the clocks of the machine this runs on are ahead of UTC at a moment, in minutes. */
export const offsetHere = (moment: Moment): number => dayjs(moment).utcOffset();

type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week';
/** So many units in ms. */
export const lengthOf = (amount: number, unit: Unit): number => dayjs.duration(amount, unit).asMilliseconds();
/** So many units in seconds, as licences and settings count. */
export const secondsIn = (amount: number, unit: Unit): number => dayjs.duration(amount, unit).asSeconds();

const [minute, hour, day] = [lengthOf(1, 'minute'), lengthOf(1, 'hour'), lengthOf(1, 'day')];

/** So many seconds as days, hours, minutes and seconds, padded; what is nought in front is left out, minutes are not. */
export function durationText(seconds: number): string {
  const whole = lengthOf(Math.max(0, Math.floor(seconds)), 'second');
  if (whole < hour) return dayjs.duration(whole).format('mm:ss');
  // To dayjs a month is a twelfth of a year: days are counted here.
  const clock = dayjs.duration(whole % day).format('HH:mm:ss');
  return whole < day ? clock : `${String(Math.floor(whole / day)).padStart(2, '0')}:${clock}`;
}

/** How long ago or from now, in words, by the largest full unit up to days. */
export const agoText = (moment: number, now: number, locale: Locale): string =>
  dayjs
    .utc(moment)
    .locale(locale)
    .from(now, Math.abs(moment - now) < minute);

/** A day of this year, and of another, as each language writes it. */
const dayFormats: Readonly<Record<Locale, readonly [string, string]>> = {
  en: ['MMM D', 'MMM D, YYYY'],
  ru: ['D MMM', 'D MMM YYYY [г.]'],
};
/** The day that calendar and clock say, with its year where that is not the present one. */
export const dayText = (there: CalendarTime, present: CalendarTime, locale: Locale): string =>
  there.locale(locale).format(dayFormats[locale][there.year() === present.year() ? 0 : 1]);

/** What a language calls months and days of the week, from Sunday on, and the day a week begins with. */
export function calendarNames(locale: Locale) {
  const sunday = utc('2023-01-01').locale(locale);
  const names = (length: number, unit: 'month' | 'day', format: string): string[] =>
    Array.from({ length }, (_, index) => sunday.add(index, unit).format(format));
  return {
    months: names(12, 'month', 'MMMM'),
    monthsShort: names(12, 'month', 'MMM'),
    days: names(7, 'day', 'dddd'),
    // Russian abbreviates days to two letters; dayjs's three are read nowhere.
    daysShort: names(7, 'day', locale === 'ru' ? 'dd' : 'ddd'),
    daysMin: names(7, 'day', 'dd'),
    weekStart: dayjs.Ls[locale]?.weekStart ?? 0,
  };
}

/** What a language calls the time of a zone at a moment; dayjs knows it in English alone. */
export const zoneNameIn = (locale: string, zoneName: string, timeZoneName: 'shortGeneric' | 'longGeneric', moment: number): string =>
  new Intl.DateTimeFormat(locale, { timeZone: zoneName, timeZoneName }).formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ??
  '';

/** How far the clocks of a zone are ahead of UTC at a moment, in ms; null where this runtime has no zone of the name. */
export function readOffset(zoneName: string, moment: number): number | null {
  try {
    // Of dayjs's zones this alone holds everywhere: its clock fields and `startOf` go wrong where the clocks of the machine it runs on are moved.
    return lengthOf(dayjs.utc(moment).tz(zoneName).utcOffset(), 'minute');
  } catch {
    return null;
  }
}
