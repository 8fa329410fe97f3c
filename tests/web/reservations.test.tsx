import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AmenityState } from '#models/amenity-calls.ts';
import type { ReservationCalendar } from '#models/amenity-reservation-calls.ts';
import { uuid } from '#tests/support/people.ts';
import { boardOf, placeFor } from '#src/views/reservations/calendar/board.ts';
import { datesOf, dayHeading, rangeText, stepped } from '#src/views/reservations/calendar/days.ts';
import { cellsOf } from '#src/views/reservations/calendar/short-slots.ts';
import { annaWith, openPage, rowsAnswer } from './support/area-page.ts';

const hour = 3_600;
const date = '2031-05-05';
const rights = annaWith(
  'can_view_all_amenities',
  'can_view_own_amenity_reservations',
  'can_create_own_amenity_reservations',
  'can_edit_own_amenity_reservations',
);
const everyDay = { mon: true, tue: true, wed: true, thu: true, fri: true, sat: true, sun: true };
const sauna = { id: uuid(50), name: 'Sauna', is_active: true, time_zone_name: 'Europe/Berlin' };
const slot = (from: number, more: Partial<AmenityState['slots'][number]> = {}): AmenityState['slots'][number] => ({
  from: from * hour,
  to: (from + 1) * hour,
  starts_at: `${date}T${String(from).padStart(2, '0')}:00:00.000Z`,
  ends_at: `${date}T${String(from + 1).padStart(2, '0')}:00:00.000Z`,
  places: 8,
  is_taken: false,
  ...more,
});
const state: AmenityState = {
  date,
  time_zone_name: 'Europe/Berlin',
  slots: [slot(9), slot(10), slot(11), slot(12, { places: 0, is_taken: true }), slot(13), slot(14, { places: 0 })],
};
const answers = {
  [`GET /amenities/${sauna.id}/state`]: () => ({ body: { data: state } }),
  [`GET /amenities/${sauna.id}`]: () => ({ body: { data: sauna } }),
  'GET /amenities': () => rowsAnswer([sauna]),
  'GET /amenity-reservations': () => rowsAnswer([]),
  'PUT /amenity-reservations': () => ({ body: { data: uuid(60) } }),
};
const open = (more = '') => openPage(`/amenities/reservations/add?amenity=${sauna.id}&date=${date}${more}`, answers, rights);
const hours = (from: number, to = from + 1) => `${String(from).padStart(2, '0')}:00–${String(to).padStart(2, '0')}:00`;
const free = (from: number) => screen.findByRole('button', { name: hours(from) });
const pressed = () =>
  within(screen.getByRole('group', { name: /Time/ }))
    .queryAllByRole('button', { pressed: true })
    .map(({ textContent }) => textContent);

describe('the slots of a reservation', () => {
  it('offers what is free, and says of the rest whether it is taken or over, and whose clock it is', async () => {
    await open();
    await free(9);
    const group = within(screen.getByRole('group', { name: /Time/ }));
    const closed = group.getAllByRole<HTMLButtonElement>('button').filter(({ disabled }) => disabled);
    expect(closed.map(({ textContent }) => textContent)).toEqual([`${hours(12)}Taken`, `${hours(14)}Over`]);
    expect(group.getByText(/Europe\/Berlin/)).toBeTruthy();
  });

  it('takes free slots in a row together, never over one that is taken, and gives them up again', async () => {
    const { user, server } = await open();
    await user.click(await free(9));
    await user.click(await free(11));
    expect(pressed()).toEqual([hours(9), hours(10), hours(11)]);
    await user.click(await free(13));
    expect(pressed()).toEqual([hours(13)]);
    await user.click(await free(13));
    expect(pressed()).toEqual([]);
    await user.click(await free(10));
    await user.click(await free(9));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(server.asked('PUT', '/amenity-reservations')).toHaveLength(1));
    expect(server.asked('PUT', '/amenity-reservations')[0]?.body).toMatchObject({ date, timeSlots: { from: 9 * hour, to: 11 * hour } });
  });

  it('is the one that was pressed in the calendar, as long as that is free', async () => {
    await open(`&from=${10 * hour}`);
    expect(await screen.findByRole('button', { name: hours(10), pressed: true })).toBeTruthy();
  });

  it('is none where the one that was pressed is taken by now', async () => {
    await open(`&from=${12 * hour}`);
    await free(9);
    expect(pressed()).toEqual([]);
  });
});

const calendar: ReservationCalendar = {
  amenities: [{ ...sauna, timeSlots: { duration: hour, items: [{ days: everyDay, from: 9 * hour, to: 12 * hour }] } }],
  reservations: [
    {
      id: uuid(60),
      version: 1,
      amenity: { id: sauna.id, name: 'Sauna' },
      user: { id: uuid(2), name: 'Boris' },
      date,
      timeSlots: { from: 9 * hour, to: 10 * hour },
      status: 'active',
      numberOfPersons: 1,
      may_change: true,
    },
  ],
  taken: [{ amenity_id: sauna.id, date, timeSlots: { from: 10 * hour, to: 11 * hour } }],
};

describe('the calendar of reservations', () => {
  const board = boardOf(calendar, () => ({ date, second: 8 * hour }));
  const [place] = board.places;
  const [item] = calendar.reservations;

  it('has weeks from Monday on, whole ones for a month, and steps into shorter months', () => {
    expect(datesOf('week', '2031-05-07', 1)).toEqual(Array.from({ length: 7 }, (_, day) => `2031-05-${String(5 + day).padStart(2, '0')}`));
    const month = datesOf('month', date, 1);
    expect([month.length, month[0], month.at(-1)]).toEqual([35, '2031-04-28', '2031-06-01']);
    expect(stepped('month', '2031-01-31', 1)).toBe('2031-02-28');
  });

  it('names days and weeks as each language does', () => {
    expect([dayHeading(date, 'en'), dayHeading(date, 'ru')]).toEqual(['Mon, 5 May', 'пн, 5 мая']);
    expect(dayHeading('2031-09-24', 'ru', 'D MMMM YYYY')).toBe('ср, 24 сентября 2031');
    expect(rangeText('2031-05-05', '2031-05-11', 'en')).toBe('5–11 May 2031');
    expect(rangeText('2031-04-28', '2031-05-04', 'en')).toBe('28 Apr – 4 May 2031');
    expect(rangeText('2031-12-29', '2032-01-04', 'en')).toBe('29 Dec 2031 – 4 Jan 2032');
  });

  it('knows as free what nobody has and what has not begun', () => {
    if (!place) throw new Error('the amenity is not on the board');
    expect(board.freeAt(place, date).map(({ from }) => from / hour)).toEqual([11]);
    expect(board.freeAt(place, '2031-05-06')).toHaveLength(3);
    expect(board.freeAt(place, '2031-05-04')).toEqual([]);
    expect(boardOf(calendar, () => ({ date, second: 11 * hour })).freeAt(place, date)).toEqual([]);
  });

  it('moves only to slots that the amenity has', () => {
    if (!item) throw new Error('the reservation is not on the board');
    expect(placeFor(board, item, { date: '2031-05-06' })).toMatchObject({ date: '2031-05-06', timeSlots: item.timeSlots });
    expect(placeFor(board, item, { date, from: 12 * hour })).toBeNull();
    expect(placeFor(board, item, { date, from: 9.5 * hour })).toBeNull();
    expect(placeFor(board, item, { date, amenityId: uuid(51) })).toBeNull();
  });

  it('of a day that is wider than the page opens in the morning', async () => {
    vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(2_400);
    onTestFinished(() => void vi.restoreAllMocks());
    const allDay = { duration: hour, items: [{ days: everyDay, from: 0, to: 24 * hour }] };
    const answer = { ...calendar, amenities: calendar.amenities.map((one) => ({ ...one, timeSlots: allDay })) };
    await openPage(
      `/amenities/reservations?view=calendar&show=day&date=${date}`,
      { ...answers, 'GET /amenity-reservations/calendar': () => ({ body: { data: answer } }) },
      rights,
    );
    expect((await screen.findByText('23:00')).closest('.calendar')?.scrollLeft).toBe(800);
  });

  it('sets short slots below each other within their hour, and one that goes on over the hour into its column as well', () => {
    expect(cellsOf({ from: 9 * hour + 300, to: 9 * hour + 600 }, 300)).toEqual([{ hour: 9, row: 1, rows: 1 }]);
    expect(cellsOf({ from: 9.75 * hour, to: 11.25 * hour }, 900)).toEqual([
      { hour: 9, row: 3, rows: 1 },
      { hour: 10, row: 0, rows: 4 },
      { hour: 11, row: 0, rows: 1 },
    ]);
    // Slots of 25 minutes: the third begins at ten to ten, the next at a quarter past.
    expect([0, 1, 2, 3].map((at) => cellsOf({ from: 9 * hour + at * 1_500, to: 9 * hour + (at + 1) * 1_500 }, 1_500)[0])).toEqual([
      { hour: 9, row: 0, rows: 1 },
      { hour: 9, row: 1, rows: 1 },
      { hour: 9, row: 2, rows: 1 },
      { hour: 10, row: 0, rows: 1 },
    ]);
  });

  it('of a day says when each short slot begins; a phone gathers them by the hour', async () => {
    const five = { duration: 300, items: [{ days: everyDay, from: 9 * hour, to: 12 * hour }] };
    const answer = { ...calendar, amenities: calendar.amenities.map((one) => ({ ...one, timeSlots: five })) };
    const address = `/amenities/reservations?view=calendar&show=day&date=${date}`;
    const given = { ...answers, 'GET /amenity-reservations/calendar': () => ({ body: { data: answer } }) };
    const page = await openPage(address, given, rights);
    const slotOf = (when: string) => screen.findByRole('button', { name: `Reserve Sauna, ${when}` });
    expect((await slotOf('11:05–11:10')).textContent).toBe('11:05');
    expect(screen.getByRole('button', { name: /^09:00–10:00, Sauna, Boris/ }).textContent).toContain('09:00');
    page.close();
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query.includes('640'),
      media: query,
      addEventListener: () => {},
      removeEventListener: () => {},
    }));
    onTestFinished(() => void vi.unstubAllGlobals());
    await openPage(address, given, rights);
    expect((await screen.findByRole('button', { name: 'Reserve Sauna, 11:00–12:00, 12 free slots' })).textContent).toBe('11:00–12:0012 free slots');
  });

  it('is asked for by the address; what is dragged elsewhere is asked about, and stored with the version that was seen', async () => {
    const { server } = await openPage(
      `/amenities/reservations?view=calendar&show=week&date=${date}`,
      {
        ...answers,
        'GET /amenity-reservations/calendar': () => ({ body: { data: calendar } }),
        [`PATCH /amenity-reservations/${uuid(60)}`]: () => ({ body: { data: {} } }),
      },
      rights,
    );
    const booking = await screen.findByRole('button', { name: /09:00–10:00, Sauna, Boris/ });
    const to = screen.getByRole('button', { name: /Sauna.*7 May/ });
    const dataTransfer = { setData: () => undefined, effectAllowed: 'none' };
    fireEvent.dragStart(booking, { dataTransfer });
    fireEvent.dragOver(to, { dataTransfer });
    fireEvent.drop(to, { dataTransfer });
    fireEvent.click(await screen.findByRole('button', { name: 'Move' }));
    await waitFor(() => expect(server.asked('PATCH', `/amenity-reservations/${uuid(60)}`)).toHaveLength(1));
    expect(server.asked('PATCH', `/amenity-reservations/${uuid(60)}`)[0]?.body).toEqual({
      date: '2031-05-07',
      timeSlots: { from: 9 * hour, to: 10 * hour },
    });
    await waitFor(() => expect(server.asked('GET', '/amenity-reservations/calendar').length).toBeGreaterThan(1));
  });
});

describe('subscribing to a calendar', () => {
  const url = `https://doorward.example/api/v0/calendar/${'k'.repeat(43)}.ics`;
  const feed = { created_at: '2031-05-01T08:00:00.000Z', read_at: null };
  const openFeed = async (made: typeof feed | null, reached = '/amenities/reservations') => {
    const page = await openPage(
      reached,
      {
        ...answers,
        'GET /calendar-feeds': () => ({ body: { data: { feed: made } } }),
        'POST /calendar-feeds': () => ({ body: { data: { feed, secret_url: url } } }),
        'DELETE /calendar-feeds': () => ({ body: { data: null } }),
      },
      rights,
    );
    await page.user.click(await screen.findByRole('button', { name: 'Subscribe' }));
    return { ...page, dialog: within(await screen.findByRole('dialog')) };
  };

  it('shows the new address this once, to be copied or handed to the calendar of this device', async () => {
    const { user, server, dialog } = await openFeed(null);
    await user.click(await dialog.findByRole('button', { name: 'Create address' }));
    expect(await dialog.findByDisplayValue(url)).toBeTruthy();
    expect(dialog.getByRole('link', { name: /calendar app/ }).getAttribute('href')).toBe(url.replace('https:', 'webcal:'));
    expect(server.asked('POST', '/calendar-feeds')[0]?.body).toEqual({ amenity: null });
  });

  it('says of one that exists that a new one ends it, and takes it back', async () => {
    const { user, server, dialog } = await openFeed(feed);
    expect(await dialog.findByText(/the old one will stop working/)).toBeTruthy();
    expect(dialog.getByText('Never')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Revoke address' }));
    expect(await dialog.findByRole('button', { name: 'Create address' })).toBeTruthy();
    expect(server.asked('DELETE', '/calendar-feeds')).toHaveLength(1);
  });

  it('is offered in the calendar as well', async () => {
    const { dialog } = await openFeed(null, '/amenities/reservations?view=calendar&date=2031-05-05');
    expect(await dialog.findByRole('button', { name: 'Create address' })).toBeTruthy();
  });
});
