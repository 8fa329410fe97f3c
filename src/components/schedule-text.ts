import { type ScheduleTimes, type Weekday, weekdays } from '#models/schedule-times.ts';
import { dayText, utc } from '#models/time.ts';
import { clockText } from './fields/time-field.tsx';
import { dayNames } from './fields/weekdays-field.tsx';
import type { Text } from './text.ts';

/** Runs of days that follow each other, a run of two as two: Mon–Wed, Fri. */
function runsOf(days: Readonly<Record<Weekday, boolean>>): Weekday[][] {
  const runs: Weekday[][] = [];
  for (const [at, day] of weekdays.entries()) {
    const [last, before] = [runs.at(-1), weekdays[at - 1]];
    if (!days[day]) continue;
    if (last && before && last.at(-1) === before) last.push(day);
    else runs.push([day]);
  }
  return runs;
}

function daysText({ days }: ScheduleTimes, { t, locale }: Text): string {
  const names = dayNames(locale);
  const runs = runsOf(days);
  if (runs[0]?.length === weekdays.length) return t('areas.schedules.words.every_day');
  return runs
    .map((run) => (run.length > 2 ? `${names[run[0] ?? 'mon']}–${names[run.at(-1) ?? 'sun']}` : run.map((day) => names[day]).join(', ')))
    .join(', ');
}

function hoursText(from: number, to: number, { t }: Text): string {
  const hours = `${clockText(from)}–${clockText(to)}`;
  return from < to || to === 0 ? hours : t('areas.schedules.words.overnight', { hours });
}

/** On which days a schedule begins a window: the days of the week, or a day of the month or the year. */
function whichDays(schedule: ScheduleTimes, words: Text): string {
  const { repeat_mode: repeats, valid_from: first } = schedule;
  const start = first ? utc(first) : null;
  switch (repeats) {
    case 'daily':
      return words.t('areas.schedules.words.every_day');
    case 'monthly':
      return words.t('areas.schedules.words.monthly', { day: start?.date() ?? '…' });
    case 'yearly':
      // A day of no year in particular: it is said without one.
      return words.t('areas.schedules.words.yearly', { day: start ? dayText(start, start, words.locale) : '…' });
    case 'every_two_weeks':
      return words.t('areas.schedules.words.every_two_weeks', { days: daysText(schedule, words) });
    case 'never':
    case 'weekly':
      return daysText(schedule, words);
    default:
      throw new Error(`no schedule repeats ${String(repeats satisfies never)}`);
  }
}

function holidayText({ holiday_mode: mode, holiday_from: from, holiday_to: to }: ScheduleTimes, words: Text): string | null {
  if (mode === 'holds') return null;
  return mode === 'rests'
    ? words.t('areas.schedules.words.not_on_holidays')
    : words.t('areas.schedules.words.on_holidays', { hours: hoursText(from, to, words) });
}

function validText({ valid_from: first, valid_to: last, repeat_mode: repeats }: ScheduleTimes, words: Text, now: number): string | null {
  const present = utc(now);
  const day = (date: string): string => dayText(utc(date), present, words.locale);
  if (first && last) return words.t('areas.schedules.words.between', { from: day(first), to: day(last) });
  if (last) return words.t('areas.schedules.words.until', { to: day(last) });
  if (first && repeats === 'never') return words.t('areas.schedules.words.week_from', { from: day(first) });
  return first ? words.t('areas.schedules.words.from', { from: day(first) }) : null;
}

/** A schedule as a sentence: "Mon–Fri 09:00–18:00, not on holidays, until 31 Dec". `now` decides whether a year is named. */
export function scheduleText(schedule: ScheduleTimes, words: Text, now: number): string {
  const hours = schedule.is_all_day ? words.t('areas.schedules.words.all_day') : hoursText(schedule.from, schedule.to, words);
  const when = [whichDays(schedule, words), hours].filter(Boolean).join(' ');
  return [when, holidayText(schedule, words), validText(schedule, words, now)].filter(Boolean).join(', ');
}
