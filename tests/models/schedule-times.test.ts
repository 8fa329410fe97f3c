import { describe, expect, it } from 'vitest';
import { holdsAt, type Interval, intervals, nextOpening, type ScheduleTimes, type Weekday, weekdays } from '#models/schedule-times.ts';

const at = Date.parse;
const berlin = { zoneHours: 0, zoneName: 'Europe/Berlin' };
const utc = { zoneHours: 0, zoneName: 'UTC' };
const on = (...days: Weekday[]) => Object.fromEntries(weekdays.map((day) => [day, days.includes(day)])) as ScheduleTimes['days'];
const office: ScheduleTimes = {
  days: on('mon', 'tue', 'wed', 'thu', 'fri'),
  from: 9 * 3_600,
  to: 18 * 3_600,
  valid_from: null,
  valid_to: null,
  is_all_day: false,
  repeat_mode: 'weekly',
  holiday_mode: 'holds',
  holiday_from: 0,
  holiday_to: 0,
};
const said = (times: readonly Interval[]): string[] =>
  times.map(({ from, to }) => [from, to].map((each) => new Date(each).toISOString().slice(0, 16)).join(' '));
const within = (change: Partial<ScheduleTimes>, from: string, to: string, zone = utc, holidays: string[] = []) =>
  said(intervals({ ...office, ...change }, zone, holidays, at(`${from}T00:00:00Z`), at(`${to}T00:00:00Z`)));
/** The dates on which the windows of a month or more begin. */
const dates = (change: Partial<ScheduleTimes>, from: string, to: string): string[] => within(change, from, to).map((text) => text.slice(5, 10));

describe('the times of a schedule', () => {
  it('are those of the chosen days, cut at both ends', () => {
    expect(within({}, '2026-06-19', '2026-06-23')).toEqual(['2026-06-19T09:00 2026-06-19T18:00', '2026-06-22T09:00 2026-06-22T18:00']);
    expect(said(intervals(office, utc, [], at('2026-06-19T10:00Z'), at('2026-06-19T11:00Z')))).toEqual(['2026-06-19T10:00 2026-06-19T11:00']);
    expect(intervals(office, utc, [], at('2026-06-19T10:00Z'), at('2026-06-19T10:00Z'))).toEqual([]);
  });
  it('run overnight on the day they began, also beyond the last', () => {
    const night = { days: on('sun'), from: 22 * 3_600, to: 6 * 3_600, valid_to: '2026-06-21' };
    expect(within(night, '2026-06-16', '2026-07-01')).toEqual(['2026-06-21T22:00 2026-06-22T06:00']);
  });
  it('last a whole day when they end as they begin, and touch each other', () => {
    expect(within({ days: on('mon'), from: 3_600, to: 3_600 }, '2026-06-15', '2026-06-20')).toEqual(['2026-06-15T01:00 2026-06-16T01:00']);
    expect(within({ is_all_day: true }, '2026-06-15', '2026-06-29')).toEqual([
      '2026-06-15T00:00 2026-06-20T00:00',
      '2026-06-22T00:00 2026-06-27T00:00',
    ]);
  });
  it('are what the clock on the wall shows where it is moved', () => {
    const between = (from: number, to: number) => ({ repeat_mode: 'daily', from: from * 3_600, to: to * 3_600 }) as const;
    expect(within(between(2, 3), '2026-03-29', '2026-03-30', berlin)).toEqual([]);
    expect(within(between(1, 4), '2026-03-29', '2026-03-30', berlin).slice(0, 1)).toEqual(['2026-03-29T00:00 2026-03-29T02:00']);
    expect(within(between(2, 2.5), '2026-10-25', '2026-10-26', berlin)).toEqual([
      '2026-10-25T00:00 2026-10-25T00:30',
      '2026-10-25T01:00 2026-10-25T01:30',
    ]);
    expect(within(between(1, 4), '2026-10-25', '2026-10-26', berlin)).toEqual(['2026-10-25T00:00 2026-10-25T03:00']);
  });
});

describe('a schedule repeats', () => {
  const mondays = { days: on('mon') };
  it('never: between two dates, or in the week of the one there is, or not at all', () => {
    const never = { ...mondays, repeat_mode: 'never' } as const;
    expect(dates({ ...never, valid_from: '2026-06-01', valid_to: '2026-06-15' }, '2026-05-01', '2026-08-01')).toEqual(['06-01', '06-08', '06-15']);
    expect(dates({ ...never, valid_from: '2026-06-03' }, '2026-05-01', '2026-08-01')).toEqual(['06-08']);
    expect(dates({ ...never, valid_to: '2026-06-03' }, '2026-05-01', '2026-08-01')).toEqual(['06-01']);
    expect(dates(never, '2026-05-01', '2026-08-01')).toEqual([]);
  });
  it('daily, whatever the days', () => {
    expect(dates({ days: on(), repeat_mode: 'daily' }, '2026-06-06', '2026-06-09')).toEqual(['06-06', '06-07', '06-08']);
  });
  it('every second week from that in which it begins, over the end of a year with 53', () => {
    const change = { ...mondays, repeat_mode: 'every_two_weeks', valid_from: '2026-12-16' } as const;
    expect(dates(change, '2026-12-01', '2027-02-01')).toEqual(['12-28', '01-11', '01-25']);
    expect(dates({ ...mondays, repeat_mode: 'every_two_weeks' }, '2026-12-01', '2027-02-01')).toEqual([]);
  });
  it('monthly where the month has the day, yearly on 29 February in leap years', () => {
    expect(dates({ repeat_mode: 'monthly', valid_from: '2026-01-31' }, '2026-01-01', '2026-08-01')).toEqual(['01-31', '03-31', '05-31', '07-31']);
    expect(within({ repeat_mode: 'yearly', valid_from: '2024-02-29' }, '2024-01-01', '2033-01-01').map((text) => text.slice(0, 10))).toEqual([
      '2024-02-29',
      '2028-02-29',
      '2032-02-29',
    ]);
  });
});

describe('on a holiday a schedule', () => {
  const fewDays = (change: Partial<ScheduleTimes>) => within(change, '2026-06-17', '2026-06-19', utc, ['2026-06-18']);
  it('holds or rests', () => {
    expect(fewDays({})).toHaveLength(2);
    expect(fewDays({ holiday_mode: 'rests' })).toEqual(['2026-06-17T09:00 2026-06-17T18:00']);
  });
  it('has hours of its own, whole days too, on days that were chosen alone', () => {
    const own = { holiday_mode: 'own_hours', holiday_from: 36_000, holiday_to: 43_200 } as const;
    expect(fewDays(own)[1]).toBe('2026-06-18T10:00 2026-06-18T12:00');
    expect(fewDays({ ...own, is_all_day: true })[1]).toBe('2026-06-18T10:00 2026-06-18T12:00');
    expect(fewDays({ ...own, days: on('wed') })).toHaveLength(1);
  });
  it('lets a night that began before run to its end', () => {
    expect(within({ from: 79_200, to: 21_600, holiday_mode: 'rests' }, '2026-06-17', '2026-06-19', utc, ['2026-06-18'])).toEqual([
      '2026-06-17T00:00 2026-06-17T06:00',
      '2026-06-17T22:00 2026-06-18T06:00',
    ]);
  });
});

describe('the next opening', () => {
  it('is now where it holds, else the next beginning, and none beyond the days that are looked at', () => {
    expect(nextOpening(office, utc, [], at('2026-06-17T10:00Z'))).toBe(at('2026-06-17T10:00Z'));
    expect(nextOpening(office, utc, [], at('2026-06-19T18:00Z'))).toBe(at('2026-06-22T09:00Z'));
    const leap = { ...office, repeat_mode: 'yearly', valid_from: '2024-02-29' } as const;
    expect(nextOpening(leap, utc, [], at('2026-06-17T10:00Z'))).toBeNull();
    expect(nextOpening(leap, utc, [], at('2026-06-17T10:00Z'), 700)).toBe(at('2028-02-29T09:00Z'));
    expect(nextOpening(office, utc, [], at('2026-06-19T18:00Z'), 2)).toBeNull();
  });
  it('is where it holds, to the second', () => {
    expect([17, 18].map((hour) => holdsAt(office, utc, [], at(`2026-06-19T${hour}:59:59Z`)))).toEqual([true, false]);
    expect(holdsAt(office, utc, [], at('2026-06-19T18:00:00Z'))).toBe(false);
  });
});

describe('a time that comes once', () => {
  const span = { from: at('2026-06-17T10:00Z'), to: at('2026-06-17T11:00Z') };
  const once = { ...office, days: on(), span };
  it('holds between its two moments, the second not included, whatever the days say', () => {
    const moments = [span.from - 1, span.from, span.to - 1, span.to];
    expect(moments.map((moment) => holdsAt(once, utc, [], moment))).toEqual([false, true, true, false]);
  });
  it.each<[string, number, number, boolean]>([
    ['around it', -1, 1, true],
    ['up to its beginning', -1, -1, false],
    ['from its end on', 1, 1, false],
    ['of no length', 0, -1, false],
  ])('is cut to the time %s', (_what, before, after, isThere) => {
    const hour = 3_600_000;
    const [from, to] = [span.from + before * hour, span.to + after * hour];
    expect(intervals(once, utc, [], from, to)).toEqual(isThere ? [span] : []);
  });
  it('is cut at both ends, and opens next where it begins', () => {
    expect(intervals(once, utc, [], span.from + 1, span.to - 1)).toEqual([{ from: span.from + 1, to: span.to - 1 }]);
    expect([nextOpening(once, utc, [], span.from - 1), nextOpening(once, utc, [], span.to)]).toEqual([span.from, null]);
  });
});
