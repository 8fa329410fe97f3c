/** What menus, addresses and pickers know of an area before its model has come. */
export interface AreaHead {
  /** The field that people call a row by. */
  label: string;
  /** Sort used when none is asked for; `-` turns round. */
  defaultSort: readonly string[];
  /** Fields the `contains` search of pickers and the search box look into. */
  search: readonly string[];
  /** A log: rows come about by themselves, nobody writes them. */
  readOnly: boolean;
  /** A log that grows to millions: its rows are counted up to `mostCounted`, and one more stands for all that follow. */
  isLong: boolean;
  /** Where the area lies on the wire, when not below its name; the first part names its table. */
  path: string;
}

/** Every area, by its name on the wire. */
const heads = {
  users: { label: 'name', defaultSort: ['name'], search: ['name', 'email', 'login'] },
  roles: { label: 'name', defaultSort: ['name'], search: ['name'] },
  groups: { label: 'name', defaultSort: ['name'], search: ['name', 'logic_address'] },
  'group-types': { label: 'name', defaultSort: ['name'], search: ['name'] },
  markers: { label: 'name', defaultSort: ['name'], search: ['name'] },
  'audit-events': { label: 'entity_name', defaultSort: ['-created_at'], search: ['entity_name'], readOnly: true, isLong: true },
  devices: { label: 'name', defaultSort: ['name'], search: ['name', 'login', 'ip_address'] },
  'device-events': { label: 'device_name', defaultSort: ['-occurred_at'], search: ['device_name'], readOnly: true, isLong: true },
  'device-tasks': { label: 'kind', defaultSort: ['-created_at'], search: ['error'], readOnly: true },
  'device-alarms': { label: 'device_name', defaultSort: ['-enabled_at'], search: ['device_name', 'comment'] },
  'alarm-calls': { label: 'device_name', defaultSort: ['-called_at'], search: ['device_name'], readOnly: true },
  'sip-numbers': { label: 'number', defaultSort: ['number'], search: ['words'] },
  'forward-rules': { label: 'name', defaultSort: ['name'], search: ['name'] },
  'sip-trunks': { label: 'name', defaultSort: ['name'], search: ['name', 'termination_uri'] },
  'call-history': { path: 'calls/history', label: 'from', defaultSort: ['-created_at'], search: ['from', 'to'], readOnly: true },
  identifiers: { label: 'name', defaultSort: ['name'], search: ['words'] },
  'guest-identifiers': { path: 'identifiers/guests', label: 'name', defaultSort: ['-created_at'], search: ['name'] },
  ukey2: { path: 'identifiers/ukey2', label: 'name', defaultSort: ['name'], search: ['name'] },
  integrations: { label: 'name', defaultSort: ['name'], search: ['name', 'url'] },
  'mail-templates': { label: 'subject', defaultSort: ['mail_type_id'], search: ['subject'] },
  announces: { label: 'title', defaultSort: ['-created_at'], search: ['title'] },
  schedules: { label: 'name', defaultSort: ['name'], search: ['name', 'description'] },
  'access-rules': { label: 'name', defaultSort: ['name'], search: ['name', 'description'] },
  'access-control-events': {
    path: 'access-control/events',
    label: 'device_name',
    defaultSort: ['-occurred_at'],
    search: ['device_name'],
    readOnly: true,
    isLong: true,
  },
  elevators: { label: 'name', defaultSort: ['name'], search: ['name', 'description'] },
  'elevator-access-rules': { label: 'name', defaultSort: ['name'], search: ['name', 'description'] },
  'elevator-events': { label: 'elevator_name', defaultSort: ['-occurred_at'], search: ['elevator_name', 'floor'], readOnly: true, isLong: true },
  amenities: { label: 'name', defaultSort: ['name'], search: ['name', 'address', 'description'] },
  'emergency-alerts': { label: 'name', defaultSort: ['name'], search: ['name', 'message'] },
  'amenity-reservations': { label: 'name', defaultSort: ['-starts_at'], search: ['name'] },
} as const satisfies Record<string, Pick<AreaHead, 'label' | 'defaultSort' | 'search'> & Partial<AreaHead>>;

export type AreaName = keyof typeof heads;
export const areaNames = Object.keys(heads) as AreaName[];
/** Whether a word names an area. */
export const isArea = (name: string): name is AreaName => Object.hasOwn(heads, name);
/** What is known of an area without its model. */
export const areaOf = (area: AreaName): AreaHead => ({ readOnly: false, isLong: false, path: area, ...heads[area] });

/** Counting a million rows takes longer than reading a page of them, and nobody turns five hundred pages. */
export const mostCounted = 10_000;
/** Whether a total says only that there are more than `mostCounted`. */
export const isUncounted = (area: AreaName, total: number): boolean => areaOf(area).isLong && total > mostCounted;
