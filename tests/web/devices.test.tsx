import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { defaultDeviceSettings } from '#models/device-settings.ts';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import { remoteRefusedReason } from '#src/views/devices/remote-refused-dialog.tsx';
import { uuid } from '#tests/support/people.ts';
import { annaWith, openPage, rowsAnswer } from './support/area-page.ts';
import { descriptionOf, fill } from './support/user.ts';
import { input, saveButton } from './support/user-form.ts';

const id = uuid(60);
const { password: _none, ...sip } = defaultDeviceSettings.sip;
const device = (more: Record<string, unknown> = {}) => ({
  id,
  version: 3,
  created_at: '2026-01-02T03:04:05.000Z',
  updated_at: '2026-01-02T03:04:05.000Z',
  name: 'Lobby',
  description: null,
  type: 'panel',
  model: 'DP-350 Face',
  login: 'DP0001',
  domain: { id: uuid(30), name: 'Tower' },
  access_rules: [],
  protocol: 'mqtt',
  ip_address: null,
  port: 80,
  device_login: null,
  location: { latitude: null, longitude: null },
  get_logs: false,
  management: { heartbeat: true, realtime_logging: false },
  device_settings: { ...defaultDeviceSettings, sip: { ...sip, enabled: true, has_password: true } },
  status: 'online',
  status_at: '2026-01-02T03:04:05.000Z',
  device_info: { status: 'online', firmware: '4.2.1', settings_applied_at: null, synced_at: null, sync_errors: 0 },
  has_password: true,
  has_device_password: false,
  tasks_count: 0,
  errors_count: 0,
  path: ['Town', 'Tower'],
  created_by: null,
  ...more,
});
const token = 'a-token-of-twenty-and-more';
const around = (row: object = device()) => ({
  'GET /devices': () => rowsAnswer([row]),
  [`GET /devices/${id}`]: () => ({ body: { data: row } }),
  'GET /device-events': () => rowsAnswer([]),
  'GET /concierge-devices': () => ({ body: { data: [{ id, token, name: 'Lobby', type: 'panel', status: 'online', sip_number: null }] } }),
  'GET /groups': () => rowsAnswer([{ id: uuid(30), name: 'Tower', path: ['Town', 'Tower'], version: 1 }]),
});
const sections = () =>
  within(screen.getByRole('main'))
    .getAllByRole('region')
    .map((section) => within(section).getAllByRole('heading')[0]?.textContent);
const select = (name: string) => screen.getByRole<HTMLSelectElement>('combobox', { name });
const editDevice = async (handlers: Parameters<typeof openPage>[1] = {}, row: object = device()) => {
  const page = await openPage(`/devices/${id}/edit`, { ...around(row), ...handlers });
  await screen.findByRole('textbox', { name: 'Name' });
  return page;
};
/** Of the two passwords that a device and its server show each other; a password has no role. */
const password = (name: string) => screen.getByLabelText<HTMLInputElement>(name);

describe('the form of a device', () => {
  it('has the sections that its type, model and protocol ask for', async () => {
    const { user } = await editDevice();
    expect(sections()).toEqual([
      'General',
      'Connection',
      'MQTT broker',
      'Device network',
      'Telephony (SIP)',
      'Address',
      'Doors and buttons',
      'Face recognition',
      'Video system',
      'Monitoring',
      'Location',
    ]);
    await user.selectOptions(select('Model'), 'DP-110');
    expect(sections()).not.toContain('Face recognition');
    await user.selectOptions(select('Model'), 'DP-360 Vehicle');
    expect(sections()).toContain('Number plates');
    await user.selectOptions(select('Protocol'), 'HTTP');
    expect(sections()).not.toContain('MQTT broker');
    await user.selectOptions(select('Protocol'), 'None');
    expect(sections()).toEqual([
      'General',
      'Connection',
      'Telephony (SIP)',
      'Address',
      'Doors and buttons',
      'Number plates',
      'Video system',
      'Location',
    ]);
    await user.selectOptions(select('Type'), 'Elevator controller');
    await user.selectOptions(select('Model'), 'LC-16');
    expect(sections()).toEqual(['General', 'Connection', 'Elevator', 'Location']);
    await user.selectOptions(select('Type'), 'IP camera');
    await user.selectOptions(select('Model'), 'IC-4');
    await user.selectOptions(select('Protocol'), 'HTTP');
    expect(sections()).toEqual(['General', 'Connection', 'Device network', 'Video system', 'Monitoring', 'Location']);
  });

  it('says what a model can do, and forgets one of another type', async () => {
    const { user } = await editDevice();
    expect(descriptionOf(select('Model'))).toEqual(['2 relays · calls · camera · cards · codes · QR codes · faces']);
    await user.selectOptions(select('Type'), 'Barrier');
    expect([...select('Model').options].map(({ value }) => value)).toEqual(['', 'BR-3', 'BR-6 Plate']);
    expect(select('Model').value).toBe('');
    await user.click(saveButton());
    await screen.findByText(/Check the marked fields/);
    expect(descriptionOf(select('Model'))).toEqual(['This field is required']);
  });

  it('shows no password, keeps an untouched one, and sends only what was typed (C21)', async () => {
    const { user, server, at } = await editDevice({ [`PATCH /devices/${id}`]: () => ({ body: { data: device() } }) });
    const own = password('Device-to-server password');
    expect([own.value, own.type]).toEqual(['', 'password']);
    expect(descriptionOf(own).join()).toContain('A password is stored');
    expect(descriptionOf(password('Server-to-device password')).join()).not.toContain('A password is stored');
    await fill(user, own, 'Typed-2026');
    await fill(user, own, '');
    await fill(user, input('Description'), 'by the lift');
    await user.click(saveButton());
    await at('/devices');
    expect(server.asked('PATCH', `/devices/${id}`)[0]?.body).toEqual({ description: 'by the lift' });
  });

  it('never writes a typed password into what saving would change', async () => {
    const { user } = await editDevice();
    await fill(user, password('Device-to-server password'), 'Typed-2026');
    expect(within(screen.getByRole('complementary')).getAllByText('Device-to-server password')).toHaveLength(1);
    expect(document.body.textContent).not.toContain('Typed-2026');
  });

  it('takes relays by their own form and sends them in milliseconds', async () => {
    const { user, server, at } = await editDevice({ [`PATCH /devices/${id}`]: () => ({ body: { data: device() } }) });
    const doors = within(screen.getByRole('region', { name: 'Doors and buttons' }));
    await user.click(doors.getByText('Set up relays'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Relays' }));
    expect(dialog.getAllByRole('row')).toHaveLength(3);
    const time = dialog.getByRole('textbox', { name: 'Switching time (ms) 1' });
    await fill(user, time, '50');
    await user.click(dialog.getByRole('button', { name: 'Apply' }));
    expect(descriptionOf(time)).toEqual(['The value must be in the range 100–600000']);
    await fill(user, time, '4500');
    await user.click(dialog.getByRole('button', { name: 'Apply' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(doors.getByText(/4500 ms/)).toBeTruthy();
    await user.click(saveButton());
    await at('/devices');
    const sent = server.asked('PATCH', `/devices/${id}`)[0]?.body as { device_settings: typeof defaultDeviceSettings };
    expect(sent.device_settings.relays.map(({ number, switch_time }) => [number, switch_time])).toEqual([
      [1, 4_500],
      [2, 3_000],
    ]);
    expect(sent.device_settings.sip.password).toBeNull();
  });
});

/** Holds a button down with the mouse until something has come of it. */
async function hold(user: UserEvent, target: HTMLElement, until: () => Promise<unknown>): Promise<void> {
  await user.pointer({ keys: '[MouseLeft>]', target });
  await until();
  await user.pointer({ keys: '[/MouseLeft]', target });
}

describe('a door', () => {
  it('opens only when the button was held, and says what the device said', async () => {
    let outcome = 'unconfirmed';
    const { user, server } = await editDevice({ 'POST /devices/open': () => ({ body: { data: { outcome } } }) });
    const asked = () => server.asked('POST', '/devices/open');
    const button = await screen.findByRole('button', { name: 'Open door' });
    await hold(user, button, () => screen.findByRole('button', { name: /^Keep holding/ }));
    expect([button.textContent, asked()]).toEqual(['Open door', []]);
    await hold(user, button, () => waitFor(() => expect(asked()).toHaveLength(1)));
    await screen.findByText(/^Not confirmed within 5 s/);
    outcome = 'confirmed';
    await hold(user, button, () => waitFor(() => expect(asked()).toHaveLength(2)));
    await screen.findByText(/^Opened, confirmed by the device/);
    expect(asked().map(({ body }) => body)).toEqual([{ token }, { token }]);
  });
  it('is not offered where there is no token for it', async () => {
    const { server } = await editDevice({ 'GET /concierge-devices': () => ({ body: { data: [] } }) });
    await waitFor(() => expect(server.asked('GET', '/concierge-devices').length).toBeGreaterThan(0));
    expect(screen.queryByRole('button', { name: 'Open door' })).toBeNull();
  });
});

describe('a command', () => {
  const command = async (user: UserEvent, name: string): Promise<void> => {
    await user.click(screen.getByRole('button', { name: 'Actions' }));
    await user.click(await screen.findByRole('menuitem', { name }));
  };
  it('says what it does before it does it', async () => {
    const { user, server } = await editDevice({ [`POST /devices/${id}/reinit`]: () => ({ body: { data: uuid(99) } }) });
    await command(user, 'Reinitialise');
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/Everything on the device is erased and written again/)).toBeTruthy();
    expect(server.asked('POST', `/devices/${id}/reinit`)).toHaveLength(0);
    await user.click(dialog.getByRole('button', { name: 'Reinitialise' }));
    await screen.findByText(/the task is queued/);
    expect(server.asked('POST', `/devices/${id}/reinit`)).toHaveLength(1);
  });
  it('of remote control explains which condition fails', async () => {
    const { user } = await editDevice({}, device({ protocol: 'http', ip_address: '10.0.0.4' }));
    await command(user, 'Remote control');
    await screen.findByText(/Remote control requires the MQTT protocol/);
    expect(remoteRefusedReason({ protocol: 'http', status: 'online' })).toBe('interface.device_is_not_mqtt_cant_remote_control');
    expect(remoteRefusedReason({ protocol: 'mqtt', status: 'offline' })).toBe('interface.device_is_offline_cant_remote_control');
    expect(remoteRefusedReason({ protocol: 'mqtt', status: 'online' })).toBeNull();
  });
});

describe('who is not told whether devices answer', () => {
  const seeing = (...permissions: PermissionCode[]) => annaWith('can_view_all_devices', ...permissions);
  const unknown = device({ status: null, status_at: null, device_info: { ...device().device_info, status: null } });
  const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  const filters = async (user: UserEvent) => {
    await user.click(screen.getByRole('button', { name: 'Filter' }));
    const list = await screen.findByRole('list', { name: 'Filter by' });
    return within(list)
      .getAllByRole('button')
      .map(({ textContent }) => textContent);
  };

  it('sees no status in the list, cannot filter by it, and reads of no device that it was never seen', async () => {
    const { user } = await openPage('/devices', around(unknown), seeing());
    await screen.findByText('Lobby');
    expect(heads()).not.toContain('Status');
    expect(heads()).not.toContain('Tasks');
    expect(await filters(user)).not.toContain('Status');
    expect(screen.queryByText('Never seen')).toBeNull();
  });
  it('reads nothing of it beside the form either', async () => {
    await openPage(`/devices/${id}`, around(unknown), seeing());
    await screen.findByText('Firmware');
    expect(screen.queryByText('Never seen')).toBeNull();
  });
  it('others see it', async () => {
    const { user } = await openPage('/devices', around(unknown), seeing('can_view_device_heartbeat', 'can_view_device_tasks'));
    await screen.findByText('Never seen');
    expect(heads()).toEqual(expect.arrayContaining(['Status', 'Tasks']));
    expect(await filters(user)).toContain('Status');
  });
});
