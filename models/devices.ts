import { z } from 'zod';
import { constants, deviceProtocols } from './constants.ts';
import { defineModel, named, placedGroup, type RowOf } from './define-model.ts';
import { deviceModel, deviceTypes } from './device-models.ts';
import { defaultDeviceSettings, deviceSettings, type FloorEntry, type Relay, shownDeviceSettings } from './device-settings.ts';
import type { Issue } from './issues.ts';
import { storedPassword, unlessStored } from './stored-password.ts';
import { choice, degrees, flag, ip, name, optionalText, ref, refs, requiredText, secret, slug, wholeNumber } from './rules.ts';

/** `none` stands for a device that is only kept in the books: it cannot be initialised, restarted or synchronised. */
export const anyDeviceProtocol = [...deviceProtocols, 'none'] as const;
export type DeviceProtocol = (typeof anyDeviceProtocol)[number];
export const deviceStatuses = ['online', 'offline'] as const;

type Wire = Record<string, unknown>;
const issue = (path: Issue['path'], rule: string, params: Issue['params'] = {}): Issue => ({ path, rule, params });

function locationIssues({ latitude = null, longitude = null }: { latitude?: unknown; longitude?: unknown }): Issue[] {
  if ((latitude === null) === (longitude === null)) return [];
  return [issue(['location', latitude === null ? 'latitude' : 'longitude'], 'both_required')];
}

function networkIssues({ network }: z.infer<typeof deviceSettings>): Issue[] {
  if (network.is_dhcp) return [];
  return (['ip', 'subnet', 'gateway'] as const).flatMap((key) =>
    network[key] === null ? [issue(['device_settings', 'network', key], 'required')] : [],
  );
}

const twice = <T>(values: readonly T[]): boolean => new Set(values).size < values.length;

function relayIssues(relays: readonly Relay[], count: number): Issue[] {
  const numbers = relays.map(({ number }) => number);
  if (numbers.some((number) => number > count)) return [issue(['device_settings', 'relays'], 'relays_out_of_range')];
  return twice(numbers) ? [issue(['device_settings', 'relays'], 'unique')] : [];
}

/** What is wrong with one line of a floor map (spec A5): the field and the rule; null where nothing is. */
function floorRule(entry: FloorEntry, map: readonly FloorEntry[], relays: number): [keyof FloorEntry, string] | null {
  if (entry.relay > relays) return ['relay', 'relays_out_of_range'];
  if (map.filter(({ relay }) => relay === entry.relay).length > 1) return ['relay', 'unique'];
  if (map.filter(({ floor }) => floor === entry.floor).length > 1) return ['floor', 'unique'];
  if (entry.is_public && entry.is_panel_floor) return ['is_public', 'floor_public_and_panel'];
  return entry.is_panel_floor && entry.apartments ? ['apartments', 'panel_floor_with_apartments'] : null;
}

/** What is wrong with a floor map on a controller with so many relays, line by line. */
export const floorIssues = (map: readonly FloorEntry[], relays: number): Issue[] =>
  map.flatMap((entry, at) => {
    const [field, rule] = floorRule(entry, map, relays) ?? [];
    return field && rule ? [issue(['device_settings', 'lift_controller', 'settings', 'floor_map', at, field], rule)] : [];
  });

function settingsIssues(settings: z.infer<typeof deviceSettings>, { type, model }: Wire): Issue[] {
  const { relays } = deviceModel(type, model);
  const { lift_controller: lift, integration_axxon: axxon } = settings;
  return [
    ...networkIssues(settings),
    // What a model of another type left behind lies idle; it is looked at where it would be used.
    ...(relays > 0 && type !== 'lift_controller' ? relayIssues(settings.relays, relays) : []),
    ...(type === 'lift_controller' && lift.enabled ? floorIssues(lift.settings.floor_map, relays) : []),
    ...(axxon.enabled && axxon.integration === null
      ? [issue(['device_settings', 'integration_axxon', 'integration'], 'device_needs_integrator')]
      : []),
  ];
}

/** The rules of a device that see several fields; fields that are not there are not looked at. */
export function deviceIssues(wire: Wire): Issue[] {
  const settings = 'type' in wire && 'model' in wire ? deviceSettings.safeParse(wire['device_settings']) : undefined;
  const unknownModel = 'type' in wire && 'model' in wire && wire['model'] !== '' && deviceModel(wire['type'], wire['model']).name === '';
  return [
    ...(unknownModel ? [issue(['model'], 'device_model')] : []),
    ...(wire['protocol'] === 'http' && wire['ip_address'] === null ? [issue(['ip_address'], 'required')] : []),
    ...(wire['location'] ? locationIssues(wire['location']) : []),
    ...(settings?.success ? settingsIssues(settings.data, wire) : []),
  ];
}

const sipOf = (draft: Wire): Wire => ((draft['device_settings'] as Wire | undefined)?.['sip'] ?? {}) as Wire;

/** What not everybody is told of a device. */
export const deviceCodes = {
  status: 'can_view_device_heartbeat',
  status_at: 'can_view_device_heartbeat',
  tasks_count: 'can_view_device_tasks',
  errors_count: 'can_view_device_tasks',
} as const;

/** Panels, monitors, access and lift controllers, cameras and barriers: where they are, how they are reached, how they behave. */
export const devices = defineModel({
  name: 'devices',
  fields: {
    name: name(),
    description: optionalText(),
    type: choice(deviceTypes),
    /** One of the type's models. */
    model: requiredText(64),
    /** The serial number; one device in the whole installation. */
    login: slug(),
    domain: ref('groups'),
    access_rules: refs('access-rules'),
    protocol: choice(anyDeviceProtocol),
    ip_address: ip().nullable(),
    port: wholeNumber(1, 65_535),
    /** With which the device itself signs in. Write-only, as the next but one; null keeps what is stored. */
    password: secret(64).nullable(),
    device_login: optionalText(64),
    device_password: secret(64).nullable(),
    /** Its virtual number: left alone where it is left out. */
    sip_number: ref('sip-numbers').nullable().optional(),
    location: z.strictObject({ latitude: degrees(90).nullable(), longitude: degrees(180).nullable() }),
    get_logs: flag(),
    management: z.strictObject({ heartbeat: flag(), realtime_logging: flag() }),
    device_settings: deviceSettings,
  },
  shown: {
    domain: placedGroup.nullable(),
    access_rules: z.array(named),
    sip_number: named.nullable(),
    device_settings: shownDeviceSettings,
    /** Whether it answers; null for one that has never been heard, and for those who may not know. */
    status: z.enum(deviceStatuses).nullable(),
    /** When it was heard last. */
    status_at: z.iso.datetime().nullable(),
    device_info: z.strictObject({
      status: z.enum(deviceStatuses).nullable(),
      firmware: z.string().nullable(),
      settings_applied_at: z.iso.datetime().nullable(),
      synced_at: z.iso.datetime().nullable(),
      sync_errors: z.int(),
    }),
    has_password: z.boolean(),
    has_device_password: z.boolean(),
    /** Tasks under way, and those that failed. */
    tasks_count: z.int(),
    errors_count: z.int(),
    /** Names from the highest group one may see down to the device's own. */
    path: z.array(z.string()),
    created_by: z.uuid().nullable(),
  },
  codes: deviceCodes,
  initial: {
    name: '',
    description: '',
    type: 'panel',
    model: '',
    login: '',
    domain: null,
    access_rules: [],
    protocol: 'http',
    ip_address: '',
    port: constants.devicePort,
    password: '',
    device_login: '',
    device_password: '',
    sip_number: null,
    location: { latitude: '', longitude: '' },
    get_logs: false,
    management: { heartbeat: true, realtime_logging: false },
    device_settings: defaultDeviceSettings,
  },
  filters: {
    id: 'ref',
    name: 'text',
    login: 'text',
    type: 'choice',
    model: 'text',
    domain: 'ref',
    protocol: 'choice',
    ip_address: 'text',
    status: 'choice',
    status_at: 'time',
    errors_count: 'number',
    created_at: 'time',
  },
  relations: ['access_rules'],
  sorts: ['name', 'login', 'type', 'model', 'domain', 'protocol', 'ip_address', 'status', 'status_at', 'created_at', 'updated_at'],
  secretFields: ['password', 'device_password'],
  importCode: 'can_import_device_backup',
  encode: (wire, draft) => ({
    ...wire,
    ...('password' in wire && { password: unlessStored(wire['password']) }),
    ...('device_password' in wire && { device_password: unlessStored(wire['device_password']) }),
    ...('device_settings' in wire && {
      device_settings: { ...(wire['device_settings'] as Wire), sip: { ...sipOf(wire), password: unlessStored(sipOf(draft)['password']) || null } },
    }),
  }),
  decode: (draft, row) => {
    const { has_password: hasSipPassword, ...sip } = sipOf(row);
    return {
      ...draft,
      password: row['has_password'] ? storedPassword : '',
      device_password: row['has_device_password'] ? storedPassword : '',
      ...('device_settings' in draft && {
        device_settings: { ...(draft['device_settings'] as Wire), sip: { ...sip, password: hasSipPassword ? storedPassword : '' } },
      }),
    };
  },
  refine: deviceIssues,
});
export type Device = RowOf<typeof devices>;

/** A device found by a search: what it says of itself, and whether it is in a project already. */
export const foundDevice = z.strictObject({
  serial: z.string().max(64),
  ip_address: z.string(),
  port: z.int(),
  type: z.enum(deviceTypes),
  model: z.string(),
  firmware: z.string().nullable(),
  /** In this or another project; such a one cannot be put again. */
  is_known: z.boolean(),
  /** Its name, if it is in this project and may be seen. */
  name: z.string().nullable(),
});
export type FoundDevice = z.infer<typeof foundDevice>;

/** A device whose door may be opened (spec A3), with the token that opens it. */
export const conciergeDevice = z.strictObject({
  id: z.uuid(),
  token: z.string(),
  name: z.string(),
  type: z.enum(deviceTypes),
  status: z.enum(deviceStatuses).nullable(),
  sip_number: z.strictObject({ number: z.string() }).nullable(),
  /** Names from the highest group one may see down to the device's. */
  path: z.array(z.string()),
  /** Whether `GET /devices/{id}/picture` can show it. */
  has_camera: z.boolean(),
});
export type ConciergeDevice = z.infer<typeof conciergeDevice>;

/** What could not be brought to a device: identifiers and schedules by name, and why. */
const syncError = z.strictObject({ id: z.uuid().nullable(), name: z.string(), error: z.string() });
export const syncErrors = z.strictObject({ identifiers: z.array(syncError), schedules: z.array(syncError) });
export type SyncErrors = z.infer<typeof syncErrors>;

/** What the remote-control page is told in its address: base64url of this, and nothing secret. */
export const remotePayload = z.strictObject({ device_id: z.uuid() });
