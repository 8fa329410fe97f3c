import type { Locale } from '#models/constants.ts';
import { calendarNames, utc } from '#models/time.ts';

/** How much of the calendar is on the screen. */
export const spans = ['day', 'week', 'month'] as const;
export type Span = (typeof spans)[number];

const format = 'YYYY-MM-DD';
export const isDate = (text: string | null): text is string => text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && utc(text).isValid();
export const daysLater = (date: string, days: number): string => utc(date).add(days, 'day').format(format);

/** The days of the week that holds a date; `weekStart` is the day it begins with, 0 for Sunday. */
function weekOf(date: string, weekStart: number): string[] {
  const first = daysLater(date, -((utc(date).day() - weekStart + 7) % 7));
  return Array.from({ length: 7 }, (_, at) => daysLater(first, at));
}

/** The dates that are shown about a date: itself, its week, or its month in whole weeks. */
export function datesOf(span: Span, date: string, weekStart: number): string[] {
  if (span === 'day') return [date];
  if (span === 'week') return weekOf(date, weekStart);
  const [first, last] = [utc(date).startOf('month').format(format), utc(date).endOf('month').format(format)];
  const dates: string[] = [];
  for (let day = first; (weekOf(day, weekStart)[0] ?? day) <= last; day = daysLater(day, 7)) dates.push(...weekOf(day, weekStart));
  return dates;
}

/** The date one step further on, or back: in a shorter month its last day. */
export const stepped = (span: Span, date: string, by: number): string => utc(date).add(by, span).format(format);

/** Whether a date lies in the month of another. */
export const isInMonth = (date: string, of: string): boolean => date.slice(0, 7) === of.slice(0, 7);

/** A day as it heads a column, or in another shape the page: the day of the week as the language shortens it, then day and month. */
export const dayHeading = (date: string, locale: Locale, shape = 'D MMM'): string =>
  `${calendarNames(locale).daysShort[utc(date).day()] ?? ''}, ${utc(date).locale(locale).format(shape)}`;

/** From one day to another: month and year once where they are the same. */
export function rangeText(from: string, to: string, locale: Locale): string {
  const text = (date: string, shape: string): string => utc(date).locale(locale).format(shape);
  if (from.slice(0, 7) === to.slice(0, 7)) return `${text(from, 'D')}–${text(to, 'D MMM YYYY')}`;
  return `${text(from, from.slice(0, 4) === to.slice(0, 4) ? 'D MMM' : 'D MMM YYYY')} – ${text(to, 'D MMM YYYY')}`;
}
