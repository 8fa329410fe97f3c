import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Locale } from '#models/constants.ts';
import { agoText, calendarNames, dayAsUtc, dayHere, dayText, durationText, lengthOf, secondsIn, utc } from '#models/time.ts';
import { clockAt, midnightOf, momentAt, type Zone } from '#models/zone.ts';

const named = (zoneName: string): Zone => ({ zoneHours: 0, zoneName });
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

describe('how long ago', () => {
  const now = Date.parse('2026-03-10T12:00:00Z');
  const ago = (ms: number, locale: Locale) => agoText(now - ms, now, locale);
  it.each([
    [0, 'just now', 'только что'],
    [59_999, 'just now', 'только что'],
    [minute, 'a minute ago', 'минуту назад'],
    [2 * minute - 1, 'a minute ago', 'минуту назад'],
    [2 * minute, '2 minutes ago', '2 минуты назад'],
    [5 * minute, '5 minutes ago', '5 минут назад'],
    [11 * minute, '11 minutes ago', '11 минут назад'],
    [21 * minute, '21 minutes ago', '21 минуту назад'],
    [59 * minute, '59 minutes ago', '59 минут назад'],
    [hour, 'an hour ago', 'час назад'],
    [3 * hour, '3 hours ago', '3 часа назад'],
    [23.9 * hour, '23 hours ago', '23 часа назад'],
    [day, 'a day ago', 'день назад'],
    [6 * day, '6 days ago', '6 дней назад'],
    [-30_000, 'just now', 'только что'],
    [-minute, 'in a minute', 'через минуту'],
    [-5 * minute, 'in 5 minutes', 'через 5 минут'],
    [-2 * day, 'in 2 days', 'через 2 дня'],
  ])('%i ms is "%s" and "%s"', (ms, english, russian) => expect([ago(ms, 'en'), ago(ms, 'ru')]).toEqual([english, russian]));
});

describe('a day', () => {
  const present = utc('2026-06-15T00:00:00Z');
  it('is written as each language does, with its year where that is another', () => {
    const [march, past] = [utc('2026-03-03T09:00:00Z'), utc('2025-05-03T09:00:00Z')];
    expect([dayText(march, present, 'en'), dayText(past, present, 'en')]).toEqual(['Mar 3', 'May 3, 2025']);
    expect([dayText(march, present, 'ru'), dayText(past, present, 'ru')]).toEqual(['3 мар.', '3 мая 2025 г.']);
  });
  it('names the month in its case in Russian', () => {
    const long = (moment: string) => utc(moment).locale('ru').format('D MMMM');
    expect([long('2026-03-03T00:00:00Z'), long('2026-05-01T00:00:00Z'), long('2026-08-21T00:00:00Z')]).toEqual(['3 марта', '1 мая', '21 августа']);
  });
  it('stands in a month whose names each language gives', () => {
    const { months, daysMin, days, weekStart } = calendarNames('ru');
    expect([months[0], months[4], days[0], daysMin.join(' '), weekStart]).toEqual(['январь', 'май', 'воскресенье', 'вс пн вт ср чт пт сб', 1]);
    const english = calendarNames('en');
    expect([english.months[11], english.monthsShort[2], english.daysMin.join(' '), english.weekStart]).toEqual([
      'December',
      'Mar',
      'Su Mo Tu We Th Fr Sa',
      1,
    ]);
    expect(english.days).toEqual(['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']);
    expect([english.months, english.monthsShort, english.daysShort].map((names) => names.length)).toEqual([12, 12, 7]);
  });
  it.each(['2026-03-29', '2026-10-25', '1970-01-01', '2026-12-31'])('%s is the same day in a Date of this machine, and back', (day) => {
    const local = Date.parse(`${day}T00:00:00Z`);
    expect([dayHere(local + 5 * hour).toDateString(), dayAsUtc(dayHere(local + 5 * hour))]).toEqual([new Date(`${day}T00:00`).toDateString(), local]);
  });
  it('is asked for in a language without making it that of all', () => {
    dayText(present, present, 'ru');
    expect(utc('2026-03-03T00:00:00Z').format('MMMM')).toBe('March');
  });
});

describe('a length', () => {
  it('is counted in ms or in seconds', () =>
    expect([lengthOf(1, 'week'), lengthOf(15, 'minute'), secondsIn(1, 'day')]).toEqual([7 * day, 900_000, 86_400]));
  it.each([
    [0, '00:00'],
    [59.9, '00:59'],
    [3_599, '59:59'],
    [3_600, '01:00:00'],
    [86_399, '23:59:59'],
    [90_061, '01:01:01:01'],
    [40 * 86_400 + 1, '40:00:00:01'],
    [-5, '00:00'],
  ])('%d seconds are %s', (seconds, words) => expect(durationText(seconds)).toBe(words));
});

const two = '2-digit';
const fields = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const;
const formats = new Map<string, Intl.DateTimeFormat>();
/** What Intl says of the same clocks, whatever those of this machine do. */
function saidByIntl(timeZone: string, moment: number): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, hourCycle: 'h23', ...fields });
  formats.set(timeZone, format);
  return format.format(moment);
}

describe.each(['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'])('on a machine in %s', (host) => {
  const own = process.env['TZ'];
  afterEach(() => {
    if (own === undefined) delete process.env['TZ'];
    else process.env['TZ'] = own;
  });

  it.each([
    ['Europe/Berlin', '2026-03-29T01:00:00Z'],
    ['Europe/Berlin', '2026-10-25T01:00:00Z'],
    ['Asia/Kolkata', '2026-03-28T20:30:00Z'],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
    ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
    ['America/New_York', '2026-03-29T06:00:00Z'],
    // When the clocks of the machines above are moved.
    ['Asia/Kolkata', '2026-03-08T07:00:00Z'],
    ['America/Santiago', '2026-04-05T03:00:00Z'],
  ])('clocks in %s are read right around %s', (zoneName, around) => {
    process.env['TZ'] = host;
    expect(new Date(Date.parse('2026-07-01T00:00:00Z')).getTimezoneOffset()).toBe(
      { UTC: 0, 'Europe/Berlin': -120, 'America/New_York': 240, 'Asia/Kolkata': -330 }[host],
    );
    const zone = named(zoneName);
    for (let moment = Date.parse(around) - 2 * day; moment <= Date.parse(around) + 2 * day; moment += 15 * minute) {
      const there = clockAt(zone, moment);
      expect(there.format('YYYY-MM-DD HH:mm:ss')).toBe(saidByIntl(zoneName, moment));
      expect(saidByIntl(zoneName, momentAt(zone, there.valueOf()))).toBe(there.format('YYYY-MM-DD HH:mm:ss'));
      const begun = midnightOf(zone, moment);
      expect(saidByIntl(zoneName, begun).slice(0, 10)).toBe(there.format('YYYY-MM-DD'));
      expect(saidByIntl(zoneName, begun - 1).slice(0, 10)).toBe(there.subtract(1, 'day').format('YYYY-MM-DD'));
    }
  });
});

it('a thousand moments of three months ask for the offset of each day once', () => {
  const asked = vi.spyOn(Date.prototype, 'toLocaleString');
  const begin = Date.parse('2026-05-01T00:00:00Z');
  for (let row = 0; row < 1_000; row += 1) clockAt(named('Africa/Johannesburg'), begin + row * 7_776_000).format('YYYY-MM-DD HH:mm:ss');
  expect(asked.mock.calls.length).toBeLessThanOrEqual(92);
  asked.mockRestore();
});
