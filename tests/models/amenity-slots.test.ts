import { describe, expect, it } from 'vitest';
import { type AmenitySlots, momentsOf, runIssue, slotIssues, slotsOn, weekdayOf } from '#models/amenity-slots.ts';
import { weekdays } from '#models/schedule-times.ts';

const HOUR = 3_600;
const onDays = (...days: readonly string[]) =>
  Object.fromEntries(weekdays.map((day) => [day, days.includes(day)])) as AmenitySlots['items'][number]['days'];
const item = (from: number, to: number, ...days: readonly string[]) => ({ from: from * HOUR, to: to * HOUR, days: onDays(...days) });
const slot = (from: number, to: number) => ({ from: from * HOUR, to: to * HOUR });

it('a date has its day of the week', () => {
  const week = ['2026-06-15', '2026-06-16', '2026-06-17', '2026-06-18', '2026-06-19', '2026-06-20', '2026-06-21'];
  expect(week.map(weekdayOf)).toEqual(weekdays);
});

describe('the slots of a date', () => {
  const slots = { duration: HOUR, items: [item(14, 16, 'wed'), item(9, 11, 'wed', 'thu'), item(12, 13, 'fri')] };
  it('are those of its day of the week, in order', () => {
    expect(slotsOn(slots, '2026-06-17')).toEqual([slot(9, 10), slot(10, 11), slot(14, 15), slot(15, 16)]);
    expect(slotsOn(slots, '2026-06-18')).toEqual([slot(9, 10), slot(10, 11)]);
    expect(slotsOn(slots, '2026-06-15')).toEqual([]);
  });
  it('leave out what is shorter than one', () => {
    expect(slotsOn({ duration: 2 * HOUR, items: [item(9, 14, 'wed')] }, '2026-06-17')).toEqual([slot(9, 11), slot(11, 13)]);
  });
});

it.each([
  [9, 10, null],
  [9, 11, null],
  [13, 14, null],
  [10, 10, 'slot_mismatch'],
  [11, 9, 'slot_mismatch'],
  [9.5, 11, 'slot_mismatch'],
  [9, 10.5, 'slot_mismatch'],
  [8, 11, 'slot_mismatch'],
  [9, 12, 'slot_mismatch'],
  [9, 14, 'slots_inconsistent'],
])('from %d to %d o’clock of slots 9 to 11 and 13 to 14: %s', (from, to, issue) => {
  expect(runIssue([slot(9, 10), slot(10, 11), slot(13, 14)], slot(from, to))).toBe(issue);
});

it('a slot begins and ends when the clock there says so, also on the day it is moved', () => {
  const berlin = { zoneHours: 0, zoneName: 'Europe/Berlin' };
  const iso = (date: string) => Object.values(momentsOf(berlin, date, slot(1, 4))).map((at) => new Date(at).toISOString());
  expect(iso('2026-06-17')).toEqual(['2026-06-16T23:00:00.000Z', '2026-06-17T02:00:00.000Z']);
  expect(iso('2026-03-29')).toEqual(['2026-03-29T00:00:00.000Z', '2026-03-29T02:00:00.000Z']);
});

describe('what is wrong with the slots of an amenity', () => {
  const issues = (duration: number, ...items: readonly unknown[]) =>
    slotIssues({ duration, items } as AmenitySlots).map(({ path, rule }) => `${path.slice(2).join('.')} ${rule}`);
  it.each<[string, unknown[], string[]]>([
    ['a day and whole slots', [item(9, 11, 'mon')], []],
    ['no day', [item(9, 11)], ['0.days slot_needs_day']],
    ['days not said', [{ from: 0, to: HOUR }], []],
    ['an end before the beginning', [item(11, 9, 'mon')], ['0.to slot_order']],
    ['no time at all', [item(9, 9, 'mon')], ['0.to slot_order']],
    ['half a slot', [item(9, 10.5, 'mon')], ['0.to slot_duration']],
    ['one after the other on a day', [item(9, 11, 'mon'), item(11, 12, 'mon')], []],
    ['one before the other on a day', [item(11, 12, 'mon'), item(9, 11, 'mon')], []],
    ['at the same time on other days', [item(9, 11, 'mon'), item(9, 11, 'tue')], []],
    ['at the same time on one day', [item(9, 11, 'mon', 'tue'), item(10, 12, 'tue')], ['1.from slot_overlap']],
    ['within another', [item(10, 11, 'tue'), item(9, 12, 'tue')], ['1.from slot_overlap']],
    ['the third over the first', [item(9, 11, 'tue'), item(9, 11, 'wed'), item(8, 10, 'tue')], ['2.from slot_overlap']],
  ])('%s', (_what, items, wanted) => expect(issues(HOUR, ...items)).toEqual(wanted));
  it('without a length there are no halves, and without slots nothing is wrong', () => {
    expect(issues(0, item(9, 10.5, 'mon'))).toEqual([]);
    expect([slotIssues(undefined), slotIssues({})]).toEqual([[], []]);
    expect(slotIssues({ items: [item(9, 9, 'mon')] })).toEqual([{ path: ['timeSlots', 'items', 0, 'to'], rule: 'slot_order', params: {} }]);
  });
});
