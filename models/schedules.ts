import { z } from 'zod';
import { constants } from './constants.ts';
import { defineModel, type RowOf } from './define-model.ts';
import type { Issue } from './issues.ts';
import { calendarDate, choice, flag, name, optionalText, timeOfDay } from './rules.ts';
import { holidayModes, repeatModes, type ScheduleTimes, weekdays } from './schedule-times.ts';

const { from, to } = constants.timeRuleSeconds;
const workdays = { mon: true, tue: true, wed: true, thu: true, fri: true, sat: false, sun: false };

/** Schedules (time rules): when access rules hold, by the clocks of the group a device belongs to. */
export const schedules = defineModel({
  name: 'schedules',
  fields: {
    name: name(),
    description: optionalText(),
    days: z.strictObject({ mon: flag(), tue: flag(), wed: flag(), thu: flag(), fri: flag(), sat: flag(), sun: flag() }).meta({ kind: 'weekdays' }),
    /** Seconds since midnight; `from` after `to` runs into the next day. */
    from: timeOfDay(),
    to: timeOfDay(),
    is_all_day: flag(),
    repeat_mode: choice(repeatModes),
    /** The first and the last day, both included. */
    valid_from: calendarDate().nullable(),
    valid_to: calendarDate().nullable(),
    holiday_mode: choice(holidayModes),
    holiday_from: timeOfDay(),
    holiday_to: timeOfDay(),
  },
  shown: { rules_count: z.int(), created_by: z.uuid().nullable() },
  initial: {
    name: '',
    description: '',
    days: workdays,
    from,
    to,
    is_all_day: false,
    repeat_mode: 'weekly',
    valid_from: '',
    valid_to: '',
    holiday_mode: 'holds',
    holiday_from: from,
    holiday_to: to,
  },
  filters: {
    name: 'text',
    description: 'text',
    repeat_mode: 'choice',
    is_all_day: 'flag',
    holiday_mode: 'choice',
    created_at: 'time',
  },
  sorts: ['name', 'repeat_mode', 'created_at', 'updated_at'],
  refine: scheduleIssues,
});
export type Schedule = RowOf<typeof schedules>;

/** Repetitions that are counted from the first day. */
const countedFromStart: readonly string[] = ['every_two_weeks', 'monthly', 'yearly'] satisfies ScheduleTimes['repeat_mode'][];
const byWeekday: readonly string[] = ['never', 'weekly', 'every_two_weeks'] satisfies ScheduleTimes['repeat_mode'][];

function scheduleIssues(wire: Record<string, unknown>): Issue[] {
  const { days, repeat_mode, valid_from: first, valid_to: last } = wire as Partial<ScheduleTimes>;
  const issue = (field: string, rule: string): Issue => ({ path: [field], rule, params: {} });
  const repeats = String(repeat_mode);
  const needsStart = countedFromStart.includes(repeats) && !first;
  const needsDates = repeats === 'never' && !first && !last;
  return [
    ...(byWeekday.includes(repeats) && days && !weekdays.some((day) => days[day]) ? [issue('days', 'slot_needs_day')] : []),
    ...(needsStart || needsDates ? [issue('valid_from', 'schedule_needs_start')] : []),
    ...(first && last && last < first ? [issue('valid_to', 'date_order')] : []),
  ];
}
