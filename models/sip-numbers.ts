import { z } from 'zod';
import { byId, call } from './define-call.ts';
import { defineModel, named, placedGroup, type RowOf } from './define-model.ts';
import type { Issue } from './issues.ts';
import { job } from './job.ts';
import { storedPassword, unlessStored } from './stored-password.ts';
import { choice, devicePassword, flag, name, ref, refs, rule, wholeNumber } from './rules.ts';
import { dialable } from './sip.ts';

/** Where a call to a number goes besides: nowhere, to numbers typed by hand, or to virtual numbers picked for it (clause VNUM-02). */
export const forwardModes = ['disabled', 'manual', 'picked'] as const;
export type ForwardMode = (typeof forwardModes)[number];
export const numberOwners = ['user', 'device', 'domain'] as const;

/** How many digits a virtual number has at most. */
const longest = 15;
const digits = () =>
  z
    .string()
    .trim()
    .refine((value) => value.length > 0, rule('required'))
    .refine((value) => value === '' || /^\d+$/.test(value), rule('numeric'))
    .refine((value) => value.length <= longest, rule('max_length', { length: longest }))
    .meta({ kind: 'text', max: longest });

/** Any number that can be dialled; spaces, dashes and brackets are dropped. */
export const phoneLine = z
  .preprocess(
    (value) => (typeof value === 'string' ? value.replaceAll(/[\s()-]/g, '') : value),
    z.string().refine((value) => dialable.test(value), rule('dialable')),
  )
  .meta({ kind: 'text' });

type Wire = Record<string, unknown>;

/** The rules of a number that see several fields; fields that are not there are not looked at. */
function numberIssues(wire: Wire): Issue[] {
  const owners = numberOwners.filter((owner) => wire[owner]);
  const list = wire['forward_mode'] === 'picked' ? 'picked_numbers' : wire['forward_mode'] === 'manual' ? 'forward_numbers' : null;
  const found = list === null ? undefined : wire[list];
  return [
    ...owners.slice(1).map((owner): Issue => ({ path: [owner], rule: 'one_owner', params: {} })),
    ...(list && Array.isArray(found) && found.length === 0 ? [{ path: [list], rule: 'forward_needs_number', params: {} }] : []),
  ];
}

/** Virtual numbers: what one dials, who answers it, and where its calls go besides. */
export const sipNumbers = defineModel({
  name: 'sip-numbers',
  feature: 'sip',
  fields: {
    /** One in the whole installation. */
    number: digits(),
    name: name(),
    /** For phones that are no browser; write-only, null keeps the one that is stored. */
    password: devicePassword().nullable(),
    is_active: flag(),
    /** Kept back: not offered where a free number is looked for. */
    is_reserved: flag(),
    is_system: flag(),
    user: ref('users').nullable(),
    device: ref('devices').nullable(),
    /** The group whose general number it is. */
    domain: ref('groups').nullable(),
    forward_mode: choice(forwardModes),
    picked_numbers: refs('sip-numbers'),
    forward_numbers: z.array(phoneLine).max(10).meta({ kind: 'phones' }),
  },
  shown: {
    user: z.strictObject({ ...named.shape, email: z.string().nullable() }).nullable(),
    device: named.nullable(),
    domain: placedGroup.nullable(),
    picked_numbers: z.array(named),
    /** Who has it, whichever kind, and the way down to their group. */
    owner_info: z.strictObject({ kind: z.enum(numberOwners), ...named.shape, address: z.string().nullable() }).nullable(),
    /** Nobody has it, no other number forwards to it, and it is not kept back (clause VNUM-03). */
    onlyFree: z.boolean(),
    has_password: z.boolean(),
    created_by: z.uuid().nullable(),
  },
  initial: {
    number: '',
    name: '',
    password: '',
    is_active: true,
    is_reserved: false,
    is_system: false,
    user: null,
    device: null,
    domain: null,
    forward_mode: 'disabled',
    picked_numbers: [],
    forward_numbers: [],
  },
  filters: {
    number: 'text',
    name: 'text',
    /** Number, name and owner in one. */
    words: 'text',
    onlyFree: 'flag',
    is_active: 'flag',
    is_reserved: 'flag',
    is_system: 'flag',
    user: 'ref',
    device: 'ref',
    domain: 'ref',
    forward_mode: 'choice',
    created_at: 'time',
  },
  sorts: ['number', 'name', 'is_active', 'created_at', 'updated_at'],
  secretFields: ['password'],
  encode: (wire) => ({ ...wire, ...('password' in wire && { password: unlessStored(wire['password']) }) }),
  decode: (draft, row) => ({ ...draft, password: row['has_password'] ? storedPassword : '' }),
  refine: numberIssues,
});
export type SipNumber = RowOf<typeof sipNumbers>;

/** How many numbers are made at once at most. */
const mostAtOnce = 2_000;
/** Numbers one after the other, each with a password of its own; `name` is followed by the number. */
const range = { from: digits(), count: wholeNumber(1, mostAtOnce) };
const generated = z.strictObject({ ...range, name: name().nullable(), is_reserved: flag() });

/** What a range comes to: how many can be made, which are taken already by rows in sight, and how many more cannot be used. */
export const numberRange = z.strictObject({
  first: z.string(),
  last: z.string(),
  free: z.int(),
  taken: z.array(z.string()),
  /** Taken out of sight, perhaps in another project: which ones is not told. */
  unusable: z.int(),
});
export type NumberRange = z.infer<typeof numberRange>;

/** What people do with virtual numbers besides the plain calls. */
export const numberCalls = {
  previewNumbers: call({
    method: 'POST',
    path: '/sip-numbers/preview',
    access: { area: 'sip-numbers', verb: 'create' },
    feature: 'sip',
    summary: 'Preview of generating a range of numbers',
    body: z.strictObject(range),
    answer: numberRange,
  }),
  generateNumbers: call({
    method: 'POST',
    path: '/sip-numbers/generate',
    access: { area: 'sip-numbers', verb: 'create' },
    feature: 'sip',
    summary: 'Create all free numbers of a range, each with a password; returns a job',
    body: generated,
    answer: job,
    success: [202],
  }),
  activateNumber: call({
    method: 'POST',
    path: '/sip-numbers/{id}/activation',
    access: { codes: ['can_activate_sip_numbers'], about: 'sip-numbers' },
    feature: 'sip',
    summary: 'Activate or deactivate a number; an inactive one can neither make nor receive calls',
    params: byId,
    body: z.strictObject({ is_active: flag() }),
  }),
} as const;
