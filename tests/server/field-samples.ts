import { z } from 'zod';
import { describe } from '#models/define-model.ts';
import { defaultDeviceSettings } from '#models/device-settings.ts';
import { type AreaName, isArea, modelOf } from '#models/index.ts';
import { allLicensed } from '#models/licence-info.ts';
import { initialGroupLicence } from '#models/licences.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';

export type Json = Record<string, unknown>;
/** Rows that fields may name, two of each area. */
export type Rows = Partial<Record<AreaName, readonly [string, string]>>;
/** What a field is made with, and what it is changed to; with it what must be sent along. */
type Sample = readonly [first: unknown, second: unknown, along?: Json];

/** A value that fits a field, another for each `turn`. */
function valueOf(schema: z.ZodType, rows: Rows, turn: 0 | 1): unknown {
  const { kind, ref, words, min, inner } = describe(schema);
  const named = ref && isArea(ref) ? rows[ref]?.[turn] : undefined;
  switch (kind) {
    case 'ref':
      return named ?? null;
    case 'refs':
      return named === undefined ? [] : [named];
    case 'flag':
      return turn === 0;
    case 'choice':
      return words?.[turn];
    case 'number':
      return (min ?? 0) + turn;
    case 'color':
      return `#11223${turn}`;
    case 'date':
      return `2027-03-0${turn + 1}`;
    case 'time-of-day':
      return 3_600 * (turn + 7);
    case 'email':
      return `sample${turn}@example.org`;
    case 'phone':
      return `+1202555010${turn}`;
    case 'permissions':
      return [permissionCodes[turn]];
    case 'text':
      return `Sample ${turn}`;
    default:
      break;
  }
  if (!(inner instanceof z.ZodObject)) throw new Error(`a field of kind ${String(kind)} needs a sample of its own`);
  return Object.fromEntries(Object.entries(inner.shape).map(([key, part]) => [key, valueOf(part as z.ZodType, rows, turn)]));
}

const settings = (over: Partial<typeof defaultDeviceSettings>, password: string) => ({
  ...defaultDeviceSettings,
  ...over,
  // Set up by hand: a number that is given to the device writes nothing into it.
  sip: { ...defaultDeviceSettings.sip, manual: true, password },
});
const queue = (delay: number, numbers: unknown[], phones: string[]) => ({ delay, numbers, phones });

/** Signed by itself, without its key. */
const certificateSample = [
  '-----BEGIN CERTIFICATE-----',
  'MIIBejCCAR+gAwIBAgIUBXW2hk5RDnC0QqCbWxXzHT0O3bkwCgYIKoZIzj0EAwIw',
  'ETEPMA0GA1UEAwwGc2FtcGxlMCAXDTI2MTEyMzAxNDEyNFoYDzIxMDkwMTEyMDE0',
  'MTI0WjARMQ8wDQYDVQQDDAZzYW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC',
  'AAR/vqzs9mhehvJjVeOxG2gC0ABWyWTDsmB4AhVeyM2ONKiczipji+Jt+uY/bKR0',
  'x/cbD2vABECPni/hPu93Akago1MwUTAdBgNVHQ4EFgQUdkfQ9nTWYjxxuDEXbIes',
  '/gEDE0owHwYDVR0jBBgwFoAUdkfQ9nTWYjxxuDEXbIes/gEDE0owDwYDVR0TAQH/',
  'BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEAyh5JNeElZ1cGlw/OV+dxpSnGcCQR',
  'CHLhCc4D5Oj7lj8CIQCG6jq1D1aORS5nxgM7Bg0JbZVa7xczdM+urKrsaQsC9A==',
  '-----END CERTIFICATE-----',
].join('\n');

const week = (duration: number, turn: 0 | 1) => ({
  duration,
  items: [{ days: { mon: true, tue: turn === 0, wed: true, thu: true, fri: true, sat: false, sun: turn === 1 }, from: 36_000, to: 43_200 }],
});

/** Fields with rules of their own. */
const special = ({
  users = ['', ''],
  devices = ['', ''],
  groups = ['', ''],
  'sip-numbers': numbers = ['', ''],
  'access-rules': rules = ['', ''],
  elevators = ['', ''],
}: Rows) =>
  ({
    users: { license_info: [allLicensed, { ...allLicensed, elevator: { is_enabled: false } }], send_registration_link: [true, false] },
    groups: {
      time_zone_name: ['Europe/Berlin', 'Asia/Kolkata'],
      holidays: [[{ date: '2027-01-01', name: 'New Year' }], [{ date: '2027-05-01', name: 'May Day' }]],
      // A device is not let go, only taken by another group.
      devices: [[], [devices[0]]],
      // Nor an elevator.
      elevators: [[], [elevators[0]]],
      forward_settings: [
        { is_enabled: true, queues: [queue(5, [numbers[0]], ['100'])] },
        { is_enabled: false, queues: [queue(6, [], ['101']), queue(7, [numbers[1]], [])] },
      ],
      device_status_notify: [
        [{ user: users[0], device_offline: true, device_task_failed: false }],
        [{ user: users[1], device_offline: false, device_task_failed: true }],
      ],
      // A new group has what its parent gives it.
      licenseInfo: [initialGroupLicence, { ...initialGroupLicence, notifications: { period: 'never', notify_before: 3 } }],
    },
    devices: {
      type: ['panel', 'monitor', { model: 'DM-70' }],
      model: ['DP-140', 'DM-100 Touch'],
      login: ['SAMPLE-0', 'SAMPLE-1'],
      ip_address: ['10.1.2.3', '10.1.2.4'],
      password: ['Secret-0', 'Secret-1'],
      device_password: ['Own-0', 'Own-1'],
      device_settings: [settings({}, 'Sip-Secret0'), settings({ mqtt: { ...defaultDeviceSettings.mqtt, keep_alive: 31 } }, 'Sip-Secret1')],
    },
    elevators: {
      domain_id: [groups[0], groups[1]],
      controllers: [[{ device: devices[0], mode: 'access' }], [{ device: devices[1], mode: 'up' }]],
      floors: [
        [{ number: 1, name: '0', group: null }],
        [
          { number: 2, name: '1', group: groups[0] },
          { number: 1, name: '0', group: null },
        ],
      ],
    },
    amenities: {
      numberOfPersons: [
        { min: 1, max: 8 },
        { min: 2, max: 9 },
      ],
      timeSlots: [week(3_600, 0), week(1_800, 1)],
    },
    'amenity-reservations': {
      date: ['2031-05-05', '2031-05-06'],
      timeSlots: [
        { from: 36_000, to: 39_600 },
        { from: 39_600, to: 43_200 },
      ],
    },
    'elevator-access-rules': {
      elevators: [[{ elevator: elevators[0], floors: [1] }], [{ elevator: elevators[1], floors: [2] }]],
    },
    'sip-numbers': {
      number: ['7701', '7702'],
      password: ['Number-0', 'Number-1'],
      // One owner at a time.
      device: [null, devices[0], { user: null }],
      domain: [null, groups[0], { device: null }],
      forward_mode: ['picked', 'disabled'],
      picked_numbers: [[numbers[0]], [numbers[1]], { forward_mode: 'picked' }],
      forward_numbers: [[], ['100'], { forward_mode: 'manual', picked_numbers: [] }],
    },
    'guest-identifiers': {
      type: ['card', 'url'],
      value: ['00AB12D0', '00AB12D1'],
      selectedAccessRules: [[rules[0]], [rules[1]]],
      restrictPeriod: [true, false, { validatePeriod: { from: null, to: null } }],
      validatePeriod: [
        { from: '2026-03-01T08:00:00.000Z', to: '2026-03-02T08:00:00.000Z' },
        { from: '2026-03-01T09:00:00.000Z', to: '2026-03-03T08:00:00.000Z' },
        { restrictPeriod: true },
      ],
      restrictPassCount: [true, false, { passLimit: null }],
      passLimit: [3, 4, { restrictPassCount: true }],
    },
    identifiers: {
      // A type stays what it is; a guest has a type of guest.
      type: ['card', 'url'],
      value: ['00AB12CD', '00AB12CE'],
      owner_type: ['guest', 'owner', { guest_type: null }],
      guest_type: ['courier', 'staff', { owner_type: 'guest' }],
      period_restrict_active: [true, false, { period_restrict_from: null, period_restrict_to: null }],
      period_restrict_from: [
        '2026-03-01T08:00:00.000Z',
        '2026-03-01T09:00:00.000Z',
        { period_restrict_active: true, period_restrict_to: '2026-03-04T08:00:00.000Z' },
      ],
      period_restrict_to: ['2026-03-02T08:00:00.000Z', '2026-03-03T08:00:00.000Z'],
      passes_restrict_active: [true, false, { passes_max_count: null }],
      passes_max_count: [3, 4, { passes_restrict_active: true }],
      lock_numbers: [[1, 2], [4]],
    },
    integrations: {
      // A password is given again for another server.
      url: ['https://one.example.org/events', 'https://two.example.org/events', { password: 'Camera-0' }],
      secret: ['Signing-secret-0', 'Signing-secret-1'],
      password: ['Camera-0', 'Camera-1'],
      domain_id: [groups[0], null],
      rtsp_url: ['rtsp://one.example.org/a', 'rtsp://two.example.org/b'],
      cameras: [[{ display_name: 'Lobby', access_point: '/1.jpg' }], [{ display_name: 'Yard', access_point: '/2.jpg?channel=1' }]],
      certificate: [null, certificateSample],
    },
    'mail-templates': {
      // Other types have to name other words.
      mail_type_id: ['registration', 'recovery'],
      domain_id: [groups[0], null],
      subject: ['Welcome', 'Hello'],
      body: ['Open {{link}}', 'Please open {{link}}'],
    },
    announces: {
      body: ['<p>One</p>', '<p>Two <strong>words</strong></p>'],
      send_via: [['email'], []],
      answers: [
        ['Yes', 'No'],
        ['Red', 'Blue', 'Green'],
      ],
      execute_at: ['2027-03-01T08:00:00.000Z', '2027-03-01T09:00:00.000Z'],
      ends_at: ['2027-03-02T08:00:00.000Z', '2027-03-03T08:00:00.000Z'],
    },
    'sip-trunks': { termination_uri: ['sip0.example.org', 'sip1.example.org'], password: ['Trunk-0', 'Trunk-1'] },
  }) as Partial<Record<AreaName, Record<string, Sample>>>;

/** Two values for each field of an area's model. */
export function samplesOf(area: AreaName, rows: Rows): Record<string, Sample> {
  const own: Record<string, Sample> = special(rows)[area] ?? {};
  const fields = Object.entries(modelOf(area).fields) as [string, z.ZodType][];
  return {
    ...Object.fromEntries(
      fields.flatMap(([field, schema]): [string, Sample][] => (field in own ? [] : [[field, [valueOf(schema, rows, 0), valueOf(schema, rows, 1)]]])),
    ),
    ...own,
  };
}
