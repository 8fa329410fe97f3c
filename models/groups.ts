import { z } from 'zod';
import { defineModel, named, placedGroup, portrait, type RowOf } from './define-model.ts';
import type { Issue } from './issues.ts';
import { ringSeconds } from './forward-rules.ts';
import { type GroupLicence, groupLicence, initialGroupLicence } from './licences.ts';
import { phoneLine } from './sip-numbers.ts';
import { calendarDate, email, flag, limit, name, optionalText, phone, ref, refs, requiredText, rule, timeZoneName, wholeNumber } from './rules.ts';
import { secondsIn } from './time.ts';
import { walletLookFields } from './wallet.ts';

/** Which of a group's people hear of a silent device or a failed task. */
const deviceStatusNotify = z.strictObject({ user: ref('users'), device_offline: flag(), device_task_failed: flag() });

/** One queue: its numbers ring together; after `delay` seconds, or as the group's forward rules say, the next one does. */
const forwardQueue = z.strictObject({
  delay: ringSeconds(),
  numbers: refs('sip-numbers'),
  phones: z.array(phoneLine).max(10).meta({ kind: 'phones' }),
});
const forwardSettings = z.strictObject({ is_enabled: flag(), queues: z.array(forwardQueue).max(10).meta({ kind: 'queues' }) });
export type ForwardSettings = z.infer<typeof forwardSettings>;

/** Days on which schedules keep other hours here and below; a group without any keeps those of the group above. */
const holidays = z
  .array(z.strictObject({ date: calendarDate(), name: requiredText(64) }))
  .max(366)
  .refine((days) => new Set(days.map(({ date }) => date)).size === days.length, rule('unique'))
  .meta({ kind: 'holidays' });

const whitelabel = z.strictObject({
  is_enabled: flag(),
  name: optionalText(31),
  address: optionalText(),
  email: email().nullable(),
  phone: phone().nullable(),
});
const appleWallet = z.strictObject({ is_enabled: flag(), ...walletLookFields });

/** Groups (domains, objects): the tree of houses, entrances, floors and flats to which people and devices belong. */
export const groups = defineModel({
  name: 'groups',
  fields: {
    name: name(),
    description: optionalText(),
    parent_id: ref('groups').nullable(),
    domain_type_id: ref('group-types').nullable(),
    logic_address: optionalText(31),
    /** IANA name of the zone whose clocks schedules follow here and below; null follows the group above. */
    time_zone_name: timeZoneName().nullable(),
    holidays,
    users: refs('users'),
    access_rules: refs('access-rules'),
    devices: refs('devices'),
    elevators: refs('elevators'),
    integrations: refs('integrations'),
    mail_templates: refs('mail-templates'),
    forward_rules: refs('forward-rules'),
    sip_number: ref('sip-numbers').nullable(),
    /** Left out when a group is made: it forwards to nobody. */
    forward_settings: forwardSettings.optional(),
    guest_identifier_limits: z.strictObject({ max_passes_count: limit(1, 100_000), max_period_days: limit(1, 3_650) }),
    device_status_notify: z.array(deviceStatusNotify).max(1_000).meta({ kind: 'notify' }),
    whitelabel,
    apple_wallet: appleWallet,
    /** When a group is made it is left out or untouched: the group starts with what its place in the tree gives it. */
    licenseInfo: groupLicence.optional(),
  },
  shown: {
    parent_id: placedGroup.nullable(),
    domain_type_id: named.nullable(),
    users: z.array(named),
    access_rules: z.array(named),
    devices: z.array(named),
    elevators: z.array(named),
    integrations: z.array(named),
    mail_templates: z.array(named),
    forward_rules: z.array(named),
    sip_number: named.nullable(),
    forward_settings: z.strictObject({ is_enabled: z.boolean(), queues: z.array(forwardQueue.extend({ numbers: z.array(named) })) }),
    device_status_notify: z.array(z.strictObject({ user: named, device_offline: z.boolean(), device_task_failed: z.boolean() })),
    whitelabel: whitelabel.extend({ logo: portrait.nullable() }),
    licenseInfo: groupLicence,
    /** Names from the root down to this group, itself included. */
    path: z.array(z.string()),
    children_count: z.int(),
    users_count: z.int(),
    /** The groups directly below; in a list only when asked for. */
    children: z.array(z.strictObject({ ...named.shape, type: named.nullable() })).optional(),
    created_by: z.uuid().nullable(),
  },
  initial: {
    name: '',
    description: '',
    parent_id: null,
    domain_type_id: null,
    logic_address: '',
    time_zone_name: null,
    holidays: [],
    users: [],
    access_rules: [],
    devices: [],
    elevators: [],
    integrations: [],
    mail_templates: [],
    forward_rules: [],
    sip_number: null,
    forward_settings: { is_enabled: false, queues: [] },
    guest_identifier_limits: { max_passes_count: '', max_period_days: '' },
    device_status_notify: [],
    whitelabel: { is_enabled: false, name: '', address: '', email: '', phone: '' },
    apple_wallet: {
      is_enabled: false,
      developer_name: '',
      foreground_color: '#ffffff',
      background_color: '#2b5bd7',
      label_color: '#ffffff',
      barcode_text: '',
      back_fields: '',
    },
    licenseInfo: initialGroupLicence,
  },
  filters: { name: 'text', description: 'text', logic_address: 'text', domain_type_id: 'ref', parent_id: 'ref', users: 'refs', created_at: 'time' },
  sorts: ['name', 'logic_address', 'created_at', 'updated_at'],
  relations: ['users', 'children', 'access_rules'],
  refine: (wire) => [...overPeriod(wire['licenseInfo'] as GroupLicence | undefined), ...forwardIssues(wire)],
  // The logo is uploaded by a call of its own and only shown here.
  decode: (draft) => ({ ...draft, ...(draft['whitelabel'] ? { whitelabel: withoutLogo(draft['whitelabel']) } : {}) }),
});
function withoutLogo(block: unknown): unknown {
  const { logo: _shown, ...rest } = block as { logo?: unknown };
  return rest;
}

/** Forwarding that is on rings somebody, in every queue, and is for people (clauses VALID-46, VALID-47). */
function forwardIssues({ forward_settings: settings, users }: Record<string, unknown>): Issue[] {
  const { is_enabled: isOn, queues } = (settings ?? {}) as Partial<ForwardSettings>;
  if (!isOn || !queues) return [];
  const empty = queues.findIndex(({ numbers, phones }) => numbers.length + phones.length === 0);
  return [
    ...(queues.length === 0 || empty >= 0 ? [{ path: ['forward_settings', 'queues'], rule: 'forward_needs_queue', params: {} }] : []),
    ...(Array.isArray(users) && users.length === 0 ? [{ path: ['forward_settings', 'is_enabled'], rule: 'forward_needs_users', params: {} }] : []),
  ];
}
/** Nobody can be reminded earlier than a licence begins. */
function overPeriod(licence: GroupLicence | undefined): Issue[] {
  if (!licence?.restrict_period) return [];
  const { from, to } = licence.period;
  const days = Math.ceil((to - from) / secondsIn(1, 'day'));
  return licence.notifications.notify_before > days
    ? [{ path: ['licenseInfo', 'notifications', 'notify_before'], rule: 'over_licence_period', params: {} }]
    : [];
}
export type Group = RowOf<typeof groups>;

/** One node of the tree view. */
export const groupNode = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  parent_id: z.uuid().nullable(),
  type: named.nullable(),
  logic_address: z.string().nullable(),
  children_count: z.int(),
  users_count: z.int(),
  version: z.int(),
});
export type GroupNode = z.infer<typeof groupNode>;

/**
 * How a level of generated groups is numbered: upwards `from` a number, leaving out those in `except`.
 * `is_in_youngest_num`: the count runs on through all parents (flats 1 to 96 of a house) instead of starting anew in
 * each. `is_start_youngest_num`: the number starts with its parent's (floor 4, flat 401).
 */
export const numeration = z.strictObject({
  from: wholeNumber(0, 1_000_000),
  except: z.array(z.int()).max(10_000),
  is_in_youngest_num: flag(),
  is_start_youngest_num: flag(),
});
/** One level of a tree to be generated: so many groups of a type, named prefix + number. */
export const generatedLevel = z.strictObject({
  id: ref('group-types'),
  count: wholeNumber(1, 1_000),
  /** Taken as typed, with the space at its end. */
  prefix: z.string().max(20).nullable(),
  logic_number: flag(),
  numeration,
});
export type GeneratedLevel = z.infer<typeof generatedLevel>;
/** A proposed tree, as `generate` answers it and `save` takes it back, possibly edited. */
export interface GeneratedGroup {
  name: string;
  domain_type_id: string;
  logic_address: string | null;
  children: GeneratedGroup[];
}
export const generatedGroup: z.ZodType<GeneratedGroup> = z
  .strictObject({
    name: name(),
    domain_type_id: ref('group-types'),
    logic_address: z.string().max(31).nullable(),
    get children() {
      return z.array(generatedGroup).max(1_000);
    },
  })
  .meta({ id: 'GeneratedGroup' });
