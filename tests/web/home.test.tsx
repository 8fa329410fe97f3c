import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Attention, HomeFigures } from '#models/home.ts';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import { marksUpTo } from '#src/views/home/passes-chart.tsx';
import { anna, uuid } from '#tests/support/people.ts';
import { inboxOf, notice } from '#tests/support/watch.ts';
import { openConsole, signedInBefore, smallBuilding } from './support/console.tsx';

const nothing: Attention = { alarms: null, devices_offline: null, tasks_failed: null, has_simulator: false };
const hours = Array.from({ length: 24 }, (_, at) => ({
  from: new Date(Date.parse('2026-03-01T22:00:00Z') + at * 3_600_000).toISOString(),
  passes: at === 8 ? 12 : 0,
  usual: at === 8 ? 9.5 : 0,
}));
const figures: HomeFigures = {
  as_of: '2026-03-02T09:00:00.000Z',
  passes: hours,
  refusals: { since: '2026-02-23T09:00:00.000Z', reasons: [{ reason: 'revoked', count: 7 }] },
  availability: { since: '2026-02-23T09:00:00.000Z', devices: 4, share: 0.9999, worst: [{ device: { id: uuid(70), name: 'Gate' }, share: 0.75 }] },
};
const answer = (data: unknown) => () => ({ body: { data } });
const rights: PermissionCode[] = [
  'can_view_all_devices',
  'can_view_device_alarms',
  'can_view_device_tasks',
  'can_view_device_events',
  'can_view_device_heartbeat',
];
const role = (permissions: readonly PermissionCode[]) => ({
  ...anna,
  role: { id: uuid(2), name: 'Desk', available_roles: [], permissions: [...permissions] },
});
const licenceStatus = { at: 1_772_442_000, status: 'normal', reminders: [], changes_at: null };

/** The home page of somebody with these rights. */
async function home(permissions: readonly PermissionCode[], attention: Attention, more: Parameters<typeof smallBuilding>[0] = {}) {
  const server = smallBuilding({
    'GET /profile': answer(role(permissions)),
    'GET /attention': answer(attention),
    'GET /figures': answer(figures),
    'GET /notifications/unread': answer(inboxOf()),
    'GET /licenses/outlook': answer(licenceStatus),
    'GET /device-alarms': () => ({ body: { data: [], meta: { page: 1, size: 50, total: 0 } } }),
    ...more,
  });
  signedInBefore();
  const page = await openConsole('/home');
  await screen.findByRole('region', { name: 'Needs attention' });
  return { ...page, server };
}
const attention = () => within(screen.getByRole('region', { name: 'Needs attention' }));
/** What waits, and what is in order. */
const rows = (): string[] =>
  attention()
    .queryAllByRole('listitem')
    .map(({ textContent }) => textContent);
const addressOf = (name: RegExp): URL =>
  new URL(within(screen.getByRole('main')).getByRole<HTMLAnchorElement>('link', { name }).href, 'http://console');
const askedBy = (url: URL) => JSON.parse(url.searchParams.get('filters') ?? '{}') as unknown;

describe('what needs a person', () => {
  it('is a row for each kind of thing, counted, that leads to its list', async () => {
    await home(rights, { ...nothing, alarms: { open: 3, unclaimed: 1 }, devices_offline: 1, tasks_failed: 21 });
    await screen.findByRole('link', { name: '21 failed tasks' });
    expect(rows()).toEqual(['3 open alarms1 unacknowledged', '1 device offline', '21 failed tasks', 'No unread important notifications']);
    expect(askedBy(addressOf(/3 open alarms/))).toMatchObject({ items: [{ field: 'state', rule: 'not_equals', value: 'processed' }] });
    expect(addressOf(/1 device offline/).pathname).toBe('/devices');
    expect(askedBy(addressOf(/failed tasks/))).toMatchObject({ items: [{ field: 'status', rule: 'equals', value: 'error' }] });
  });

  it('counts licences that end and important notifications nobody has read', async () => {
    const ends = { status: 'will_expire', ends_at: licenceStatus.at + 86_400, features_end_at: licenceStatus.at + 2 * 86_400, mode: 'once' };
    await home(['can_manage_licenses'], nothing, {
      'GET /licenses/outlook': answer({
        ...licenceStatus,
        status: 'will_expire',
        reminders: [{ ...ends, group: { id: uuid(60), name: 'Tower A' } }],
      }),
      'GET /notifications/unread': answer(
        inboxOf(
          notice(2, 'alarm_enabled', { data: { device: { id: uuid(70), name: 'Gate' }, alarm: { id: uuid(90), sensor: 'smoke' } } }),
          notice(1),
        ),
      ),
    });
    await waitFor(() => expect(rows()).toHaveLength(2));
    expect(rows()).toEqual(['1 licence expiring or expired', '1 unread important notification']);
    expect(addressOf(/1 licence/).pathname).toBe(`/groups/${uuid(60)}`);
    expect(addressOf(/1 unread/).search).toBe('?type=important');
  });

  it('says what is in order, of what this person sees to, without a way there', async () => {
    await home([...rights, 'can_manage_licenses'], { ...nothing, alarms: { open: 0, unclaimed: 0 }, devices_offline: 2 });
    await screen.findByRole('link', { name: '2 devices offline' });
    expect(rows()).toEqual(['No open alarms', '2 devices offline', 'No licences expiring', 'No unread important notifications']);
    expect(attention().getAllByRole('link')).toHaveLength(1);
  });

  it('does not say that something is in order of which nothing is known', async () => {
    const away = () => ({ status: 503, body: { message: 'service is unavailable, try again later', error: { code: 'unavailable', message: '' } } });
    await home(
      [...rights, 'can_manage_licenses'],
      { ...nothing, devices_offline: 2 },
      { 'GET /licenses/outlook': away, 'GET /notifications/unread': away },
    );
    await screen.findByRole('link', { name: '2 devices offline' });
    expect(rows()).toEqual(['2 devices offline']);
  });

  it('has no rows when all is in order, and says so', async () => {
    await home(rights, { ...nothing, alarms: { open: 0, unclaimed: 0 }, devices_offline: 0, tasks_failed: 0 });
    await screen.findByText(/^Nothing needs attention/);
    expect(rows()).toEqual([]);
  });

  it('leads to the simulator where the server has one for this person', async () => {
    const page = await home(rights, { ...nothing, has_simulator: true });
    await screen.findByRole('link', { name: 'Simulator' });
    expect(addressOf(/Simulator/).pathname).toBe('/simulator');
    page.close();
    await home(rights, nothing);
    await screen.findByText(/^Nothing needs attention/);
    expect(screen.queryByRole('link', { name: 'Simulator' })).toBeNull();
  });

  it('can be asked for again when it could not be read', async () => {
    let tries = 0;
    const { user } = await home(rights, nothing, {
      'GET /attention': () => {
        tries += 1;
        return tries === 1
          ? { status: 503, body: { message: 'service is unavailable, try again later', error: { code: 'unavailable', message: '' } } }
          : { body: { data: { ...nothing, devices_offline: 2 } } };
      },
    });
    await user.click(await attention().findByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(rows()).toEqual(['2 devices offline', 'No unread important notifications']));
  });
});

describe('the trends', () => {
  const shown = () =>
    ['Entries today', 'Access denied, last 7 days', 'Devices, last 7 days'].filter((name) => screen.queryByRole('region', { name }));
  it('are bars that say their numbers and lead to the events behind them', async () => {
    const { user } = await home(rights, nothing);
    await screen.findByText(/12 so far/);
    const bars = screen.getAllByRole<HTMLAnchorElement>('link', { name: /entries \d+, typical/ });
    expect([bars.length, shown().length]).toEqual([24, 3]);
    expect(bars[8]?.getAttribute('aria-label')).toBe('08:00–09:00: entries 12, typical 9.5');
    expect(askedBy(addressOf(/^08:00–09:00/))).toMatchObject({
      items: [{ value: 'access_granted' }, { rule: 'equals_above', value: hours[8]?.from }, { rule: 'below', value: hours[9]?.from }],
    });
    // All 24 bars are one stop of the Tab key; the arrows lead on.
    expect(bars.filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
    act(() => bars[0]?.focus());
    await user.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(bars[1]);
    expect(askedBy(addressOf(/^Revoked/))).toMatchObject({
      items: [{ value: 'access_denied' }, { field: 'reason', value: 'revoked' }, { value: figures.refusals?.since }],
    });
    expect(screen.getByRole('link', { name: 'Online 99.9% of the time · 4 devices' })).toBeTruthy();
    expect(addressOf(/^Gate/).pathname).toBe(`/devices/${uuid(70)}`);
  });

  it('are not there, nor asked for, without the right to see events', async () => {
    const { server } = await home(['can_view_all_devices'], nothing);
    await screen.findByText(/^Nothing needs attention/);
    expect([shown(), server.asked('GET', '/figures')]).toEqual([[], []]);
  });
});

it.each([
  [1, [1, 0]],
  [1.4, [2, 1, 0]],
  [9.5, [10, 5, 0]],
  [10, [10, 5, 0]],
  [12, [20, 10, 0]],
  [61, [80, 40, 0]],
  [100, [100, 50, 0]],
  [1_234, [2_000, 1_000, 0]],
])('an axis for %d entries an hour has the marks %j', (most, marks) => expect(marksUpTo(most)).toEqual(marks));
