import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { uuid } from '#tests/support/people.ts';
import { annaWith, openPage, rowsAnswer } from './support/area-page.ts';
import { refused } from './support/fake-server.ts';
import { fill } from './support/user.ts';

const stamps = { version: 1, created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z', created_by: null };
const floors = (...names: string[]) => names.map((name, at) => ({ number: at + 1, name, group: null }));
const elevator = (number: number, name: string, domain: string) => ({
  ...stamps,
  id: uuid(number),
  name,
  description: null,
  domain,
  domain_id: { id: uuid(1), name: domain, path: [domain] },
  controllers: [{ device: { id: uuid(60), name: 'LC left' }, mode: 'access' }],
  floors: floors('Lobby', 'Office'),
  floors_count: 2,
  hasAccessModeController: true,
});
const [left, right] = [elevator(50, 'Left', 'Tower A'), elevator(51, 'Left', 'Tower B')];
const rights = annaWith(
  'can_view_all_elevators',
  'can_create_elevators',
  'can_edit_elevators',
  'can_view_all_elevator_access_rules',
  'can_create_elevator_access_rules',
  'can_view_all_users',
  'can_view_all_devices',
  'can_view_all_groups',
);
const floorsOf = (row: typeof left) => ({ [`GET /elevators/${row.id}/floors`]: () => ({ body: { data: row.floors } }) });

it('the form of an elevator marks controllers and floors as required', async () => {
  await openPage('/elevators/add', { 'GET /elevators': () => rowsAnswer([]) }, rights);
  await screen.findByLabelText(/^Name/);
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual(['General', 'Controllers*', 'Floors*']);
});

describe('the form of an elevator access rule', () => {
  const open = () =>
    openPage(
      '/elevators/access-rules/add',
      {
        'GET /elevators': () => rowsAnswer([left, right]),
        'GET /groups': () => rowsAnswer([{ ...stamps, id: uuid(1), name: 'Tower A', path: ['Tower A'] }]),
        'GET /users': () => rowsAnswer([{ ...stamps, id: uuid(2), name: 'Boris', email: null, login: 'boris', role: null }]),
        ...floorsOf(left),
        ...floorsOf(right),
        'PUT /elevator-access-rules': () => ({ body: { data: uuid(70) } }),
        'GET /elevator-access-rules': () => rowsAnswer([]),
      },
      rights,
    );

  it('offers elevators that work by identifier, named with their house, and sends those with floors', async () => {
    const { user, server } = await open();
    await fill(user, await screen.findByLabelText(/^Name/), 'Boris upstairs');
    await user.click(within(screen.getByRole('main')).getByRole('button', { name: /^Users/ }));
    await user.click(await screen.findByRole('checkbox', { name: /Boris/ }));
    await user.click(screen.getByRole('button', { name: 'Choose 1' }));
    await user.click(await screen.findByRole('button', { name: /^Elevators and floors/ }));
    const asked = server.asked('GET', '/elevators').map(({ query }) => query['filters'] ?? '');
    expect(asked.some((filters) => filters.includes('"field":"hasAccessModeController","rule":"is","value":true'))).toBe(true);
    expect(await screen.findByRole('button', { name: 'Access by identifier only', pressed: true })).toBeTruthy();
    await user.click(await screen.findByRole('checkbox', { name: /Tower A/ }));
    await user.click(await screen.findByRole('checkbox', { name: /Tower B/ }));
    await user.click(screen.getByRole('button', { name: 'Choose 2' }));
    const office = within(await screen.findByRole('group', { name: 'Floors of Tower A · Left' }));
    expect(office.getAllByRole('checkbox').map(({ parentElement }) => parentElement?.textContent)).toEqual(['Office', 'Lobby']);
    await user.click(office.getByRole('checkbox', { name: 'Office' }));
    expect(screen.getAllByText('No floors yet: this elevator is not saved in the rule')).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(server.asked('PUT', '/elevator-access-rules')).toHaveLength(1));
    expect(server.asked('PUT', '/elevator-access-rules')[0]?.body).toMatchObject({
      users: [uuid(2)],
      elevators: [{ elevator: left.id, floors: [2] }],
    });
  });

  it('offers those of a group alone once it is chosen; its groups stand in the sheet only while one chooses (PICKER-09)', async () => {
    const { user, server } = await open();
    await user.click(await screen.findByRole('button', { name: /^Elevators and floors/ }));
    const chip = await screen.findByRole('button', { name: 'Group', pressed: false });
    expect(screen.queryByRole('checkbox', { name: 'Tower A' })).toBeNull();
    await user.click(chip);
    await user.click(await within(await screen.findByRole('dialog', { name: 'Group' })).findByRole('checkbox', { name: 'Tower A' }));
    expect(await screen.findByRole('button', { name: 'Group: Tower A', pressed: true })).toBeTruthy();
    const asked = () => server.asked('GET', '/elevators').map(({ query }) => query['filters'] ?? '');
    await waitFor(() => expect(asked().at(-1)).toContain(`"field":"domain_id","rule":"equals","value":["${uuid(1)}"]`));
  });
});

describe('the form of an elevator', () => {
  it('takes the floors over from a controller, with the groups that lie there', async () => {
    const map = [
      { relay: 2, floor: 1, logic_address: '1', is_public: false, is_panel_floor: false, apartments: null },
      { relay: 1, floor: 0, logic_address: '0', is_public: false, is_panel_floor: false, apartments: null },
    ];
    const { user, server } = await openPage(
      `/elevators/${left.id}/edit`,
      {
        [`GET /elevators/${left.id}`]: () => ({ body: { data: left } }),
        'GET /devices': () =>
          rowsAnswer([{ ...stamps, id: uuid(60), name: 'LC left', device_settings: { lift_controller: { settings: { floor_map: map } } } }]),
        [`GET /groups/${uuid(1)}/floors-and-apartments`]: () => ({
          body: { data: [{ floor: { id: uuid(8), name: 'Floor 1', logic_address: '1' }, apartments: [] }] },
        }),
        [`PATCH /elevators/${left.id}`]: () => ({ body: { data: left } }),
        'GET /elevators': () => rowsAnswer([left]),
      },
      rights,
    );
    await user.click(await screen.findByRole('button', { name: 'Copy floors from LC left' }));
    expect(await screen.findByText('Floor 1')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(server.asked('PATCH', `/elevators/${left.id}`)).toHaveLength(1));
    expect(server.asked('PATCH', `/elevators/${left.id}`)[0]?.body).toEqual({
      floors: [
        { number: 1, name: '0', group: null },
        { number: 2, name: '1', group: uuid(8) },
      ],
    });
  });
});

describe('calling an elevator', () => {
  it('leads to the floors when none was chosen, and to the apartment that the elevator does not serve', async () => {
    const { user } = await openPage('/elevators', {
      'GET /elevators': () => rowsAnswer([left]),
      ...floorsOf(left),
      [`POST /elevators/${left.id}/call`]: () =>
        refused(422, 'invalid_data', 'Invalid data sent', { issues: [{ path: ['apartment'], rule: 'required', params: {} }] }),
    });
    await user.click(await screen.findByRole('button', { name: /Left/ }));
    await user.click(screen.getByRole('menuitem', { name: 'Call elevator' }));
    const dialog = within(await screen.findByRole('dialog', { name: /^Call/ }));
    const top = await dialog.findByRole('radio', { name: 'Office' });
    expect(dialog.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent)).toEqual(['Office', 'Lobby', 'Up', 'Down']);
    await user.click(dialog.getByRole('button', { name: 'Call' }));
    await waitFor(() => expect(document.activeElement).toBe(top));
    const apartment = dialog.getByRole('textbox');
    await user.type(apartment, '99');
    await user.click(dialog.getByRole('button', { name: 'Call' }));
    await waitFor(() => expect(document.activeElement).toBe(apartment));
  });
});

describe('the search of a log', () => {
  it.each([
    ['/elevators/events', 'elevator-events', 'can_view_elevators', 'Search: Elevator, Floor'],
    ['/devices/events', 'device-events', 'can_view_device_events', 'Search: Device'],
    ['/access-control/events', 'access-control-events', 'can_view_access_control_events', 'Search: Device'],
  ] as const)('at %s names what it looks into, not all that the column shows', async (address, area, permission, name) => {
    await openPage(address, { [`GET /${area}`]: () => rowsAnswer([]) }, annaWith(permission));
    expect(await screen.findByRole('searchbox', { name })).toBeTruthy();
  });
});
