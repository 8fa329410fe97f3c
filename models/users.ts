import { z } from 'zod';
import { defineModel, epochSeconds, named, placedGroup, portrait, type RowOf } from './define-model.ts';
import { allLicensed, licenceInfo } from './licence-info.ts';
import { email, flag, name, optionalText, phone, ref, refs, username } from './rules.ts';

/** A phone or tablet on which the person has signed in to the mobile app. */
export const mobileClient = z.strictObject({
  id: z.uuid(),
  client_id: z.string(),
  platform: z.string(),
  info: z.string(),
  auth_time: z.iso.datetime(),
  vendor_id: z.string(),
  sip_number: z.string().nullable(),
  ukey2: z.string().nullable(),
});
export type MobileClient = z.infer<typeof mobileClient>;

/** People: who they are, where they belong, what they may do, and what they open doors with. */
export const users = defineModel({
  name: 'users',
  fields: {
    login: username(64),
    name: name(),
    description: optionalText(),
    email: email().nullable(),
    role: ref('roles'),
    domains: refs('groups', 1, 'user_needs_group'),
    profile: z.strictObject({ phone: phone().nullable(), address: optionalText() }),
    markers: refs('markers'),
    access_rules: refs('access-rules'),
    identifiers: refs('identifiers'),
    sip_numbers: refs('sip-numbers'),
    license_info: licenceInfo.meta({ kind: 'licences' }),
    elevator_access_disabled: flag(),
    send_registration_link: flag().optional(),
  },
  shown: {
    role: named.nullable(),
    domains: z.array(placedGroup),
    markers: z.array(z.strictObject({ ...named.shape, color: z.string() })),
    access_rules: z.array(named),
    identifiers: z.array(named),
    sip_numbers: z.array(named),
    avatar_url: portrait.nullable(),
    mobile_clients: z.array(mobileClient),
    /** Seconds since 1970; the user counts as activated if greater than 0. */
    activated_at: epochSeconds,
    last_seen_at: z.iso.datetime().nullable(),
    /** When their features are switched off by themselves; null: never. */
    license_until: z.iso.datetime().nullable(),
    created_by: z.uuid().nullable(),
  },
  initial: {
    login: '',
    name: '',
    description: '',
    email: '',
    role: null,
    domains: [],
    profile: { phone: '', address: '' },
    markers: [],
    access_rules: [],
    identifiers: [],
    sip_numbers: [],
    license_info: allLicensed,
    elevator_access_disabled: false,
    send_registration_link: false,
  },
  filters: {
    name: 'text',
    login: 'text',
    email: 'text',
    description: 'text',
    role: 'ref',
    domains: 'refs',
    markers: 'refs',
    activated_at: 'number',
    elevator_access_disabled: 'flag',
    created_at: 'time',
    last_seen_at: 'time',
  },
  sorts: ['name', 'login', 'email', 'role', 'activated_at', 'created_at', 'updated_at', 'last_seen_at'],
  relations: ['mobile_clients', 'markers', 'domains', 'access_rules', 'identifiers'],
  createOnly: ['send_registration_link'],
  importCode: 'can_create_users',
  // Identifiers without a name are leftovers of the form's empty lines.
  encode: (wire, draft) => ({
    ...wire,
    ...(Array.isArray(draft['identifiers']) && {
      identifiers: draft['identifiers']
        .filter((item) => typeof item === 'string' || Boolean((item as { name?: string } | null)?.name))
        .map((item) => (typeof item === 'string' ? item : (item as { id: string }).id)),
    }),
  }),
  refine: (wire) => (wire['send_registration_link'] && !wire['email'] ? [{ path: ['email'], rule: 'user_needs_email', params: {} }] : []),
});
export type User = RowOf<typeof users>;
/** The user counts as activated once the registration was completed. */
export const isActivated = ({ activated_at }: Pick<User, 'activated_at'>): boolean => activated_at > 0;
