import { z } from 'zod';
import { defineModel, named, picture, placedGroup, type RowOf } from './define-model.ts';
import { identifierTypes } from './device-events.ts';
import { valueIssue } from './identifier-value.ts';
import type { Issue } from './issues.ts';
import { choice, flag, name, optionalText, ref, refs, text, wholeNumber } from './rules.ts';

export const ownerTypes = ['owner', 'guest'] as const;
export const guestTypes = ['guest', 'courier', 'temporary', 'staff'] as const;
/** What stands in the way of an identifier, the weightiest first; `active` is nothing. */
export const identifierStates = ['revoked', 'lost', 'inactive', 'needs_photo', 'expired', 'passes_used', 'not_yet_valid', 'active'] as const;
export type IdentifierState = (typeof identifierStates)[number];

/** The locks of a device are known by number. */
const lockNumber = { min: 1, max: 8 };
export const lockNumbers = () =>
  z
    .array(wholeNumber(lockNumber.min, lockNumber.max))
    .max(lockNumber.max)
    .transform((numbers) => [...new Set(numbers)].toSorted((one, other) => one - other))
    .meta({ kind: 'locks', min: lockNumber.min, max: lockNumber.max });
/** A moment, ISO 8601 UTC. */
const moment = () => z.iso.datetime().meta({ kind: 'moment' });

type Wire = Record<string, unknown>;

/** A restriction to a period names it, and it ends after it began. */
function periodIssues({ period_restrict_active: on, period_restrict_from: from, period_restrict_to: to }: Wire): Issue[] {
  if (on !== true) return [];
  const missing = Object.entries({ period_restrict_from: from, period_restrict_to: to }).filter(([, value]) => value === null || value === '');
  if (missing.length > 0) return missing.map(([field]) => ({ path: [field], rule: 'required', params: {} }));
  const isWrong = typeof from === 'string' && typeof to === 'string' && Date.parse(to) <= Date.parse(from);
  return isWrong ? [{ path: ['period_restrict_to'], rule: 'moment_order', params: {} }] : [];
}
const passIssues = ({ passes_restrict_active: on, passes_max_count: most }: Wire): Issue[] =>
  on === true && most === null ? [{ path: ['passes_max_count'], rule: 'required', params: {} }] : [];
const guestIssues = ({ owner_type: type, guest_type: guest }: Wire): Issue[] =>
  type === 'guest' && guest === null ? [{ path: ['guest_type'], rule: 'required', params: {} }] : [];

/** The rules of an identifier that see several fields; fields that are not there are not looked at. */
export function identifierIssues(wire: Wire): Issue[] {
  const value = 'type' in wire ? valueIssue(wire['type'], wire['value']) : null;
  return [...(value ? [value] : []), ...periodIssues(wire), ...passIssues(wire), ...guestIssues(wire)];
}

/** Limits that are off are not sent: what stands in a field that is no longer shown would be kept unseen. */
export const withoutUnused = (wire: Wire): Wire => ({
  ...wire,
  ...(wire['period_restrict_active'] === false && { period_restrict_from: null, period_restrict_to: null }),
  ...(wire['passes_restrict_active'] === false && { passes_max_count: null }),
  ...(wire['owner_type'] === 'owner' && { guest_type: null }),
});

/** When and how often an identifier opens. */
export const restrictionFields = {
  period_restrict_active: flag(),
  period_restrict_from: moment().nullable(),
  period_restrict_to: moment().nullable(),
  passes_restrict_active: flag(),
  passes_max_count: wholeNumber(1, 100_000).nullable(),
};
export const unrestricted = {
  period_restrict_active: false,
  period_restrict_from: null,
  period_restrict_to: null,
  passes_restrict_active: false,
  passes_max_count: '',
};
/** What every identifier shows besides what people write. */
export const identifierShown = {
  owner: named.nullable(),
  state: z.enum(identifierStates),
  revoked_at: z.iso.datetime().nullable(),
  last_used_at: z.iso.datetime().nullable(),
  created_by: z.uuid().nullable(),
};

/** Identifiers (credentials): what doors are opened with. */
export const identifiers = defineModel({
  name: 'identifiers',
  fields: {
    name: name(),
    description: optionalText(),
    type: choice(identifierTypes),
    /** Numbers of cards and keys in HEX; null where the server makes it. One of its type in a project. */
    value: text(64).nullable(),
    is_active: flag(),
    owner: ref('users').nullable(),
    owner_type: choice(ownerTypes),
    guest_type: choice(guestTypes).nullable(),
    /** The group it belongs to where nobody owns it. */
    domain: ref('groups').nullable(),
    access_rules: refs('access-rules'),
    ...restrictionFields,
    /** The locks of a device that it opens; none named is all of them. */
    lock_numbers: lockNumbers(),
  },
  shown: {
    ...identifierShown,
    type: z.enum(identifierTypes),
    value: z.string(),
    domain: placedGroup.nullable(),
    access_rules: z.array(named),
    passes_count: z.int(),
    onlyGuest: z.boolean(),
    photo: picture.nullable(),
    /** The page on which a guest opens doors. */
    url: z.string().nullable(),
    lost_at: z.iso.datetime().nullable(),
  },
  initial: {
    name: '',
    description: '',
    type: 'card',
    value: '',
    is_active: true,
    owner: null,
    owner_type: 'owner',
    guest_type: null,
    domain: null,
    access_rules: [],
    ...unrestricted,
    lock_numbers: [],
  },
  filters: {
    name: 'text',
    /** Name, owner, and the value in either notation. */
    words: 'text',
    type: 'choice',
    state: 'choice',
    owner: 'ref',
    owner_type: 'choice',
    guest_type: 'choice',
    domain: 'ref',
    onlyGuest: 'flag',
    is_active: 'flag',
    period_restrict_to: 'time',
    last_used_at: 'time',
    created_at: 'time',
  },
  sorts: ['name', 'type', 'owner', 'period_restrict_to', 'last_used_at', 'created_at', 'updated_at'],
  relations: ['access_rules'],
  createOnly: ['type'],
  exportCode: 'can_export_identifiers',
  importCode: 'can_import_identifiers',
  masked: ['value', 'url'],
  encode: withoutUnused,
  refine: identifierIssues,
});
export type Identifier = RowOf<typeof identifiers>;
