import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { uuid } from '#tests/support/people.ts';
import { annaWith, openPage, rowsAnswer } from './support/area-page.ts';

const hour = 3_600;
const days = { mon: true, tue: true, wed: true, thu: true, fri: true, sat: false, sun: false };
const schedule = {
  id: uuid(40),
  version: 1,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  created_by: null,
  name: 'Hours',
  description: null,
  days,
  from: 9 * hour,
  to: 18 * hour,
  is_all_day: false,
  repeat_mode: 'weekly',
  valid_from: null,
  valid_to: null,
  holiday_mode: 'holds',
  holiday_from: 0,
  holiday_to: 0,
  rules_count: 0,
};

const open = (over: Partial<Record<keyof typeof schedule, unknown>> = {}) =>
  openPage(
    `/schedules/${schedule.id}/edit`,
    { [`GET /schedules/${schedule.id}`]: () => ({ body: { data: { ...schedule, ...over } } }), 'GET /schedules': () => rowsAnswer([]) },
    annaWith('can_view_time_rules', 'can_edit_time_rules'),
  );
/** What the strip says of each day, without the day. */
async function strip(): Promise<(string | null)[]> {
  const list = await screen.findByRole('list', { name: 'Hours on each of the next 14 days' });
  return within(list)
    .getAllByRole('listitem')
    .map((line) => within(line).getByText(/^(?:\d\d:\d\d–|Closed)/).textContent);
}

describe('what a schedule means (experience.md 30)', () => {
  it('is said in words and shown for each of the next 14 days', async () => {
    await open();
    const shown = await strip();
    expect([shown.length, shown.filter((text) => text === '09:00–18:00').length, shown.filter((text) => text === 'Closed').length]).toEqual([
      14, 10, 4,
    ]);
    expect(screen.getByText('Mon–Fri 09:00–18:00')).toBeTruthy();
    expect(screen.getByText('In the time zone of each door’s group.')).toBeTruthy();
  });

  it('tells a night in both of its days, and that it ends on the next', async () => {
    await open({ repeat_mode: 'daily', from: 22 * hour, to: 6 * hour });
    expect(await strip()).toEqual(Array.from({ length: 14 }, () => '00:00–06:00, 22:00–24:00'));
    expect(screen.getByText('Every day 22:00–06:00 (next day)')).toBeTruthy();
  });

  it('names holidays, and does not show what differs from group to group', async () => {
    await open({ holiday_mode: 'own_hours', holiday_from: 10 * hour, holiday_to: 14 * hour, is_all_day: true });
    expect(await strip()).toHaveLength(14);
    expect(screen.getByText('Mon–Fri all day, on holidays 10:00–14:00')).toBeTruthy();
    expect(screen.getByText(/Holidays are not shown: they differ between groups/)).toBeTruthy();
  });

  it('follows the form while one types, and waits where it says nothing yet', async () => {
    const { user } = await open();
    await strip();
    await user.selectOptions(screen.getByRole('combobox', { name: /^Repeat/ }), 'Every day');
    expect(await screen.findByText('Every day 09:00–18:00')).toBeTruthy();
    expect(await strip()).toEqual(Array.from({ length: 14 }, () => '09:00–18:00'));
    await user.selectOptions(screen.getByRole('combobox', { name: /^Repeat/ }), 'Every month');
    expect(await screen.findByText('Fill in the days and hours to see the next 14 days.')).toBeTruthy();
  });
});
