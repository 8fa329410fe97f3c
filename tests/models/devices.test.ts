import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { deviceCan, deviceModel, deviceModels, deviceTypes, hasDoor } from '#models/device-models.ts';
import { defaultDeviceSettings, deviceSettings, type FloorEntry } from '#models/device-settings.ts';
import { deviceIssues, devices, floorIssues } from '#models/devices.ts';
import { toIssues } from '#models/issues.ts';
import { storedPassword } from '#models/stored-password.ts';

const id = '00000000-0000-4000-8000-000000000001';
type Draft = Record<string, unknown> & { device_settings: typeof defaultDeviceSettings };
const draft = (over: Record<string, unknown> = {}): Draft => ({
  device_settings: defaultDeviceSettings,
  ...devices.initial,
  name: 'Lobby',
  model: 'DP-140',
  login: 'DP00001',
  domain: { id, name: 'Tower' },
  ip_address: '10.0.0.9',
  ...over,
});
const settings = (over: Partial<Record<keyof typeof defaultDeviceSettings, unknown>>) => ({ ...defaultDeviceSettings, ...over });
const wrong = (over: Record<string, unknown>) => devices.check(draft(over)).map(({ path, rule }) => `${path.join('.')} ${rule}`);

/** A row as the server answers it: no secret in it, only that there is one. */
const { password: _none, ...shownSip } = defaultDeviceSettings.sip;
const row = {
  ...draft(),
  domain: { id, name: 'Tower' },
  location: { latitude: 52.5, longitude: 13.4 },
  device_settings: { ...defaultDeviceSettings, sip: { ...shownSip, has_password: true } },
  has_password: true,
  has_device_password: false,
};

describe('a new device', () => {
  it('starts with what the contract says', () => {
    const { type, port, protocol, device_settings: own } = devices.initial as Draft;
    expect([type, port, protocol]).toEqual(['panel', 80, 'http']);
    expect([own.sip.talk_timeout, own.sip.transport, own.address.reregister_interval]).toEqual([120, 'UDP', 600]);
    expect([own.face_recognition.mode, own.face_recognition.similarity, own.lift_controller.settings.relay_open_time]).toEqual(['3D', 'high', 10]);
    expect(own.additional.button_numbers).toHaveLength(4);
  });
  it('is right when it has a name, a group, a model of its type and an address', () => expect(wrong({})).toEqual([]));
  it('is told what it lacks', () => {
    expect(wrong({ name: '', login: '', domain: null, model: '' })).toEqual(
      expect.arrayContaining(['name required', 'login required', 'domain required', 'model required']),
    );
  });
});

describe('the codec', () => {
  const wire = (over: Record<string, unknown>) => devices.toWire(draft(over)) as Record<string, never>;
  it('reads a decimal comma in latitude and longitude', () => {
    expect(wire({ location: { latitude: '52,5107', longitude: ' 13.4252 ' } })['location']).toEqual({ latitude: 52.5107, longitude: 13.4252 });
    expect(wire({ location: { latitude: '', longitude: '' } })['location']).toEqual({ latitude: null, longitude: null });
    expect(wrong({ location: { latitude: '91', longitude: '10' } })).toEqual(['location.latitude between']);
    expect(wrong({ location: { latitude: 'north', longitude: '10' } })).toEqual(['location.latitude decimal']);
    expect(wrong({ location: { latitude: '52,5', longitude: '' } })).toEqual(['location.longitude both_required']);
  });
  it('turns the placeholder of an unchanged password to null (C21)', () => {
    const shown = devices.fromRow(row) as Draft;
    expect([shown['password'], shown['device_password'], shown.device_settings.sip.password]).toEqual([storedPassword, '', storedPassword]);
    const sent = devices.toWire(shown) as Draft;
    expect([sent['password'], sent['device_password'], sent.device_settings.sip.password]).toEqual([null, null, null]);
    expect(devices.changes({ ...shown }, { ...shown })).toEqual({});
    expect(devices.changes({ ...shown, password: 'Typed-anew-1' }, { ...shown })).toEqual({ password: 'Typed-anew-1' });
  });
  it('sends a SIP password that was typed, and refuses one that is too simple', () => {
    const shown = devices.fromRow(row) as Draft;
    const typed = (password: string) => ({
      ...shown,
      device_settings: { ...shown.device_settings, sip: { ...shown.device_settings.sip, password } },
    });
    expect((devices.changes(typed('Sip-2026'), shown)['device_settings'] as typeof defaultDeviceSettings).sip.password).toBe('Sip-2026');
    expect(devices.check(typed('simple')).map(({ path, rule }) => `${path.join('.')} ${rule}`)).toEqual([
      'device_settings.sip.password sip_password_mix',
    ]);
  });
  it('goes there and back without loss', () => {
    expect(devices.toWire(devices.fromRow(row))).toEqual({ ...devices.toWire(draft()), location: { latitude: 52.5, longitude: 13.4 } });
  });
  it('sends empty inputs as null and numbers as numbers', () => {
    const typed = settings({
      network: { is_dhcp: false, ip: '10.0.0.5', subnet: '255.255.255.0', gateway: '10.0.0.1', dns: '' },
      additional: { ...defaultDeviceSettings.additional, button_numbers: ['101', '', null, ''] },
    });
    const sent = wire({ port: '8080', device_settings: typed }) as unknown as { port: number; device_settings: typeof defaultDeviceSettings };
    expect(sent.port).toBe(8080);
    expect(sent.device_settings.network.dns).toBeNull();
    expect(sent.device_settings.additional.button_numbers).toEqual(['101', null, null, null]);
    expect(devices.check(draft({ port: '8080', device_settings: typed }))).toEqual([]);
  });
});

describe('the secrets', () => {
  it('are named wherever they stand, and no row shows them', () => {
    expect(devices.secrets.toSorted()).toEqual(['device_password', 'device_settings.sip.password', 'password']);
    expect(Object.keys(devices.row.shape).filter((field) => field.includes('password'))).toEqual(['has_password', 'has_device_password']);
    expect(devices.row.safeParse({ ...row, password: 'x' }).success).toBe(false);
  });
});

describe('the rules of a device', () => {
  it('ask for an address where the console calls the device', () => {
    expect(wrong({ ip_address: '' })).toEqual(['ip_address required']);
    expect(wrong({ protocol: 'mqtt', ip_address: '' })).toEqual([]);
  });
  it('know the models of each type', () => {
    expect(wrong({ type: 'barrier' })).toEqual(['model device_model']);
    expect(deviceTypes.every((type) => deviceModels[type].length > 0)).toBe(true);
    expect(deviceCan({ type: 'panel', model: 'DP-350 Face' }, 'face')).toBe(true);
    expect(deviceCan({ type: 'monitor', model: 'DP-350 Face' }, 'face')).toBe(false);
    expect([hasDoor({ type: 'panel', model: 'DP-140' }), hasDoor({ type: 'ip_camera', model: 'IC-4' })]).toEqual([true, false]);
    expect(deviceModel('nothing', 'DP-140').relays).toBe(0);
  });
  it('ask for the whole address of a network without DHCP', () => {
    expect(wrong({ device_settings: settings({ network: { is_dhcp: false, ip: null, subnet: null, gateway: null, dns: null } }) })).toEqual([
      'device_settings.network.ip required',
      'device_settings.network.subnet required',
      'device_settings.network.gateway required',
    ]);
  });
  it('keep relays within those the model has', () => {
    const relay = (number: number) => ({ number, name: 'Door', switch_time: 3_000, is_inverted: false });
    expect(wrong({ device_settings: settings({ relays: [relay(1), relay(2)] }) })).toEqual([]);
    expect(wrong({ device_settings: settings({ relays: [relay(3)] }) })).toEqual(['device_settings.relays relays_out_of_range']);
    expect(wrong({ device_settings: settings({ relays: [relay(1), relay(1)] }) })).toEqual(['device_settings.relays unique']);
  });
  it('look at relays, floors and video systems where they are in use', () => {
    const relays = [{ number: 9, name: 'Door', switch_time: 3_000, is_inverted: false }];
    const floor = { relay: 99, floor: 1, logic_address: '1', is_public: false, is_panel_floor: true, apartments: '1-4' };
    const lift = (enabled: boolean) => ({
      enabled,
      settings: { ...defaultDeviceSettings.lift_controller.settings, floor_map: [{ ...floor, relay: 16 }] },
    });
    const controller = { type: 'lift_controller', model: 'LC-16' };
    expect(wrong({ type: 'monitor', model: 'DM-70', device_settings: settings({ relays }) })).toEqual([]);
    expect(wrong({ ...controller, device_settings: settings({ relays: relays.map((one) => ({ ...one, number: 20 })) }) })).toEqual([]);
    expect(wrong({ device_settings: settings({ lift_controller: lift(true) }) })).toEqual([]);
    expect(wrong({ ...controller, device_settings: settings({ lift_controller: lift(false) }) })).toEqual([]);
    expect(wrong({ ...controller, device_settings: settings({ lift_controller: lift(true) }) })).toEqual([
      'device_settings.lift_controller.settings.floor_map.0.apartments panel_floor_with_apartments',
    ]);
    for (const axxon of [
      { enabled: false, integration: null, camera: null },
      { enabled: true, integration: { id, name: 'Video' }, camera: null },
    ])
      expect(wrong({ device_settings: settings({ integration_axxon: axxon }) })).toEqual([]);
  });
  it('ask for an integrator where a video system is switched on', () => {
    expect(wrong({ device_settings: settings({ integration_axxon: { enabled: true, integration: null, camera: null } }) })).toEqual([
      'device_settings.integration_axxon.integration device_needs_integrator',
    ]);
  });
  it('look only at what is there', () => expect(deviceIssues({ name: 'x' })).toEqual([]));
});

describe('what an operator types into the settings', () => {
  const map = (entry: object) => ({ ...defaultDeviceSettings.lift_controller.settings, floor_map: [{ ...floor, ...entry }] });
  const floor = { relay: 1, floor: 1, logic_address: '1', is_public: false, is_panel_floor: false, apartments: null };
  it.each<[string, object, string]>([
    ['a relay that no controller has', { lift_controller: { enabled: true, settings: map({ relay: 99 }) } }, 'relays_out_of_range'],
    ['a floor that no building has', { lift_controller: { enabled: true, settings: map({ floor: 999 }) } }, 'floors_out_of_range'],
    ['a floor without a logical address', { lift_controller: { enabled: true, settings: map({ logic_address: '' }) } }, 'floors_out_of_range'],
    ['apartments that are none', { lift_controller: { enabled: true, settings: map({ apartments: '16-12' }) } }, 'apartment_ranges'],
    [
      'a call button that rings no number',
      { additional: { ...defaultDeviceSettings.additional, button_numbers: ['12a', null, null, null] } },
      'dialable',
    ],
    ['a mask with holes', { network: { ...defaultDeviceSettings.network, is_dhcp: false, subnet: '255.0.255.0' } }, 'subnet_mask'],
    ['a broker at a mistyped address', { mqtt: { ...defaultDeviceSettings.mqtt, address: '10.0.0.300' } }, 'url_or_ip'],
  ])('%s is told its own reason', (_what, block, rule) => {
    const result = deviceSettings.safeParse({ ...defaultDeviceSettings, ...block });
    expect(toIssues(result.error ?? new z.ZodError([])).map((issue) => issue.rule)).toEqual([rule]);
  });
});

describe('a floor map', () => {
  const line = (over: Partial<FloorEntry> = {}): FloorEntry => ({
    relay: 1,
    floor: 1,
    logic_address: '1',
    is_public: false,
    is_panel_floor: false,
    apartments: null,
    ...over,
  });
  it.each<[string, FloorEntry[], string[]]>([
    ['is right line by line', [line(), line({ relay: 2, floor: 2 })], []],
    ['has a relay for one floor only', [line(), line({ floor: 2 })], ['unique', 'unique']],
    ['has no relay that the controller lacks', [line({ relay: 17 })], ['relays_out_of_range']],
    ['has each floor once', [line(), line({ relay: 2 })], ['unique', 'unique']],
    ['has no floor both public and with a panel', [line({ is_public: true, is_panel_floor: true })], ['floor_public_and_panel']],
    ['has no apartments where a panel hangs', [line({ is_panel_floor: true, apartments: '1-4' })], ['panel_floor_with_apartments']],
  ])('%s', (_what, map, rules) => expect(floorIssues(map, 16).map(({ rule }) => rule)).toEqual(rules));
});
