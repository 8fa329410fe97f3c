import { act } from 'react';
import { describe, expect, it } from 'vitest';
import { defaultDeviceSettings } from '#models/device-settings.ts';
import { linesBetween, readPlace, roundStep, toPixels, toPlace, viewOf } from '#src/views/devices/grid.ts';
import { readPayload, remotePath } from '#src/views/devices/remote-payload.ts';
import { remoteRefusal } from '#src/views/devices/remote-refused-dialog.tsx';
import { mayMoveTask } from '#src/views/devices/task-moves.ts';
import { filledLines, readLines } from '#src/resources/devices/floor-lines.ts';
import { uuid } from '#tests/support/people.ts';
import { all, areaPages, button, one, press, rowsAnswer, type } from './support/area-page.ts';

const open = areaPages();
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
const sections = () => all('.form-heading').map(({ textContent }) => textContent);
const choose = (path: string, value: string): Promise<void> =>
  act(async () => {
    const select = one<HTMLSelectElement>(`[data-path="${path}"] select`);
    select.value = value;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
const edited = async (handlers: Parameters<typeof open>[1] = {}, row: object = device()) => {
  const page = await open(`/devices/${id}/edit`, { ...around(row), ...handlers });
  await page.until('the form', () => all('[data-path="name"] input').length === 1);
  return page;
};

describe('the form of a device', () => {
  it('has the sections that its type, model and protocol ask for', async () => {
    await edited();
    expect(sections()).toEqual([
      'General',
      'Connection',
      'MQTT broker',
      'Device network',
      'Telephony (SIP)',
      'Address',
      'Doors and buttons',
      'Face recognition',
      'Monitoring',
      'Location',
    ]);
    await choose('model', 'DP-110');
    expect(sections()).not.toContain('Face recognition');
    await choose('model', 'DP-360 Vehicle');
    expect(sections()).toContain('Number plates');
    await choose('protocol', 'http');
    expect(sections()).not.toContain('MQTT broker');
    await choose('protocol', 'none');
    expect(sections()).toEqual(['General', 'Connection', 'Telephony (SIP)', 'Address', 'Doors and buttons', 'Number plates', 'Location']);
    await choose('type', 'lift_controller');
    await choose('model', 'LC-16');
    expect(sections()).toEqual(['General', 'Connection', 'Elevator', 'Location']);
    await choose('type', 'ip_camera');
    await choose('model', 'IC-4');
    await choose('protocol', 'http');
    expect(sections()).toEqual(['General', 'Connection', 'Device network', 'Monitoring', 'Location']);
  });

  it('says what a model can do, and forgets one of another type', async () => {
    const page = await edited();
    expect(one('[data-path="model"]').textContent).toContain('2 relays · calls · camera · cards · codes · QR codes · faces');
    await choose('type', 'barrier');
    expect(one<HTMLSelectElement>('[data-path="model"] select').value).toBe('');
    expect([...one<HTMLSelectElement>('[data-path="model"] select').options].map(({ value }) => value)).toEqual(['', 'BR-3', 'BR-6 Plate']);
    await press(one('button[type="submit"]'));
    await page.shows('Check the marked fields');
    expect(one('[data-path="model"] .field-issue').textContent).toBe('This field is required');
  });

  it('shows no password, keeps an untouched one, and sends only what was typed (C21)', async () => {
    const page = await edited({ [`PATCH /devices/${id}`]: () => ({ body: { data: device() } }) });
    const own = one<HTMLInputElement>('[data-path="password"] input');
    expect([own.value, own.type]).toEqual(['', 'password']);
    expect(one('[data-path="password"]').textContent).toContain('A password is stored');
    expect(one('[data-path="device_password"]').textContent).not.toContain('A password is stored');
    await type(own, 'Typed-2026');
    await type(own, '');
    await type('[data-path="description"] input', 'by the lift');
    await press(one('button[type="submit"]'));
    await page.at('/devices');
    expect(page.server.asked('PATCH', `/devices/${id}`)[0]?.body).toEqual({ description: 'by the lift' });
  });

  it('never writes a typed password into what saving would change', async () => {
    await edited();
    await type('[data-path="password"] input', 'Typed-2026');
    expect(one('.area-aside').textContent).toContain('Device-to-server password');
    expect(document.body.textContent).not.toContain('Typed-2026');
  });

  it('takes relays by their own form and sends them in milliseconds', async () => {
    const page = await edited({ [`PATCH /devices/${id}`]: () => ({ body: { data: device() } }) });
    await press('+ Set up relays');
    await page.until('the relays', () => all('.relay-row').length === 3);
    const times = all<HTMLInputElement>('.relay-row [inputmode="numeric"]');
    await type(times[0] ?? one('missing'), '50');
    await press('Apply');
    expect(one('dialog .field-issue').textContent).toBe('The value must be in the range 100–600000');
    await type(times[0] ?? one('missing'), '4500');
    await press('Apply');
    await page.until('closed', () => all('dialog[open]').length === 0);
    expect(one('[data-path="device_settings.relays"]').textContent).toContain('4500 ms');
    await press(one('button[type="submit"]'));
    await page.at('/devices');
    const sent = page.server.asked('PATCH', `/devices/${id}`)[0]?.body as { device_settings: typeof defaultDeviceSettings };
    expect(sent.device_settings.relays.map(({ number, switch_time }) => [number, switch_time])).toEqual([
      [1, 4_500],
      [2, 3_000],
    ]);
    expect(sent.device_settings.sip.password).toBeNull();
  });
});

describe('a door', () => {
  it('opens only when the button was held, and says what the device said', async () => {
    let outcome = 'unconfirmed';
    const page = await edited({ 'POST /devices/open': () => ({ body: { data: { outcome } } }) });
    await page.until('the button', () => all('.hold-button').length === 1);
    const hold = async (time: number) => {
      await act(async () => {
        one('.hold-button').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
        await new Promise((resolve) => setTimeout(resolve, time));
      });
      await act(async () => one('.hold-button').dispatchEvent(new PointerEvent('pointerup', { bubbles: true })));
    };
    await hold(200);
    expect(page.server.asked('POST', '/devices/open')).toHaveLength(0);
    await hold(900);
    await page.shows('Not confirmed within 5 s');
    expect(one('.door-result').dataset['state']).toBe('unconfirmed');
    outcome = 'confirmed';
    await hold(900);
    await page.shows('Opened, confirmed by the device');
    expect(page.server.asked('POST', '/devices/open').map(({ body }) => body)).toEqual([{ token }, { token }]);
  });
  it('is not offered where there is no token for it', async () => {
    const page = await edited({ 'GET /concierge-devices': () => ({ body: { data: [] } }) });
    await page.until('asked', () => page.server.asked('GET', '/concierge-devices').length > 0);
    expect(all('.hold-button')).toHaveLength(0);
  });
});

describe('a command', () => {
  it('says what it does before it does it', async () => {
    const page = await edited({ [`POST /devices/${id}/reinit`]: () => ({ body: { data: uuid(99) } }) });
    await press('Actions');
    await press('Reinitialise');
    await page.shows('Everything on the device is erased and written again');
    expect(page.server.asked('POST', `/devices/${id}/reinit`)).toHaveLength(0);
    await press(all('dialog button').find(({ textContent }) => textContent === 'Reinitialise') ?? button('missing'));
    await page.shows('the task is queued');
    expect(page.server.asked('POST', `/devices/${id}/reinit`)).toHaveLength(1);
  });
  it('of remote control explains which condition fails', async () => {
    const page = await edited({}, device({ protocol: 'http', ip_address: '10.0.0.4' }));
    await press('Actions');
    await press('Remote control');
    await page.shows('Remote control requires the MQTT protocol');
    expect(remoteRefusal({ protocol: 'http', status: 'online' })).toBe('interface.device_is_not_mqtt_cant_remote_control');
    expect(remoteRefusal({ protocol: 'mqtt', status: 'offline' })).toBe('interface.device_is_offline_cant_remote_control');
    expect(remoteRefusal({ protocol: 'mqtt', status: 'online' })).toBeNull();
  });
});

describe('the address of remote control', () => {
  it('names the device and nothing else, and is checked', () => {
    const payload = new URLSearchParams(remotePath(id).split('?')[1]).get('payload');
    expect(JSON.parse(atob((payload ?? '').replaceAll('-', '+').replaceAll('_', '/')))).toEqual({ device_id: id });
    expect(readPayload(payload)).toBe(id);
    for (const wrong of [null, '', '%%%', btoa('{}'), btoa('{"device_id":"x"}'), btoa(JSON.stringify({ device_id: id, password: 'x' }))])
      expect(readPayload(wrong)).toBeNull();
  });
});

describe('a task', () => {
  it('is stopped and tried again only where its life lets it', () => {
    const may = (move: 'task.stop' | 'task.retry') =>
      (['new', 'queued', 'started', 'waiting', 'completed', 'error', 'stopped'] as const).filter((status) => mayMoveTask(status, move));
    expect(may('task.stop')).toEqual(['new', 'queued', 'started', 'waiting']);
    expect(may('task.retry')).toEqual(['error']);
  });
});

describe('the grid', () => {
  const view = { middle: { latitude: 52.5, longitude: 13.4 }, metresPerPixel: 1 };
  it('goes from pixels to places and back', () => {
    const place = toPlace(view, { x: 120, y: -60 });
    const { x, y } = toPixels(view, place);
    expect([Math.round(x), Math.round(y)]).toEqual([120, -60]);
    expect(place.latitude).toBeGreaterThan(52.5);
    expect(toPlace({ ...view, metresPerPixel: 40_000 }, { x: 9_999, y: -9_999 })).toEqual({ latitude: 90, longitude: 180 });
  });
  it('draws round lines', () => {
    expect([roundStep(0.0003), roundStep(7), roundStep(30)]).toEqual([0.0005, 10, 50]);
    expect(linesBetween(13.4001, 13.4021, 0.001)).toEqual([13.401, 13.402]);
  });
  it('reads coordinates as people paste them', () => {
    expect(readPlace('52.5107, 13.4252')).toEqual({ latitude: 52.5107, longitude: 13.4252 });
    expect(readPlace('52,5107 13,4252')).toEqual({ latitude: 52.5107, longitude: 13.4252 });
    expect(['', '52', 'north, west', '99, 10', '10, 190'].map(readPlace)).toEqual([null, null, null, null, null]);
  });
  it('shows all there is', () => {
    expect(viewOf([], 700).metresPerPixel).toBe(40_000);
    const both = viewOf(
      [
        { latitude: 52.5, longitude: 13.4 },
        { latitude: 52.51, longitude: 13.42 },
      ],
      700,
    );
    expect(Math.abs(toPixels(both, { latitude: 52.51, longitude: 13.42 }).x)).toBeLessThan(350);
  });
});

describe('the floors of a lift', () => {
  it('are filled relay by relay and read as they are typed', () => {
    const lines = filledLines(3);
    expect(readLines(lines, 16).map.map(({ relay, floor }) => [relay, floor])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
    expect(
      readLines(
        lines.map((line) => ({ ...line, floor: 'ground' })),
        16,
      ).issues[0],
    ).toMatchObject({ path: [0, 'floor'] });
    expect(readLines(lines, 2).issues).toMatchObject([{ path: [2, 'relay'], rule: 'relays_out_of_range' }]);
  });
});
