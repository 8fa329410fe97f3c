import { z } from 'zod';
import { byId, call } from './define-call.ts';
import { defineModel, named, placedGroup, type RowOf } from './define-model.ts';
import { valueIssue } from './identifier-value.ts';
import { guestTypes, identifierStates } from './identifiers.ts';
import type { Issue } from './issues.ts';
import { choice, email, flag, name, optionalText, ref, rule, text, wholeNumber } from './rules.ts';

/** What a guest is given: a link to a page that opens doors; besides it a code, a plate or a card for readers. */
export const guestKeyTypes = ['qr', 'url', 'access_code', 'license_plate', 'card'] as const;

/** The life of a visit: nobody came yet; they came and may come again; it is done; the time is over and nobody came. */
export const visitStates = ['expected', 'arrived', 'over', 'no_show'] as const;
export type VisitState = (typeof visitStates)[number];

const moment = () => z.iso.datetime().meta({ kind: 'moment' });
/** Access rules given to a guest, by id: chosen from those offered, not from all one may see. */
const sharedRules = () =>
  z
    .array(z.uuid())
    .max(50)
    .transform((ids) => [...new Set(ids)])
    .refine((ids) => ids.length > 0, rule('guest_needs_rule'))
    .meta({ kind: 'shared-rules' });

type Wire = Record<string, unknown>;
interface Period {
  from: string | null;
  to: string | null;
}

/** The rules of a guest's key that see several fields; fields that are not there are not looked at. */
function guestIssues(wire: Wire): Issue[] {
  const { from, to } = (wire['validatePeriod'] ?? {}) as Partial<Period>;
  const isPeriod = wire['restrictPeriod'] === true && 'validatePeriod' in wire;
  const typed = wire['type'] === 'license_plate' || wire['type'] === 'card' || (wire['type'] === 'access_code' && wire['value'] !== null);
  const value = typed ? valueIssue(wire['type'], wire['value']) : null;
  return [
    ...(value ? [value] : []),
    ...(isPeriod && !to ? [{ path: ['validatePeriod', 'to'], rule: 'required', params: {} }] : []),
    ...(isPeriod && from && to && Date.parse(to) <= Date.parse(from) ? [{ path: ['validatePeriod', 'to'], rule: 'moment_order', params: {} }] : []),
    ...(wire['restrictPassCount'] === true && wire['passLimit'] === null ? [{ path: ['passLimit'], rule: 'required', params: {} }] : []),
  ];
}

const idOf = (value: unknown): unknown => (value !== null && typeof value === 'object' && 'id' in value ? value.id : value);

/** The keys of guests (clauses DIALOG-20, FIELD-34, DATA-15): identifiers that open what their host shares, for a while and so often. */
export const guestIdentifiers = defineModel({
  name: 'guest-identifiers',
  feature: 'guests',
  fields: {
    name: name(),
    type: choice(guestKeyTypes),
    /** Of plates and cards; a code that is left out is made by the server, as all else is. */
    value: text(64).nullable(),
    guestType: choice(guestTypes),
    selectedAccessRules: sharedRules(),
    /** The group the guest visits, whose limits hold; left out it is the host's own. */
    domain: ref('groups').nullable(),
    restrictPeriod: flag(),
    /** Without `from` from now on. */
    validatePeriod: z.strictObject({ from: moment().nullable(), to: moment().nullable() }).meta({ kind: 'guest-period' }),
    restrictPassCount: flag(),
    passLimit: wholeNumber(1, 100_000).nullable(),
    /** What the host tells the guest. */
    keyMessage: optionalText(500),
  },
  shown: {
    type: z.enum([...guestKeyTypes, 'ukey', 'ukey2', 'face']),
    value: z.string(),
    guestType: z.enum(guestTypes).nullable(),
    selectedAccessRules: z.array(named),
    domain: placedGroup.nullable(),
    /** Who made the key. */
    host: named.nullable(),
    state: z.enum(identifierStates),
    visit: z.enum(visitStates),
    passes_count: z.int(),
    /** The page of the guest, below the console's address. */
    url: z.string().nullable(),
    revoked_at: z.iso.datetime().nullable(),
    last_used_at: z.iso.datetime().nullable(),
    created_by: z.uuid().nullable(),
  },
  initial: {
    name: '',
    type: 'qr',
    value: '',
    guestType: 'guest',
    selectedAccessRules: [],
    domain: null,
    restrictPeriod: true,
    validatePeriod: { from: null, to: null },
    restrictPassCount: false,
    passLimit: '',
    keyMessage: '',
  },
  filters: {
    name: 'text',
    type: 'choice',
    guestType: 'choice',
    state: 'choice',
    visit: 'choice',
    domain: 'ref',
    last_used_at: 'time',
    created_at: 'time',
  },
  sorts: ['name', 'last_used_at', 'created_at', 'updated_at'],
  createOnly: ['type'],
  exportCode: 'can_export_identifiers',
  masked: ['value', 'url'],
  encode: (wire) => ({
    ...wire,
    ...(wire['restrictPeriod'] === false && { validatePeriod: { from: null, to: null } }),
    ...(wire['restrictPassCount'] === false && { passLimit: null }),
    ...(Array.isArray(wire['selectedAccessRules']) && { selectedAccessRules: wire['selectedAccessRules'].map(idOf) }),
  }),
  refine: guestIssues,
});
export type GuestIdentifier = RowOf<typeof guestIdentifiers>;

/** What a guest may be given at most; null is no limit. */
export const guestLimits = z.strictObject({ max_passes_count: z.int().nullable(), max_period_days: z.int().nullable() });
export type GuestLimits = z.infer<typeof guestLimits>;
/** A rule that may be given to a guest, with the doors it opens. */
export const sharedRule = z.strictObject({ ...named.shape, devices: z.array(z.string()) });
export type SharedRule = z.infer<typeof sharedRule>;

/** What stands on a guest's page. */
export const guestPage = z.strictObject({
  name: z.string(),
  project: z.string(),
  message: z.string().nullable(),
  /** ISO 8601 UTC; null is without beginning or end. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** Null: as often as one likes. */
  passes_left: z.int().nullable(),
  /** What a reader or a keypad is shown; null where the page itself opens the doors. */
  code: z.strictObject({ type: z.enum(['qr', 'access_code']), value: z.string() }).nullable(),
  /** Whether there is a wallet pass of the key. */
  wallet: z.boolean(),
  /** `place`: the group the door belongs to. */
  doors: z.array(z.strictObject({ id: z.uuid(), name: z.string(), place: z.string().nullable() })),
});
export type GuestPage = z.infer<typeof guestPage>;

const byKey = z.strictObject({ key: z.string().regex(/^[\w-]{16,64}$/) });
/** The group whose guests it is about; one's own without it. */
const inGroup = z.strictObject({ domain: z.uuid() }).partial();

/** What hosts and guests do besides the plain calls. */
export const guestCalls = {
  availableAccessRules: call({
    method: 'GET',
    path: '/access-rules/available',
    access: { codes: ['can_create_guest_identifiers'], about: 'guest-identifiers' },
    feature: 'guests',
    summary: 'Access rules that the user can give to guests, with the doors they open',
    query: inGroup,
    answer: z.array(sharedRule),
  }),
  guestLimits: call({
    method: 'GET',
    path: '/identifiers/guests/limits',
    access: { codes: ['can_create_guest_identifiers'], about: 'guest-identifiers' },
    feature: 'guests',
    summary: 'How many passes and days guests of a group get at most',
    query: inGroup,
    answer: guestLimits,
  }),
  revokeGuest: call({
    method: 'POST',
    path: '/identifiers/guests/{id}/revoke',
    access: { area: 'guest-identifiers', verb: 'edit' },
    feature: 'guests',
    summary: "Revoke a guest's key: it opens nothing any more",
    params: byId,
  }),
  mailGuest: call({
    method: 'POST',
    path: '/identifiers/guests/{id}/mail',
    access: { area: 'guest-identifiers', verb: 'edit' },
    feature: 'guests',
    summary: "Send the link to a guest's page by e-mail",
    params: byId,
    body: z.strictObject({ email: email(), locale: choice(['en', 'ru']) }),
  }),
  guestPage: call({
    method: 'GET',
    path: '/guest-access/{key}',
    access: 'anyone',
    summary: "A guest's page: the doors that the key opens",
    params: byKey,
    answer: guestPage,
  }),
  openAsGuest: call({
    method: 'POST',
    path: '/guest-access/{key}/open',
    access: 'anyone',
    urgent: true,
    summary: 'Open a door as a guest; returns whether the device confirmed it within 5 s, and the passes left',
    params: byKey,
    body: z.strictObject({ device: z.uuid() }),
    answer: z.strictObject({ outcome: z.enum(['confirmed', 'unconfirmed']), passes_left: z.int().nullable() }),
  }),
} as const;
